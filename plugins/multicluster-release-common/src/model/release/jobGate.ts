import { z } from 'zod';
import { isRecord, valueAt, type Path } from '../errors/path';
import { isDnsLabel } from '../primitives/names';
import { freeMapSchema } from '../primitives/objects';
import { recordsOf, withRules, type Report, type Unchecked } from '../primitives/withRules';

/** A Job's name and what we add for stage, release and attempt become a label of its pods, which holds 63. */
const LONGEST_NAME = 40;

/** Ends of names that say that the value is nobody's business. */
const SECRET_ENDS = ['password', 'passwd', 'secret', 'token', 'apikey', 'accesskey', 'privatekey'];

/** A Job that a step runs once on each of its clusters. */
export const jobGateSchema = z.strictObject({
  manifest: withRules(freeMapSchema, isJob, runsOnce, holdsNoSecret).describe(
    'The Job; it runs in the namespace of the cluster.',
  ),
});

function isJob(manifest: Unchecked, report: Report): void {
  const { apiVersion, kind } = manifest;
  const metadata = isRecord(manifest.metadata) ? manifest.metadata : {};
  if (apiVersion !== 'batch/v1' || kind !== 'Job') {
    report(
      ['kind'],
      `must be a Job of batch/v1, and is ${String(kind ?? 'nothing')} of ${String(
        apiVersion ?? 'nothing',
      )}`,
    );
    return;
  }
  const { name } = metadata;
  if (typeof name !== 'string' || !isDnsLabel(name) || name.length > LONGEST_NAME) {
    report(
      ['metadata', 'name'],
      `must be there: at most ${LONGEST_NAME} lower-case letters, digits and -, to which stage, release and attempt are added`,
    );
  }
  if (metadata.namespace !== undefined) {
    report(
      ['metadata', 'namespace'],
      'must be left out: the Job runs in the namespace of its cluster',
    );
  }
}

/** What would let a Job run for ever, start not at all, or be gone before it is read. */
function runsOnce(manifest: Unchecked, report: Report): void {
  const spec = isRecord(manifest.spec) ? manifest.spec : {};
  const containers = valueAt(spec, ['template', 'spec', 'containers']);
  if (recordsOf(containers).length === 0) {
    report(['spec', 'template', 'spec', 'containers'], 'must be there: what shall the Job run?');
  }
  const restart = valueAt(spec, ['template', 'spec', 'restartPolicy']);
  if (restart !== 'Never' && restart !== 'OnFailure') {
    report(
      ['spec', 'template', 'spec', 'restartPolicy'],
      'must be Never or OnFailure, as for every Job',
    );
  }
  if (spec.suspend === true) {
    report(['spec', 'suspend'], 'must not be true: the Job would never end');
  }
  if (spec.ttlSecondsAfterFinished !== undefined) {
    report(
      ['spec', 'ttlSecondsAfterFinished'],
      'must be left out: the Job is removed with the release that ran it, and not before it is read',
    );
  }
}

/** Jobs are kept and shown as they are written, so that a value in clear text could be read by many. */
function holdsNoSecret(manifest: Unchecked, report: Report): void {
  for (const path of secretsIn(manifest, [])) {
    report(
      path,
      'holds a secret in clear text: keep it in a Secret on the clusters, and refer to that with valueFrom.secretKeyRef',
    );
  }
}

function secretsIn(value: unknown, path: Path): Path[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => secretsIn(entry, [...path, index]));
  }
  if (!isRecord(value)) {
    return [];
  }
  const isSecret = value.kind === 'Secret' && (isRecord(value.data) || isRecord(value.stringData));
  const own = isSecret || isSecretVariable(value) ? [path] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, member]) => secretsIn(member, [...path, key])),
  ];
}

/** An environment variable such as `DB_PASSWORD` with its value beside it. */
function isSecretVariable({ name, value }: Record<string, unknown>): boolean {
  if (typeof name !== 'string' || typeof value !== 'string' || value === '') {
    return false;
  }
  const plain = name.toLowerCase().replaceAll('_', '').replaceAll('-', '');
  return SECRET_ENDS.some(end => plain.endsWith(end));
}
