import { useRef, useState } from 'react';
import { usePermission } from '@backstage/plugin-permission-react';
import { holdReleasePermission, type HoldView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { plainWords } from '../../text';
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
  const { text } = useTexts();
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const permission = holdReleasePermission;
  const { allowed, loading } = usePermission({ permission, resourceRef: hold.service });
  const denied = !allowed && !loading;
  const press = async () => {
    if (sending.current) {
      return;
    }
    sending.current = true;
    setBusy(true);
    try {
      await onRelease(hold.id);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return (
    <GuardedButton
      allowed={allowed && !busy}
      why={denied ? text('hold.denied', { permission: permission.name }) : undefined}
      onPress={press}
    >
      {text('hold.release')}
    </GuardedButton>
  );
}
