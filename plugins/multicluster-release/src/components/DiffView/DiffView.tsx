import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import {
  targetKey,
  type DiffClass,
  type ObjectChange,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { firstNames } from '../../text';
import { ObjectDiff } from './ObjectDiff';
import { quietColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  class: { padding: theme.spacing(1.5, 2), marginBottom: theme.spacing(1) },
  quiet: { color: quietColor(theme), overflowWrap: 'anywhere' },
}));

/** What changes on the clusters; clusters whose change is the same stand together. */
export function DiffView({ diff }: { diff: DiffClass[] }) {
  const { text } = useTexts();
  if (diff.length === 0) {
    return <Typography variant="body2">{text('diff.none')}</Typography>;
  }
  return (
    <>
      {diff.map(({ targets, changes }) => (
        <DiffOfClass key={targets.map(targetKey).join()} targets={targets} changes={changes} />
      ))}
    </>
  );
}

function DiffOfClass({ targets, changes }: DiffClass) {
  const { text } = useTexts();
  const classes = useStyles();
  const names = targets.map(({ cluster, namespace }) => `${cluster}/${namespace}`);
  const told = changes.filter(
    ({ change, notFullyChecked }) => change !== 'unchanged' || notFullyChecked,
  );
  return (
    <Paper variant="outlined" className={classes.class}>
      <Typography variant="subtitle2" component="h4">
        {text('diff.same', { count: targets.length })}
      </Typography>
      <Typography variant="body2" className={classes.quiet}>
        {firstNames(names)}
      </Typography>
      <Typography variant="body2" gutterBottom>
        {text('diff.summary', countChanges(changes))}
      </Typography>
      {told.map(change => (
        <ObjectDiff key={objectName(change)} change={change} />
      ))}
    </Paper>
  );
}

function objectName({ apiVersion, kind, namespace, name }: ObjectChange): string {
  return [apiVersion, kind, namespace, name].join('/');
}

function countChanges(changes: ObjectChange[]): Record<string, number> {
  const counts = { created: 0, configured: 0, deleted: 0, unchanged: 0, replaceNeeded: 0 };
  for (const { change } of changes) {
    counts[change] += 1;
  }
  // What must be replaced is changed, too; its own row says how.
  return { ...counts, configured: counts.configured + counts.replaceNeeded };
}
