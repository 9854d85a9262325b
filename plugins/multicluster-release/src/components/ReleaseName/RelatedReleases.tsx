import Link from '@material-ui/core/Link';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { shortId, versionName, type Texts } from '../../text';
import { nextNewer } from './nextNewer';

interface RelatedReleasesProps {
  release: ReleaseView;
  /** Releases that are known by more than their id. */
  releases: ReleaseView[];
  onOpen: (releaseId: string) => void;
}

/**
 * Which release this one sends back, which has sent it back, which it waits for, and
 * which came next where it made room; each can be opened.
 */
export function RelatedReleases({ release, releases, onOpen }: RelatedReleasesProps) {
  const { rolledBackFrom, rolledBackBy, state, waiting } = release;
  const shared = { releases, onOpen };
  const ahead = waiting.find(({ code }) => code === 'queue')?.params.id;
  const newer = state === 'Superseded' ? nextNewer(release, releases) : undefined;
  return (
    <>
      {rolledBackFrom && <Trace text="header.rolledBackFrom" id={rolledBackFrom} {...shared} />}
      {rolledBackBy && <Trace text="header.rolledBackBy" id={rolledBackBy} {...shared} />}
      {typeof ahead === 'string' && <Trace text="header.behind" id={ahead} {...shared} />}
      {newer && <Trace text="header.newer" id={newer.id} {...shared} />}
    </>
  );
}

function Trace(props: {
  text: 'header.rolledBackFrom' | 'header.rolledBackBy' | 'header.behind' | 'header.newer';
  id: string;
  releases: ReleaseView[];
  onOpen: (releaseId: string) => void;
}) {
  const { id, releases, onOpen } = props;
  const texts = useTexts();
  const now = useNow(60_000);
  const known = releases.find(release => release.id === id);
  const name = known
    ? releaseName(known, texts, now)
    : texts.text('header.unnamedRelease', { id: shortId(id) });
  return (
    <div>
      <Link component="button" variant="inherit" align="left" title={id} onClick={() => onOpen(id)}>
        {texts.text(props.text, { release: name })}
      </Link>
    </div>
  );
}

function releaseName({ targetVersion, createdAt }: ReleaseView, texts: Texts, now: number): string {
  const time = texts.time(createdAt, now);
  return texts.text('header.namedRelease', { version: versionName(targetVersion, texts), time });
}
