/*
 * A Chromium that starts on a machine where nothing was installed for it.
 *
 * Playwright's own browsers are downloads from outside of the npm registry, so they
 * are not used. First choice is what CHROMIUM_PATH names, then Debian's package,
 * then the one that the npm package @sparticuz/chromium carries, unpacked once.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export interface Browser {
  executablePath: string;
  /** Variables that the browser needs beside those of this process. */
  env: { [name: string]: string };
}

export async function findBrowser(): Promise<Browser> {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted && !existsSync(wanted)) {
    throw new Error(`CHROMIUM_PATH names ${wanted}, which does not exist`);
  }
  const executablePath = wanted || INSTALLED.find(path => existsSync(path));
  return executablePath ? { executablePath, env: {} } : unpackedBrowser();
}

async function unpackedBrowser(): Promise<Browser> {
  const folder = await unpack();
  const executablePath = join(folder, 'chromium');
  const linked = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout ?? '';
  return {
    executablePath,
    env: {
      // Libraries and fonts that a slim image lacks come in the same package.
      ...(linked.includes('not found') ? { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } : {}),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  };
}

/** The folder with the unpacked package; several processes may ask at the same time. */
async function unpack(): Promise<string> {
  const package_ = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(package_, 'package.json'), 'utf8'));
  const parent = join(cacheFolder(), 'chromium');
  const folder = join(parent, `${version}-${process.arch}`);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(parent, { recursive: true });
  const making = await mkdtemp(join(parent, '.making-'));
  const before = process.env.TMPDIR;
  try {
    // The package unpacks into the folder for temporary files, and nowhere else.
    process.env.TMPDIR = making;
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    await chromium.executablePath();
    await inflate(join(package_, 'bin', 'al2023.tar.br'));
    await rename(making, folder).catch(error => {
      if (!existsSync(folder)) {
        throw error;
      }
    });
  } finally {
    if (before === undefined) {
      delete process.env.TMPDIR;
    } else {
      process.env.TMPDIR = before;
    }
    await rm(making, { recursive: true, force: true });
  }
  return folder;
}

function cacheFolder(): string {
  return (
    process.env.MULTICLUSTER_RELEASE_CACHE ||
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'multicluster-release')
  );
}
