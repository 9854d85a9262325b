// One project per package, as `backstage-cli repo test` has it, so that
// `yarn jest <path>` works from the root.
module.exports = require('@backstage/cli/config/jest');
