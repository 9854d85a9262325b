import { fileURLToPath } from 'node:url';
import { buildGoProgram } from './goProgram.mjs';

/** Without it the API server calls itself v0.0.0-master, and rules about versions fail. */
export const KUBERNETES_VERSION = 'v1.36.3';

/** @returns {import('./goProgram.mjs').Program} */
function controlPlane() {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = KUBERNETES_VERSION.slice(1).split('.');
  return {
    name: 'controlplane',
    sources: fileURLToPath(new URL('..', import.meta.url)),
    flags: [
      '-ldflags',
      `-s -w -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`,
    ],
    made: 'Kubernetes',
    product: 'the control planes',
  };
}

/**
 * Builds the control plane binary, once for each version of its sources.
 *
 * @param {import('./goProgram.mjs').BuildOptions} [options]
 */
export function build(options) {
  return buildGoProgram(controlPlane(), options);
}
