import { fileURLToPath } from 'node:url';
import { buildGoProgram } from '../clusters/lib/goProgram.mjs';

/**
 * Prometheus itself, of the version in go.mod. Its discovery of targets in
 * clouds is left out: tests name theirs, and it is half of what is compiled.
 *
 * @type {import('../clusters/lib/goProgram.mjs').Program}
 */
const PROMETHEUS = {
  name: 'prometheus',
  sources: fileURLToPath(new URL('.', import.meta.url)),
  package: 'github.com/prometheus/prometheus/cmd/prometheus',
  flags: ['-tags', 'remove_all_sd', '-ldflags', '-s -w'],
  made: 'Prometheus',
  product: 'Prometheus',
};

/** @param {import('../clusters/lib/goProgram.mjs').BuildOptions} [options] */
export function build(options) {
  return buildGoProgram(PROMETHEUS, options);
}
