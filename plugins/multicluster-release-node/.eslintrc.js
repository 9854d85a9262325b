/*
 * The hands. `clusters` is the only folder that opens connections, and knows nobody;
 * adapters (delivery, traffic, analysis) use it and do not know each other.
 */
const ADAPTERS = ['delivery', 'traffic', 'analysis'];

module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  settings: { 'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js'] } } },
  rules: {
    ...require('../../tools/eslintRules.cjs'),
    'import/no-restricted-paths': [
      'error',
      {
        basePath: __dirname,
        zones: [
          ...ADAPTERS.map(adapter => ({
            target: './src/clusters',
            from: `./src/${adapter}`,
            message: `What dials does not know ${adapter}.`,
          })),
          ...ADAPTERS.flatMap(adapter =>
            ADAPTERS.filter(other => other !== adapter).map(other => ({
              target: `./src/${adapter}`,
              from: `./src/${other}`,
              message: 'Adapters do not know each other.',
            })),
          ),
        ],
      },
    ],
  },
  overrides: [
    {
      // Not part of what is built, so that a folder of the repository can be named.
      files: ['src/**/testing/**'],
      rules: { 'no-restricted-syntax': 'off' },
    },
    {
      files: ['src/**'],
      excludedFiles: ['src/clusters/**', '**/*.test.ts', '**/__testUtils__/**', '**/testing/**'],
      rules: {
        '@typescript-eslint/no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: [
                  'undici',
                  '@kubernetes/client-node',
                  'http',
                  'https',
                  'net',
                  'tls',
                  'node:http*',
                  'node:net',
                  'node:tls',
                ],
                message: 'Only src/clusters opens connections.',
                allowTypeImports: true,
              },
            ],
          },
        ],
      },
    },
  ],
});
