import Link from '@material-ui/core/Link';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { shortId } from '../../text';

interface RollbackTraceProps {
  release: ReleaseView;
  /** Releases that are known by more than their id. */
  releases: ReleaseView[];
  onOpen: (releaseId: string) => void;
}

/** Which release this one sends back, and which has sent it back; each can be opened. */
export function RollbackTrace({ release, ...others }: RollbackTraceProps) {
  const { rolledBackFrom, rolledBackBy } = release;
  return (
    <>
      {rolledBackFrom && <Trace text="header.rolledBackFrom" id={rolledBackFrom} {...others} />}
      {rolledBackBy && <Trace text="header.rolledBackBy" id={rolledBackBy} {...others} />}
    </>
  );
}

function Trace(props: {
  text: 'header.rolledBackFrom' | 'header.rolledBackBy';
  id: string;
  releases: ReleaseView[];
  onOpen: (releaseId: string) => void;
}) {
  const { id, releases, onOpen } = props;
  const texts = useTexts();
  const now = useNow(60_000);
  const known = releases.find(release => release.id === id);
  const name = known
    ? texts.text('header.namedRelease', {
        version: known.targetVersion,
        time: texts.time(known.createdAt, now),
      })
    : texts.text('header.unnamedRelease', { id: shortId(id) });
  return (
    <div>
      <Link component="button" variant="inherit" align="left" title={id} onClick={() => onOpen(id)}>
        {texts.text(props.text, { release: name })}
      </Link>
    </div>
  );
}
