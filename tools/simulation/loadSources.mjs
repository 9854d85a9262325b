/**
 * Loads TypeScript sources of our packages into this process, without building
 * them: so that the simulation runs on plain Node, and so that a source can be
 * changed on its way in (planted faults).
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import typescript from 'typescript';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What plays, shrinks and reports seeds. */
export const SIMULATION = 'plugins/multicluster-release-backend/src/simulation/index.ts';

const PLUGINS = join(ROOT, 'plugins');
const OUR_PACKAGES = 'backstage-plugin-multicluster-release-';

/** Compiled once for all loads of a process, by text. @type {Map<string, string>} */
const compiled = new Map();

/**
 * @typedef {object} Mutation
 * @property {string} file from the root of the repository
 * @property {string} find exact text, there once
 * @property {string} replace
 */

/**
 * A fresh copy of a module and of all that it imports of ours.
 *
 * @param {string} entry from the root of the repository
 * @param {{ mutations?: Mutation[], onLoad?: (path: string, exports: any) => void }} [options]
 *   `onLoad` is told of every module of ours when it has run, and may change what it exports
 */
export function loadSources(entry, { mutations = [], onLoad } = {}) {
  /** @type {Map<string, { exports: any }>} */
  const modules = new Map();
  /** @type {Map<string, string>} */
  const mutated = new Map();
  for (const mutation of mutations) {
    const path = join(ROOT, mutation.file);
    mutated.set(path, mutate(mutated.get(path) ?? readFileSync(path, 'utf8'), mutation));
  }

  /** @param {string} path */
  const load = path => {
    const known = modules.get(path);
    if (known) {
      return known.exports;
    }
    const module = { exports: {} };
    modules.set(path, module);
    const text = mutated.get(path) ?? readFileSync(path, 'utf8');
    const run = vm.runInThisContext(
      `(function (exports, require, module) {${compile(text, path)}\n})`,
      { filename: path },
    );
    run(module.exports, requireFrom(path), module);
    onLoad?.(path, module.exports);
    return module.exports;
  };

  /** @param {string} path */
  const requireFrom = path => {
    const outside = createRequire(path);
    return (/** @type {string} */ name) => {
      const own = ownPath(name, dirname(path));
      return own ? load(own) : outside(name);
    };
  };

  return load(join(ROOT, entry));
}

/**
 * The source with the fault in it.
 *
 * @param {string} text
 * @param {Mutation} mutation
 */
function mutate(text, { file, find, replace }) {
  const places = text.split(find).length - 1;
  if (places !== 1) {
    throw new Error(
      `${file}: the text of a planted fault is there ${places} times, not once: ${find}\n` +
        'The code has changed: change the planted fault in tools/simulation/plantedFaults.mjs with it.',
    );
  }
  return text.replace(find, () => replace);
}

/**
 * @param {string} text
 * @param {string} path
 */
function compile(text, path) {
  const known = compiled.get(text);
  if (known !== undefined) {
    return known;
  }
  const { outputText } = typescript.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      module: typescript.ModuleKind.CommonJS,
      target: typescript.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  compiled.set(text, outputText);
  return outputText;
}

/**
 * The file of a module of ours, or undefined where it is somebody else's.
 *
 * @param {string} name
 * @param {string} folder
 */
function ownPath(name, folder) {
  if (name.startsWith('.')) {
    return sourceFile(resolve(folder, name));
  }
  return name.startsWith(OUR_PACKAGES)
    ? join(PLUGINS, name.replace('backstage-plugin-', ''), 'src', 'index.ts')
    : undefined;
}

/** @param {string} path */
function sourceFile(path) {
  const candidates = [`${path}.ts`, join(path, 'index.ts'), path];
  const found = candidates.find(candidate =>
    statSync(candidate, { throwIfNoEntry: false })?.isFile(),
  );
  if (!found) {
    throw new Error(`${path}: there is no such source`);
  }
  return found;
}
