import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { usePermission } from '@backstage/plugin-permission-react';
import { holdReleasePermission, type HoldView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { plainWords } from '../../text';
import { ConfirmDialog } from '../ConfirmDialog';
import { GuardedButton } from '../GuardedButton';
import { Notice } from '../Notices';

interface HoldNoticeProps {
  hold: HoldView;
  /** Whether why it is on hold is told already. */
  whyIsTold?: boolean;
  onRelease: (holdId: string) => Promise<void>;
}

/** A version that was rolled back does not come again by itself; a person may release it. */
export function HoldNotice({ hold, whyIsTold = false, onRelease }: HoldNoticeProps) {
  const texts = useTexts();
  const now = useNow(60_000);
  const time = texts.time(hold.since, now);
  const { version } = hold;
  return (
    <Notice
      status="paused"
      role="status"
      action={<ReleaseButton hold={hold} onRelease={onRelease} />}
    >
      {whyIsTold
        ? texts.text('hold.since', { version, time })
        : texts.text('hold.why', { version, time, reason: plainWords(hold.reason) })}
    </Notice>
  );
}

function ReleaseButton({ hold, onRelease }: HoldNoticeProps) {
  const texts = useTexts();
  const { text } = texts;
  const now = useNow(60_000);
  const [asking, setAsking] = useState(false);
  const permission = holdReleasePermission;
  const { allowed, loading } = usePermission({ permission, resourceRef: hold.service });
  const denied = !allowed && !loading;
  const { version, since, reason } = hold;
  return (
    <>
      <GuardedButton
        allowed={allowed}
        why={denied ? text('hold.denied', { permission: permission.name }) : undefined}
        onPress={() => setAsking(true)}
      >
        {text('hold.release')}
      </GuardedButton>
      {asking && (
        <ConfirmDialog
          title={text('hold.releaseTitle', { version })}
          confirm={text('hold.release')}
          onConfirm={() => onRelease(hold.id)}
          onClose={() => setAsking(false)}
        >
          <Typography gutterBottom>
            {text('hold.why', {
              version,
              time: texts.time(since, now),
              reason: plainWords(reason),
            })}
          </Typography>
          <Typography>{text('hold.releaseEffect', { version })}</Typography>
        </ConfirmDialog>
      )}
    </>
  );
}
