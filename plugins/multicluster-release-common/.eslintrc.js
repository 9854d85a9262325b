const { builtinModules } = require('node:module');

/** The words: no Node, no DOM, no I/O, no clock. */
module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  rules: require('../../tools/eslintRules.cjs'),
  restrictedSrcImports: builtinModules.flatMap(name => [name, `node:${name}`]),
  overrides: [
    {
      files: ['src/**'],
      excludedFiles: ['**/*.test.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          'window',
          'document',
          'process',
          'Buffer',
          'fetch',
          'setTimeout',
          'setInterval',
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Time comes in from outside.' },
          { object: 'Math', property: 'random', message: 'Randomness comes in from outside.' },
        ],
      },
    },
  ],
});
