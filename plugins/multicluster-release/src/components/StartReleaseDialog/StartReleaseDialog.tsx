import { useId } from 'react';
import Dialog from '@material-ui/core/Dialog';
import DialogActions from '@material-ui/core/DialogActions';
import DialogContent from '@material-ui/core/DialogContent';
import DialogTitle from '@material-ui/core/DialogTitle';
import LinearProgress from '@material-ui/core/LinearProgress';
import Typography from '@material-ui/core/Typography';
import { Button } from '../Button';
import { useNarrow, useTexts, useToast } from '../../hooks';
import { entityName } from '../../text';
import { FaultList } from '../Notices';
import { PreviewStep } from './PreviewStep';
import { useStartRelease, type StartRelease } from './useStartRelease';
import { VersionStep } from './VersionStep';

interface StartReleaseDialogProps {
  service: string;
  open: boolean;
  initialVersion?: string;
  onClose: () => void;
  onStarted: (releaseId: string) => void;
  /** A version may be released again, which others on the page show, too. */
  onHoldReleased: () => Promise<void>;
}

/**
 * Starts a release: choose a version, see what would change, start exactly
 * that. Stays mounted while closed, so that what was entered is still there.
 */
export function StartReleaseDialog(props: StartReleaseDialogProps) {
  const { service, open, initialVersion, onClose, onStarted, onHoldReleased } = props;
  const { text } = useTexts();
  const toast = useToast();
  const titleId = useId();
  const fullScreen = useNarrow();
  const started = (releaseId: string, version: string) => {
    // On narrow screens it would lie over the buttons of the release that is then shown.
    if (!fullScreen) {
      toast({ status: 'success', title: text('start.started', { version }) });
    }
    onClose();
    onStarted(releaseId);
  };
  const flow = useStartRelease({
    ...{ service, open, initialVersion, onHoldReleased },
    onStarted: started,
  });
  const atVersion = flow.draft.step === 'version';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullScreen={fullScreen}
      fullWidth
      maxWidth="md"
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>
        {text('start.title', { service: entityName(service) })}
      </DialogTitle>
      <DialogContent dividers>
        <Typography variant="overline" component="p">
          {text('start.step', {
            number: atVersion ? 1 : 2,
            name: text(atVersion ? 'start.stepVersion' : 'start.stepPreview'),
          })}
        </Typography>
        {flow.draft.problem && <FaultList problem={flow.draft.problem} />}
        {atVersion ? <VersionStep flow={flow} /> : <PreviewStep flow={flow} />}
        {flow.busy && (
          <div role="status">
            <LinearProgress />
            <Typography variant="body2">
              {text(flow.busy === 'previewing' ? 'start.previewing' : 'start.starting')}
            </Typography>
          </div>
        )}
      </DialogContent>
      <Buttons flow={flow} onClose={onClose} />
    </Dialog>
  );
}

function Buttons({ flow, onClose }: { flow: StartRelease; onClose: () => void }) {
  const { text } = useTexts();
  const { draft, busy, change, preview, start, template } = flow;
  const plan = draft.preview?.plan;
  const refused = draft.preview?.findings.some(({ severity }) => severity === 'error');
  const count = plan?.targets.filter(({ unchanged }) => !unchanged).length ?? 0;
  if (draft.step === 'version') {
    return (
      <DialogActions>
        <Button onClick={onClose}>{text('dialog.close')}</Button>
        <Button
          variant="contained"
          color="primary"
          disabled={busy !== undefined || draft.version.trim() === '' || !template}
          onClick={preview}
        >
          {text('start.preview')}
        </Button>
      </DialogActions>
    );
  }
  return (
    <DialogActions>
      <Button onClick={onClose}>{text('dialog.close')}</Button>
      <Button onClick={() => change({ step: 'version', planMoved: false, problem: undefined })}>
        {text('dialog.back')}
      </Button>
      <Button
        variant="contained"
        color="primary"
        disabled={busy !== undefined || refused || !plan}
        onClick={start}
      >
        {plan && !refused
          ? text('start.start', { version: plan.targetVersion, count })
          : text('start.startRefused', { version: draft.version })}
      </Button>
    </DialogActions>
  );
}
