import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFault, MOST_SEEDS } from '../simulation/findFault.mjs';
import { PLANTED_FAULTS } from '../simulation/plantedFaults.mjs';

describe('faults planted in decide and engine', () => {
  it('are at least fifteen different ones', () => {
    const changes = PLANTED_FAULTS.map(({ file, find, replace }) => file + find + replace);
    assert.ok(new Set(changes).size >= 15);
  });

  for (const fault of PLANTED_FAULTS) {
    it(`is found: ${fault.name}`, async context => {
      const found = await findFault(fault);
      assert.ok(found, `no seed up to ${MOST_SEEDS} found it`);
      context.diagnostic(`seed ${found.seed}: ${found.rule}`);
    });
  }
});
