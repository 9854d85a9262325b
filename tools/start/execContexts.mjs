import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StartError } from './StartError.mjs';

/**
 * @typedef {object} Context
 * @property {string} name
 * @property {string} [program] that its user needs for credentials
 */

/**
 * The contexts of a kubeconfig. Reads only; starts nothing.
 *
 * @param {string} file
 * @returns {Promise<Context[]>}
 * @throws {StartError} where it cannot be read or holds no context
 */
export async function readContexts(file) {
  // Part of the installation, which is done only while a start runs.
  const { parse } = createRequire(import.meta.url)('yaml');
  const text = await readFile(file, 'utf8').catch(error => {
    throw new StartError(
      `--clusters kubeconfig:${file}: the file cannot be read (${error.code}); give the path of a kubeconfig`,
    );
  });
  const { contexts, users } = parseKubeconfig(text, parse) ?? {};
  if (!Array.isArray(contexts) || contexts.length === 0) {
    throw new StartError(`--clusters kubeconfig:${file}: holds no context; is it a kubeconfig?`);
  }
  return contexts.map(({ name, context }) => ({
    name,
    program: users?.find(user => user.name === context?.user)?.user?.exec?.command,
  }));
}

/**
 * What to say of contexts that need a program, and of names that are not there.
 *
 * @param {Context[]} contexts
 * @param {string[]} allowed
 * @returns {string[]}
 * @throws {StartError} where a context that is to be allowed is not in the file
 */
export function execNotes(contexts, allowed) {
  const unknown = allowed.filter(name => !contexts.some(context => context.name === name));
  if (unknown.length > 0) {
    const names = contexts.map(({ name }) => name).join(', ');
    throw new StartError(`--allow-exec ${unknown[0]}: no such context; the file has ${names}`);
  }
  return contexts
    .filter(({ name, program }) => program && !allowed.includes(name))
    .map(
      ({ name, program }) =>
        `Context ${name} is left out: it runs the program ${program} for its credentials. Let it with --allow-exec ${name}`,
    );
}

/** The parser's text is kept out: it quotes lines that may be credentials. */
function parseKubeconfig(text, parse) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
