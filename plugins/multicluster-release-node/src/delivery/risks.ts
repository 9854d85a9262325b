import type { ObjectId } from '../ports';
import { describeObject } from './objectId';

/*
 * Risks are what a person accepts by starting a plan: they are compared as texts
 * between the preview and the check right before the first write.
 */
export function removalRisk(id: ObjectId): string {
  return `removal:${describeObject(id)}`;
}

export function replaceRisk(id: ObjectId): string {
  return `replace:${describeObject(id)}`;
}

/** @param owner - the field manager that would lose a field */
export function conflictRisk(id: ObjectId, owner: string): string {
  return `conflict:${describeObject(id)}:${owner}`;
}
