import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { dumpDatabase } from '../store/__testUtils__/dumpDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { sampleRelease, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const TOKEN = 'CANARY-TOKEN';
const FORBIDDEN = [TOKEN, Buffer.from(TOKEN).toString('base64')];
const START = `/releases?service=${SERVICE}`;

/** The objects of field case C14. */
const SECRETS: object[] = [
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's1' }, data: { k: FORBIDDEN[1] } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's2' }, stringData: { k: TOKEN } },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 's3',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
          kind: 'Secret',
          stringData: { k: TOKEN },
        }),
      },
    },
    data: { k: FORBIDDEN[1] },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 's5',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `not json ${TOKEN}` },
    },
  },
];

describeOnEachDatabase('Secret values (C14)', open => {
  let bench: Bench;
  let answers: string[];

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
    answers = [];
  });

  afterEach(() => bench.stop());

  async function ask(path: string) {
    const response = await request(bench.app).get(path);
    answers.push(response.text);
    return response;
  }

  async function send(path: string, body: object) {
    const response = await request(bench.app).post(path).send(body);
    answers.push(response.text);
    return response;
  }

  async function everySurface(): Promise<string> {
    const audit = JSON.stringify(bench.audit);
    return [
      ...answers,
      audit,
      ...bench.logged,
      JSON.stringify(bench.changes),
      await dumpDatabase(bench.commands.database),
    ].join('\n');
  }

  function expectNowhere(surface: string) {
    expect(FORBIDDEN.filter(value => surface.includes(value))).toEqual([]);
  }

  it('appear in no answer, event, log, audit record or row, and it is still seen that they are there', async () => {
    const documents = [sampleRelease(), sampleTemplate(SECRETS)];
    await send(`${START}&dryRun=true`, documents);
    const { body } = await send(START, documents);
    await until(
      async () => (await request(bench.app).get(`/releases/${body.id}`)).body,
      ({ state }) => state === 'Succeeded',
    );
    const { body: plan } = await ask(`/releases/${body.id}/plan`);
    const content = await ask(`/contents/${plan.targets[0].to.digest}?release=${body.id}`);
    expect(
      content.body.objects
        .filter(({ kind }: { kind: string }) => kind === 'Secret')
        .map((secret: { data?: object }) => secret.data),
    ).toContainEqual({
      k: '(masked)',
    });
    for (const path of ['', '/targets', '/stages', '/steps', '/diff', '/events']) {
      expect((await ask(`/releases/${body.id}${path}`)).status).toBe(200);
    }
    await ask('/services/component/default/checkout/summary');
    await ask('/audit');
    expectNowhere(await everySurface());
  });

  it('do not come back in errors about them', async () => {
    const numberInStringData = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's4' },
      stringData: { k: TOKEN, num: 12345 },
    };
    const twice = [SECRETS[1], SECRETS[1]];
    const unreadable = `{"kind": "Secret", "stringData": {"k": "${TOKEN}"`;
    const badYaml = `apiVersion: v1\nkind: Secret\nstringData: {k: ${TOKEN}\n  - [`;
    const statuses = [
      (await send(START, [sampleRelease(), sampleTemplate([numberInStringData])])).status,
      (await send(START, [sampleRelease(), sampleTemplate(twice)])).status,
      (
        await send(START, [
          { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, stringData: { k: TOKEN } },
        ])
      ).status,
    ];
    expect(statuses).toEqual([400, 400, 400]);
    for (const [type, text] of [
      ['application/json', unreadable],
      ['application/yaml', badYaml],
    ]) {
      const response = await request(bench.app).post(START).set('Content-Type', type).send(text);
      expect(response.status).toBe(400);
      answers.push(response.text);
    }
    expectNowhere(await everySurface());
  });

  it('in documents are refused where they could only be stored in clear', async () => {
    const response = await request(bench.app)
      .put('/services/component/default/checkout/definition')
      .send([sampleTemplate(SECRETS)]);
    answers.push(response.text);
    expect(response.status).toBe(400);
    expectNowhere(await everySurface());
  });

  it('are found by this test where they are (it can fail)', async () => {
    answers.push(readFileSync(__filename, 'utf8'), randomBytes(4).toString('hex'));
    expect(FORBIDDEN.some(value => answers.join('').includes(value))).toBe(true);
  });
});
