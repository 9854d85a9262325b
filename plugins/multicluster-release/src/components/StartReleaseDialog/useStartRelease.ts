import { useCallback, useRef, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { HoldView, VersionChoice } from 'backstage-plugin-multicluster-release-common';
import {
  describeProblem,
  multiclusterReleaseApiRef,
  newIdempotencyKey,
  type ReleaseDocument,
} from '../../api';
import { usePolled, type Polled } from '../../hooks';
import { documentFor, emptyDraft, plainVersion, type Draft } from './draft';

const INTERVAL_MILLISECONDS = 60_000;

export interface StartOffer {
  versions: VersionChoice[];
  documents: ReleaseDocument[];
}

export interface StartRelease {
  offer: Polled<StartOffer>;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** The chosen release document, or the only one. */
  template?: ReleaseDocument;
  busy?: 'previewing' | 'starting';
  preview: () => Promise<void>;
  start: () => Promise<void>;
  /** Of the version that was previewed. */
  hold?: HoldView;
  releaseHold: (holdId: string) => Promise<void>;
}

/** The course of a start: choose, preview, start what was previewed. */
export function useStartRelease(options: {
  service: string;
  open: boolean;
  initialVersion?: string;
  onStarted: (releaseId: string, version: string) => void;
  onHoldReleased: () => Promise<void>;
}): StartRelease {
  const { service, open, initialVersion, onStarted, onHoldReleased } = options;
  const api = useApi(multiclusterReleaseApiRef);
  const offer = useStartOffer(service, open);
  const [draft, setDraft] = useState(() => emptyDraft(initialVersion));
  const [busy, setBusy] = useState<StartRelease['busy']>();
  const sending = useRef(false);
  const change = useCallback((changes: Partial<Draft>) => {
    setDraft(before => ({ ...before, ...changes }));
  }, []);
  const documents = offer.value?.documents ?? [];
  const template =
    documents.find(({ metadata }) => metadata.name === draft.template) ?? documents[0];

  const once = async (what: 'previewing' | 'starting', work: () => Promise<void>) => {
    if (sending.current) {
      return;
    }
    sending.current = true;
    setBusy(what);
    try {
      await work();
    } finally {
      sending.current = false;
      setBusy(undefined);
    }
  };

  const askPreview = async (planMoved: boolean) => {
    if (!template) {
      return;
    }
    try {
      const preview = await api.preview(service, documentFor(template, draft.version));
      const idempotencyKey = newIdempotencyKey();
      change({ preview, planMoved, idempotencyKey, problem: undefined, step: 'preview' });
    } catch (error) {
      change({ problem: describeProblem(error), step: 'version' });
    }
  };

  const start = () =>
    once('starting', async () => {
      const { preview, idempotencyKey, version } = draft;
      const plan = preview?.plan;
      if (!template || !plan) {
        return;
      }
      try {
        const document = documentFor(template, version);
        const planHash = plan.hash;
        const reason = draft.reason.trim() || undefined;
        const { id } = await api.start(service, document, { planHash, reason, idempotencyKey });
        setDraft(emptyDraft());
        onStarted(id, plan.targetVersion);
      } catch (error) {
        const problem = describeProblem(error);
        if (problem.code === 'PlanChanged') {
          await askPreview(true);
        } else {
          change({ problem, step: problem.faults.length > 0 ? 'version' : 'preview' });
        }
      }
    });

  const releaseHold = async (holdId: string) => {
    try {
      await api.releaseHold(holdId);
      change({ problem: undefined });
    } catch (error) {
      change({ problem: describeProblem(error) });
    }
    await Promise.all([offer.refresh(), onHoldReleased()]);
    if (draft.step === 'preview') {
      await once('previewing', () => askPreview(false));
    }
  };

  return {
    offer,
    draft,
    change,
    template,
    busy,
    preview: () => once('previewing', () => askPreview(false)),
    start,
    hold: holdOf(offer.value, draft),
    releaseHold,
  };
}

function holdOf(offer: StartOffer | undefined, draft: Draft): HoldView | undefined {
  const wanted = plainVersion(draft.version);
  return offer?.versions.find(({ version }) => version === wanted)?.hold;
}

function useStartOffer(service: string, open: boolean): Polled<StartOffer> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: open ? service : undefined,
    load: async () => {
      const [versions, documents] = await Promise.all([
        api.listVersions(service),
        api.listReleaseDocuments(service),
      ]);
      return { versions, documents };
    },
    interval: () => INTERVAL_MILLISECONDS,
  });
}
