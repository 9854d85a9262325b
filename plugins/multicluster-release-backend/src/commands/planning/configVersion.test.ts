import type { TemplateSpec } from '../documents/DocumentModel';
import { nameTemplate, templateDigest } from './configVersion';

function templateOf(configVersion?: string): TemplateSpec {
  return { name: 'checkout', configVersion, source: { inline: [] }, images: [], overrides: [] };
}
const was = (configVersion: string, digest: string, name = 'checkout') => ({
  name,
  configVersion,
  digest,
});

describe('the configVersion of a template', () => {
  it.each([
    ['begins', undefined, 'x', [], '1.0.0'],
    ['stays while the template does', undefined, 'x', [was('1.4.2', 'x')], '1.4.2'],
    ['counts its patch number up on a change', undefined, 'y', [was('1.4.2', 'x')], '1.4.3'],
    [
      'goes past numbers that are taken',
      undefined,
      'z',
      [was('1.4.2', 'x'), was('1.4.3', 'y')],
      '1.4.4',
    ],
    ['does not mind other templates', undefined, 'y', [was('3.0.0', 'x', 'other')], '1.0.0'],
    ['is what the document says', '2.0.0', 'y', [was('1.4.2', 'x')], '2.0.0'],
    ['may be said again for the same template', '1.4.2', 'x', [was('1.4.2', 'x')], '1.4.2'],
  ])('%s', (_name, declared, digest, history, expected) => {
    const { template, findings } = nameTemplate(templateOf(declared), digest, history);
    expect(template.configVersion).toBe(expected);
    expect(findings).toEqual([]);
  });

  it('is refused for another template than it was released with, and says the way out', () => {
    const { findings } = nameTemplate(templateOf('1.4.2'), 'y', [was('1.4.2', 'x')]);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'ConfigVersionReused', path: 'spec.configVersion' },
    ]);
    expect(findings[0].message).toContain('Count configVersion up');
  });

  it('names the template before versions and overrides', () => {
    const overrides = [{ match: {}, patches: [] }] as TemplateSpec['overrides'];
    const digest = templateDigest(templateOf(), [{ a: '${version}' }]);
    expect(templateDigest({ ...templateOf('9.9.9'), overrides }, [{ a: '${version}' }])).toBe(
      digest,
    );
    expect(templateDigest(templateOf(), [{ a: 'b' }])).not.toBe(digest);
  });
});
