module.exports = { ...require('@backstage/cli/config/prettier'), printWidth: 100 };
