// For the scripts outside of the packages; each package has its own. Old-style
// ESLint looks upwards, and stops here.
const { createConfig } = require('@backstage/cli/config/eslint-factory');

module.exports = {
  root: true,
  overrides: [
    {
      files: ['tools/**', 'dev/**', 'e2e/**', 'bench/**', '*.js'],
      ...withoutRootKeys(
        createConfig(__dirname, {
          env: { node: true },
          parserOptions: { ecmaVersion: 'latest' },
          rules: {
            ...require('./tools/eslintRules.cjs'),
            'no-console': 'off',
            // One program after the other is often what is meant.
            'no-await-in-loop': 'off',
            // What lies here belongs to no package.
            '@backstage/no-relative-monorepo-imports': 'off',
          },
        }),
      ),
    },
  ],
};

/** An override may not hold what only the top of a configuration may. */
function withoutRootKeys({ ignorePatterns, root, overrides, ...config }) {
  return { ...config, overrides };
}
