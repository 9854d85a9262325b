/** What every package of ours changes in Backstage's rules. */
module.exports = {
  // Files read from top to bottom: what matters first, helpers after it. Use before
  // the definition has run is still an error.
  '@typescript-eslint/no-use-before-define': [
    'error',
    { functions: false, classes: false, variables: false },
  ],
  // A long message is easier to read as a template per line, added up.
  'prefer-template': 'off',
};
