import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulationSummary, wholeNumber } from '../simulation/summary.mjs';

describe('summary of the simulation', () => {
  it('adds up what each process has played last', () => {
    const summary = simulationSummary(() => {});
    for (const [part, played] of /** @type {const} */ ([
      [0, 50],
      [1, 50],
      [0, 60],
    ])) {
      summary.take(part, JSON.stringify({ played }));
    }
    assert.equal(summary.played(), 110);
    assert.equal(summary.lastLine(), '110 seeds kept every rule');
  });

  it('prints reports as they come, what is no report too, and names each rule once', () => {
    /** @type {string[]} */
    const printed = [];
    const summary = simulationSummary(line => printed.push(line));
    for (const seed of [3, 4]) {
      summary.take(0, JSON.stringify({ seed, rule: 'order', report: `seed ${seed}` }));
    }
    summary.take(0, 'Error: no such file');
    summary.take(0, JSON.stringify({ played: 9 }));
    assert.deepEqual(printed, ['seed 3\n', 'seed 4\n', 'Error: no such file']);
    assert.equal(summary.failed(), 2);
    assert.equal(summary.lastLine(), '2 of 9 seeds broke a rule: order');
  });
});

describe('options of the simulation', () => {
  it('takes whole numbers', () => assert.equal(wholeNumber('seeds', '12'), 12));

  for (const text of ['', '0', '-1', '1.5', 'many']) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => wholeNumber('seeds', text), /--seeds .*whole number/));
  }
});
