module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  rules: require('../../tools/eslintRules.cjs'),
});
