import { recordAt } from '../json';
import { strategicMerge } from './strategicMerge';

const about = { subject: 'StatefulSet/shop/mesh', groupKind: 'apps/StatefulSet' };

/** The base of field case C44. */
const mesh = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'mesh' },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'agent',
            image: 'agent:1',
            ports: [
              { containerPort: 8301, name: 'gossip-tcp', protocol: 'TCP' },
              { containerPort: 8301, name: 'gossip-udp', protocol: 'UDP' },
              { containerPort: 8600, name: 'dns-tcp', protocol: 'TCP' },
              { containerPort: 8600, name: 'dns-udp', protocol: 'UDP' },
            ],
            env: [
              { name: 'WHERE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
              { name: 'KEEP', value: '1' },
            ],
            livenessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 5 },
          },
          { name: 'side', image: 'side:1' },
        ],
        volumes: [{ name: 'data', emptyDir: {} }],
        tolerations: [{ key: 'a' }, { key: 'b' }],
      },
    },
  },
};

interface Container {
  name: string;
  image: string;
  ports: { name: string }[];
  env: object[];
  livenessProbe: object;
}

function merged(podSpec: object): { containers: Container[]; [member: string]: unknown } {
  const result = strategicMerge(mesh, { spec: { template: { spec: podSpec } } }, about);
  return recordAt(result, 'spec', 'template', 'spec') as { containers: Container[] };
}

const PORT_NAMES = ['gossip-tcp', 'gossip-udp', 'dns-tcp', 'dns-udp'];

describe('strategicMerge (field case C44)', () => {
  it('leaves lists alone that a patch does not touch', () => {
    const result = strategicMerge(mesh, { metadata: { labels: { team: 'x' } } }, about);
    expect(result).toEqual({ ...mesh, metadata: { name: 'mesh', labels: { team: 'x' } } });
  });

  it('finds containers by name', () => {
    const { containers } = merged({ containers: [{ name: 'agent', image: 'agent:2' }] });
    expect(containers.map(({ name, image }) => [name, image])).toEqual([
      ['agent', 'agent:2'],
      ['side', 'side:1'],
    ]);
    expect(containers[0].ports.map(port => port.name)).toEqual(PORT_NAMES);
  });

  it('finds ports by number and protocol, TCP where none is written', () => {
    const [agent] = merged({
      containers: [
        {
          name: 'agent',
          ports: [
            { containerPort: 8600, hostPort: 53 },
            { containerPort: 8301, protocol: 'UDP', $patch: 'delete' },
          ],
        },
      ],
    }).containers;
    expect(agent.ports).toEqual([
      { containerPort: 8301, name: 'gossip-tcp', protocol: 'TCP' },
      { containerPort: 8600, name: 'dns-tcp', protocol: 'TCP', hostPort: 53 },
      { containerPort: 8600, name: 'dns-udp', protocol: 'UDP' },
    ]);
  });

  it('replaces a reference by a literal value', () => {
    const [agent] = merged({
      containers: [{ name: 'agent', env: [{ name: 'WHERE', value: 'fixed' }] }],
    }).containers;
    expect(agent.env).toEqual([
      { name: 'WHERE', value: 'fixed' },
      { name: 'KEEP', value: '1' },
    ]);
  });

  it('replaces one kind of volume and one kind of probe by another', () => {
    const spec = merged({
      containers: [{ name: 'agent', livenessProbe: { tcpSocket: { port: 80 } } }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    });
    expect(spec.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]);
    expect(spec.containers[0].livenessProbe).toEqual({ tcpSocket: { port: 80 }, periodSeconds: 5 });
  });

  it('refuses a list entry without its key', () => {
    expect(() => merged({ containers: [{ image: 'agent:3' }] })).toThrow(
      'StatefulSet/shop/mesh: spec.template.spec.containers[0] of the patch: list entry has no name; nothing rendered',
    );
  });

  it.each([
    ['null removes a member', { tolerations: null }, 'tolerations', undefined],
    [
      'a list without a key is replaced',
      { tolerations: [{ key: 'c' }] },
      'tolerations',
      [{ key: 'c' }],
    ],
    [
      '$patch: replace empties a keyed list first',
      { volumes: [{ $patch: 'replace' }, { name: 'tmp', emptyDir: {} }] },
      'volumes',
      [{ name: 'tmp', emptyDir: {} }],
    ],
    [
      '$patch: delete takes an entry',
      { volumes: [{ name: 'data', $patch: 'delete' }] },
      'volumes',
      [],
    ],
    [
      '$patch: delete takes a member',
      { securityContext: { $patch: 'delete' } },
      'securityContext',
      undefined,
    ],
    [
      '$patch: replace replaces a member',
      { securityContext: { $patch: 'replace', runAsUser: 1 } },
      'securityContext',
      { runAsUser: 1 },
    ],
  ])('%s', (_name, patch, member, expected) => {
    expect(merged(patch)[member]).toEqual(expected);
  });

  it('names a directive that it does not know', () => {
    expect(() => merged({ $setElementOrder: [] })).toThrow(
      'spec.template.spec.$setElementOrder: this directive is not known',
    );
  });

  it('does not change its arguments', () => {
    const before = JSON.stringify(mesh);
    merged({ containers: [{ name: 'side', image: 'side:2' }] });
    expect(JSON.stringify(mesh)).toBe(before);
  });
});
