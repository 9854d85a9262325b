import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { targetKey, type TargetView } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { firstNames, versionName, type Texts } from '../../text';

const useStyles = makeStyles(theme => ({
  list: {
    margin: theme.spacing(0, 0, 1),
    paddingLeft: theme.spacing(3),
    maxHeight: '30vh',
    overflowY: 'auto',
    overflowWrap: 'anywhere',
  },
}));

interface WaysBackProps {
  /** Those that go back. */
  targets: TargetView[];
  /** Undefined: to what each ran before. */
  toVersion?: string;
}

/** Which clusters go back to which version, by the record of each. */
export function WaysBack({ targets, toVersion }: WaysBackProps) {
  const texts = useTexts();
  const classes = useStyles();
  const groups = new Map<string, string[]>();
  for (const target of targets) {
    const version = destination(target, toVersion, texts);
    groups.set(version, [...(groups.get(version) ?? []), targetKey(target)]);
  }
  return (
    <>
      <Typography>{texts.text('dialog.rollbackVersion')}</Typography>
      <Typography component="ul" variant="body2" className={classes.list}>
        {[...groups].map(([version, keys]) => (
          <li key={version}>
            <strong>{version}</strong>: {firstNames(keys)}
          </li>
        ))}
      </Typography>
    </>
  );
}

function destination(
  { from }: TargetView,
  toVersion: string | undefined,
  texts: Pick<Texts, 'text'>,
): string {
  const version = toVersion ?? from?.version;
  return version === undefined ? texts.text('dialog.rollbackNothing') : versionName(version, texts);
}
