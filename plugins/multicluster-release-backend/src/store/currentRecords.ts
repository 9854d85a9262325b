import {
  targetKey,
  type ContentRef,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { CurrentRecord } from '../decide/types';
import type { RunningRecord } from './types';

/** What a new plan starts from, by target. */
export function currentRecords(running: RunningRecord[]): Map<TargetKey, CurrentRecord> {
  return new Map(running.map(record => [targetKey(record), currentRecord(record)]));
}

function currentRecord(record: RunningRecord): CurrentRecord {
  return {
    content: contentOf(record),
    sequence: record.observedSequence ?? record.wantedSequence,
    inventory: record.inventory,
    unproven: isUnproven(record) ? true : undefined,
  };
}

/** What was sent there last is not what was last seen to be healthy there. */
function isUnproven({ wantedSequence, observedSequence }: RunningRecord): boolean {
  return wantedSequence !== undefined && wantedSequence !== observedSequence;
}

function contentOf({ digest, version, configVersion }: RunningRecord): ContentRef | undefined {
  return digest === undefined || version === undefined
    ? undefined
    : { digest, version, configVersion };
}
