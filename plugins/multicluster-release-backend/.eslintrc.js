/*
 * The rooms of the backend. Imports run one way, so that what decides can be run
 * without what acts: controls → nothing; decide → controls; store → controls and
 * shapes of decide; engine → decide and store; commands → store, decide and
 * controls; http → commands.
 */
const ROOMS = {
  controls: ['controls'],
  decide: ['decide', 'controls'],
  store: ['store', 'controls', 'decide/types.ts'],
  engine: ['engine', 'decide', 'store', 'config'],
  commands: ['commands', 'controls', 'decide', 'store', 'config', 'permissions'],
  http: ['http', 'commands', 'controls', 'decide', 'store', 'config', 'permissions'],
  permissions: ['permissions', 'config'],
  config: ['config'],
};

module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  settings: { 'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js'] } } },
  rules: {
    ...require('../../tools/eslintRules.cjs'),
    'import/no-restricted-paths': [
      'error',
      {
        basePath: __dirname,
        zones: Object.entries(ROOMS).map(([room, allowed]) => ({
          target: `./src/${room}`,
          from: './src',
          except: allowed.map(path => `./${path}`),
          message: `Inside src/${room} only ${allowed.join(', ')} may be imported.`,
        })),
      },
    ],
  },
  overrides: [
    {
      // A test may bring what its subject must not know.
      files: ['src/**/*.test.ts', 'src/**/__testUtils__/**', 'src/testing/**'],
      rules: { 'import/no-restricted-paths': 'off' },
    },
    {
      // Not part of what is built, so that a folder of the repository can be named.
      files: ['src/testing/**'],
      rules: { 'no-restricted-syntax': 'off' },
    },
    {
      // Pure: the same state, observations and time always give the same answer.
      files: ['src/decide/**', 'src/controls/**'],
      excludedFiles: ['**/*.test.ts', '**/__testUtils__/**'],
      rules: {
        '@typescript-eslint/no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['backstage-plugin-multicluster-release-node'],
                message: 'Only its types.',
                allowTypeImports: true,
              },
              {
                group: [
                  '@backstage/backend-*',
                  'knex',
                  'express',
                  'fs',
                  'node:fs*',
                  'node:http*',
                  'node:net',
                  'node:timers*',
                ],
                message: 'Deciding does no I/O.',
              },
            ],
          },
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Time comes in from outside.' },
          { object: 'Math', property: 'random', message: 'Randomness comes in from outside.' },
        ],
        'no-restricted-syntax': [
          'error',
          {
            selector: "NewExpression[callee.name='Date'][arguments.length=0]",
            message: 'Time comes in from outside.',
          },
        ],
      },
    },
  ],
});
