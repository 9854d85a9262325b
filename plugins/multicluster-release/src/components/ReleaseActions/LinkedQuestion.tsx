import { Button } from '../Button';
import { useNow, useTexts, type ReleaseDetails } from '../../hooks';
import { actionReason, approvalWords, type Texts } from '../../text';
import { Notice } from '../Notices';

interface LinkedQuestionProps {
  gate: string;
  details: ReleaseDetails;
  onClose?: () => void;
}

/** A link led to a question that this viewer cannot answer now: what became of it, or why not. */
export function LinkedQuestion({ gate, details, onClose }: LinkedQuestionProps) {
  const texts = useTexts();
  const now = useNow(60_000);
  return (
    <Notice
      status="pending"
      role="status"
      action={onClose && <Button onClick={onClose}>{texts.text('dialog.close')}</Button>}
    >
      {linkedWords(gate, details, texts, now).map(words => (
        <div key={words}>{words}</div>
      ))}
    </Notice>
  );
}

function linkedWords(
  gate: string,
  { release, stages }: ReleaseDetails,
  texts: Texts,
  now: number,
): string[] {
  const { text } = texts;
  const approval = stages
    .flatMap(({ approvals = [] }) => approvals)
    .find(each => each.gate === gate);
  if (!approval) {
    return [text('approval.unknown')];
  }
  const words = approvalWords(approval, texts, now);
  if (approval.passedAt !== undefined || approval.skipped) {
    return [text('approval.decided'), ...words];
  }
  const reason = actionReason(release.actions.approve, release, texts);
  return [text('approval.cannot', { reason }), ...words];
}
