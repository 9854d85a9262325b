import Link from '@material-ui/core/Link';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { strategyWord, versionsWord } from '../../text';
import { Notice } from '../Notices';

/** Whoever reads a release that has ended is told which newer one is under way. */
export function NewerRuns(props: { newer: ReleaseView; onOpen: (releaseId: string) => void }) {
  const { newer, onOpen } = props;
  const texts = useTexts();
  const release = `${versionsWord(newer, texts)} · ${strategyWord(newer, texts)}`;
  return (
    <Notice status="running" role="status">
      {texts.text('state.newerRuns')}{' '}
      <Link component="button" variant="inherit" align="left" onClick={() => onOpen(newer.id)}>
        {release}
      </Link>
    </Notice>
  );
}
