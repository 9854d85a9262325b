import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { run } from './support.mjs';

const SOURCES = path.dirname(fileURLToPath(new URL('../go.mod', import.meta.url)));

describe('the Go sources', () => {
  it('pass their own tests', async () => {
    // The flags of the build, so that what it has compiled is compiled.
    const parameters = ['-C', SOURCES, 'test', '-vet=off', '-mod=readonly', '-trimpath', '-v', '.'];
    const { code, stdout, stderr } = await run('go', parameters, {
      environment: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^--- PASS: TestNothingIsLeftToLearnForStages /m);
  });
});
