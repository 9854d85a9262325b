import { useCallback, useRef } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import type { ActionName, ActionRequest } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { describeProblem, multiclusterReleaseApiRef, newIdempotencyKey } from '../../api';
import { useTexts, useToast, type Toast } from '../../hooks';
import { doneWords } from './doneWords';

export interface SendAction {
  /** Rejects where the server refuses. */
  send: (action: ActionName, request: ActionRequest, idempotencyKey: string) => Promise<void>;
  /** Pauses at once and offers to undo it; a refusal is told in a passing message. */
  pause: () => Promise<void>;
}

/** Sends actions of one release and tells how that went. */
export function useSendAction(options: {
  releaseId: string;
  /** Name of the stage that a promotion leads to; undefined: there is none. */
  nextStage?: string;
  /** The release to show next: another one where a new release was made. */
  onDone: (releaseId: string) => Promise<void>;
  /** Where passing messages go; default: toasts. */
  tell?: (toast: Toast) => { close: () => void };
}): SendAction {
  const { releaseId, nextStage, onDone } = options;
  const api = useApi(multiclusterReleaseApiRef);
  const texts = useTexts();
  const asToast = useToast();
  const toast = options.tell ?? asToast;
  const pausing = useRef(false);

  const send: SendAction['send'] = useCallback(
    async (action, request, idempotencyKey) => {
      const { id } = await api.act(releaseId, action, request, idempotencyKey);
      const time = texts.time(api.now(), api.now());
      toast({
        status: 'success',
        title: doneWords({ action, request, isNew: id !== releaseId, nextStage }, texts),
        description: texts.text('action.requested', { time }),
      });
      await onDone(id);
    },
    [api, releaseId, nextStage, texts, toast, onDone],
  );

  const quietly = useCallback(
    async (action: 'pause' | 'resume') => {
      const { id } = await api.act(releaseId, action, {}, newIdempotencyKey());
      await onDone(id);
    },
    [api, releaseId, onDone],
  );

  const tellFailure = useCallback(
    (action: string, error: unknown) => {
      const { message } = describeProblem(error);
      toast({ status: 'danger', title: texts.text('action.failed', { action, message }) });
    },
    [texts, toast],
  );

  const pause = useCallback(async () => {
    // The second click of a double click asks for nothing new.
    if (pausing.current) {
      return;
    }
    pausing.current = true;
    try {
      await quietly('pause');
      const undo = async () => {
        shown.close();
        await quietly('resume').catch(error => tellFailure(texts.text('action.undo'), error));
      };
      const shown = toast({
        status: 'success',
        title: texts.text('done.pause'),
        description: (
          <Button size="small" variant="outlined" color="inherit" onClick={undo}>
            {texts.text('action.undo')}
          </Button>
        ),
      });
    } catch (error) {
      tellFailure(texts.text('action.pause'), error);
    } finally {
      pausing.current = false;
    }
  }, [quietly, tellFailure, texts, toast]);

  return { send, pause };
}
