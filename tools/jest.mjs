/**
 * How jest is called here, with the projects of jest.config.js.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ files: string[], options?: string[] }} what
 */
export function jestCommand(env, { files, options = [] }) {
  return {
    // What a test left open must not hold the run: the report is written by then.
    args: ['exec', 'jest', '--ci', '--forceExit', ...options, '--runTestsByPath', ...files],
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
