/**
 * How jest is called here, with the projects of jest.config.js.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ files: string[], options?: string[] }} what
 */
export function jestCommand(env, { files, options = [] }) {
  return {
    args: ['exec', 'jest', '--ci', ...options, '--runTestsByPath', ...files],
    env: {
      ...env,
      NODE_ENV: 'test',
      TZ: 'UTC',
      // Some libraries are ESM only; jest loads those through node:vm.
      NODE_OPTIONS: [env.NODE_OPTIONS, '--experimental-vm-modules', '--no-warnings']
        .filter(Boolean)
        .join(' '),
    },
  };
}
