import Dialog from '@material-ui/core/Dialog';
import DialogContent from '@material-ui/core/DialogContent';
import { useReleaseDetails, useTexts } from '../../hooks';
import { LoadingSkeleton, ProblemPanel } from '../Notices';
import { RollbackDialog, useSendAction } from '../ReleaseActions';

/** Hints are heard by the page; this dialog lives shortly. */
const NO_HINTS = { hint: undefined, live: false };

/** The rollback dialog of a release that is not the one on the page. */
export function RollbackOfRelease(props: {
  releaseId: string;
  toVersion?: string;
  onDone: (releaseId: string) => Promise<void>;
  onClose: () => void;
}) {
  const { releaseId, toVersion, onDone, onClose } = props;
  const { text } = useTexts();
  const details = useReleaseDetails(releaseId, NO_HINTS);
  const label = text('action.rollbackPlain');
  const { send } = useSendAction({ releaseId, onDone });
  if (details.value) {
    return (
      <RollbackDialog
        details={details.value}
        toVersion={toVersion}
        onSend={send}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onClose={onClose} aria-label={label}>
      <DialogContent>
        {details.error === undefined ? (
          <LoadingSkeleton heights={[120]} />
        ) : (
          <ProblemPanel error={details.error} onRetry={details.refresh} />
        )}
      </DialogContent>
    </Dialog>
  );
}
