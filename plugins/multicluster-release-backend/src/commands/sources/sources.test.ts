import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSource } from './FileSource';
import { resolveLocation } from './resolveLocation';
import { atRevision } from './revisionUrl';

const BASE_URL = {
  type: 'url' as const,
  target: 'https://git.example.com/acme/checkout/blob/main/ops/multicluster-release.yaml',
};
const BASE_FILE = { type: 'file' as const, target: '/repo/ops/multicluster-release.yaml' };

describe('where a reference leads', () => {
  it.each([
    ['./k8s', BASE_URL, 'https://git.example.com/acme/checkout/blob/main/ops/k8s'],
    ['../k8s/web.yaml', BASE_URL, 'https://git.example.com/acme/checkout/blob/main/k8s/web.yaml'],
    ['url:https://other.example.com/x.yaml', BASE_FILE, 'https://other.example.com/x.yaml'],
    ['https://other.example.com/x.yaml', undefined, 'https://other.example.com/x.yaml'],
    ['./k8s', BASE_FILE, '/repo/ops/k8s'],
    ['file:k8s', BASE_FILE, '/repo/ops/k8s'],
  ])('%s', (reference, base, target) => {
    expect(resolveLocation(reference, base, true).target).toBe(target);
  });

  it.each([
    ['../secrets.yaml', BASE_FILE, true, 'is not within /repo/ops'],
    ['/etc/passwd', BASE_FILE, true, 'is not within'],
    ['file:/etc/passwd', BASE_FILE, true, 'is not within'],
    ['./k8s', BASE_FILE, false, 'allowFileSources'],
    ['./k8s', undefined, true, 'needs a document that was read'],
    ['/etc/passwd', BASE_URL, true, 'is absolute'],
    ['file:/etc/passwd', undefined, true, 'needs a document'],
  ] as const)('%s is refused', (reference, base, allowFiles, message) => {
    expect(() => resolveLocation(reference, base, allowFiles)).toThrow(message);
  });
});

describe('another git revision of a place', () => {
  it.each([
    [
      'https://github.com/acme/checkout/tree/main/k8s',
      'https://github.com/acme/checkout/tree/v2.0.0/k8s',
    ],
    [
      'https://github.com/acme/checkout/blob/main/k8s/web.yaml',
      'https://github.com/acme/checkout/blob/v2.0.0/k8s/web.yaml',
    ],
    [
      'https://gitlab.com/acme/checkout/-/tree/main/k8s',
      'https://gitlab.com/acme/checkout/-/tree/v2.0.0/k8s',
    ],
    [
      'https://gitea.example.com/acme/checkout/src/branch/main/k8s',
      'https://gitea.example.com/acme/checkout/src/tag/v2.0.0/k8s',
    ],
  ])('%s', (target, expected) => {
    expect(atRevision({ type: 'url', target }, 'v2.0.0').target).toBe(expected);
  });

  it('is refused where there is none in it', () => {
    expect(() =>
      atRevision({ type: 'url', target: 'https://files.example.com/k8s/' }, 'v1'),
    ).toThrow('needs a URL of a git host');
    expect(() => atRevision(BASE_FILE, 'v1')).toThrow('needs a URL of a git host');
  });
});

describe('files', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
    await mkdir(join(folder, 'k8s', 'more'), { recursive: true });
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('of a folder come in the order of their paths, manifests only', async () => {
    await writeFile(join(folder, 'k8s', 'b.yaml'), 'b');
    await writeFile(join(folder, 'k8s', 'a.json'), 'a');
    await writeFile(join(folder, 'k8s', 'more', 'c.yml'), 'c');
    await writeFile(join(folder, 'k8s', 'README.md'), 'no');
    const { files } = await readFileSource(join(folder, 'k8s'));
    expect(files.map(({ path, text }) => [path, text])).toEqual([
      ['a.json', 'a'],
      ['b.yaml', 'b'],
      ['more/c.yml', 'c'],
    ]);
  });

  it('that a link leads to outside are not read', async () => {
    await writeFile(join(folder, 'secret.yaml'), 'secret');
    await symlink(join(folder, 'secret.yaml'), join(folder, 'k8s', 'link.yaml'));
    const { files } = await readFileSource(join(folder, 'k8s'));
    expect(files).toEqual([]);
    await expect(readFileSource(join(folder, 'nothing'))).rejects.toThrow('there is no such file');
  });
});
