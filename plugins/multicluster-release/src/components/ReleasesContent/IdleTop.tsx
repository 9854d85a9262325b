import type { ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import type { ServiceSummary } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { idleSentence } from '../../text';
import { WaitingSentence } from '../WaitingSentence';

/** The top of the page of a service that has never been released. */
export function IdleTop({
  summary,
  startButton,
}: {
  summary: ServiceSummary;
  startButton: ReactNode;
}) {
  const texts = useTexts();
  return (
    <>
      <WaitingSentence
        status="pending"
        sentence={{ main: idleSentence(summary, texts), also: [], more: 0 }}
      />
      <Typography gutterBottom>{texts.text('state.empty')}</Typography>
      {startButton}
    </>
  );
}
