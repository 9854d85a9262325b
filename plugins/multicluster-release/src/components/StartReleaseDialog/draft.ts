import type { PreviewView } from 'backstage-plugin-multicluster-release-common';
import { newIdempotencyKey, type Problem, type ReleaseDocument } from '../../api';

/** What a person has entered so far; it outlives the dialog. */
export interface Draft {
  step: 'version' | 'preview';
  /** Name of the release document. */
  template?: string;
  version: string;
  preview?: PreviewView;
  /** Why; empty where nobody says. */
  reason: string;
  /** Of the start that is intended; another preview is another intent. */
  idempotencyKey: string;
  problem?: Problem;
  /** The plan was another one when it was to be started. */
  planMoved: boolean;
}

export function emptyDraft(version: string = ''): Draft {
  return {
    step: 'version',
    version,
    reason: '',
    planMoved: false,
    idempotencyKey: newIdempotencyKey(),
  };
}

/** What was typed, as a version: a leading v is not part of it. */
export function plainVersion(typed: string): string {
  return typed.trim().replace(/^v(?=\d)/, '');
}

/** The service's own document with another version. */
export function documentFor(template: ReleaseDocument, version: string): ReleaseDocument {
  const targetVersion = plainVersion(version);
  return { ...template, spec: { ...template.spec, targetVersion } };
}

/** For example `Canary`; undefined where the document does not say. */
export function strategyOf(template: ReleaseDocument): string | undefined {
  const { strategy } = template.spec;
  if (typeof strategy !== 'object' || strategy === null) {
    return undefined;
  }
  const { type } = strategy as { type?: unknown };
  return typeof type === 'string' ? type : undefined;
}
