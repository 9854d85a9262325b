import { ClusterError } from '../clusters/errors/ClusterError';
import type { Timing } from '../clusters/Timing';
import type { ClusterClient } from '../clusters/types';
import type { KubernetesObject, Outcome } from '../ports';
import { isRecord, listAt, textAt } from './json';
import { collectionOf, readObject } from './live/readObject';
import { resourceOfDefinition } from './live/resourceOfDefinition';
import { describeObject, idOf } from './objectId';
import { pause } from './waitFor';

const POLL_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 15_000;

/** Waits until the CRDs among these objects are served; custom resources that come too early are refused. */
export async function awaitDefinitions(
  client: ClusterClient,
  timing: Timing,
  objects: KubernetesObject[],
  signal: AbortSignal,
): Promise<Exclude<Outcome, { result: 'done' }> | undefined> {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const until = timing.now() + LONGEST_WAIT_MILLISECONDS;
  for (const definition of definitions) {
    while (
      !(
        (await isEstablished(client, definition, signal)) &&
        (await areServed(client, definition, signal))
      )
    ) {
      if (timing.now() >= until || signal.aborted) {
        const message = `${client.name}: ${describeObject(
          idOf(definition),
        )}: is not served yet; tries again.`;
        return { result: 'retry', message };
      }
      await pause(timing, POLL_MILLISECONDS, signal);
    }
  }
  return undefined;
}

async function isEstablished(
  client: ClusterClient,
  definition: KubernetesObject,
  signal: AbortSignal,
): Promise<boolean> {
  const id = idOf(definition);
  const resource = await client.resource(id.apiVersion, id.kind);
  const live = resource && (await readObject(client, resource, id, signal));
  return listAt(live, 'status', 'conditions').some(
    condition =>
      isRecord(condition) && condition.type === 'Established' && condition.status === 'True',
  );
}

/** The paths of a new CRD answer 404 for a moment after it is established. */
async function areServed(
  client: ClusterClient,
  definition: KubernetesObject,
  signal: AbortSignal,
): Promise<boolean> {
  const group = textAt(definition, 'spec', 'group') ?? '';
  const kind = textAt(definition, 'spec', 'names', 'kind') ?? '';
  const versions = listAt(definition, 'spec', 'versions').filter(isRecord);
  for (const { name } of versions) {
    const resource = resourceOfDefinition([definition], `${group}/${name}`, kind);
    if (resource && (await isAbsent(client, collectionOf(resource), signal))) {
      return false;
    }
  }
  return true;
}

async function isAbsent(
  client: ClusterClient,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.request({ method: 'GET', path, query: { limit: 1 }, signal });
    return false;
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'notFound') {
      return true;
    }
    // An identity that may not list the kind everywhere learns no more from here.
    if (error instanceof ClusterError && error.kind === 'forbidden') {
      return false;
    }
    throw error;
  }
}
