import type { ApprovalView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { approvalWords } from '../../text';

/** How many have approved, who, and who may. */
export function ApprovalFact({ approval }: { approval: ApprovalView }) {
  const texts = useTexts();
  const now = useNow(60_000);
  return (
    <>
      {approvalWords(approval, texts, now).map(words => (
        <div key={words}>{words}</div>
      ))}
    </>
  );
}
