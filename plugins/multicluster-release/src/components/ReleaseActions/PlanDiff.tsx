import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useApi } from '@backstage/frontend-plugin-api';
import { describeProblem, multiclusterReleaseApiRef } from '../../api';
import { usePolled, useTexts } from '../../hooks';
import { Button } from '../Button';
import { DiffView } from '../DiffView';
import { LoadingSkeleton, Notice } from '../Notices';

/** A plan never changes; only its visible clusters may. */
const INTERVAL_MILLISECONDS = 60_000;

const useStyles = makeStyles(theme => ({
  root: { marginTop: theme.spacing(2) },
}));

interface PlanDiffProps {
  /** Entity reference. */
  service: string;
  planHash: string;
}

/** What a plan changes, for whoever has to answer for it; where that cannot be shown it says so. */
export function PlanDiff({ service, planHash }: PlanDiffProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const classes = useStyles();
  const diff = usePolled({
    subject: planHash,
    load: () => api.getPlanDiff(service, planHash),
    interval: () => INTERVAL_MILLISECONDS,
  });
  return (
    <section className={classes.root} aria-label={text('start.diff')}>
      <Typography variant="subtitle1" component="h3" gutterBottom>
        {text('start.diff')}
      </Typography>
      {diff.loading && <LoadingSkeleton heights={[80]} />}
      {diff.value && <DiffView diff={diff.value} />}
      {!diff.value && diff.error !== undefined && (
        <Notice
          status="waiting"
          role="alert"
          action={<Button onClick={diff.refresh}>{text('state.retry')}</Button>}
        >
          {text('dialog.noDiff')} <span lang="en">{describeProblem(diff.error).message}</span>
        </Notice>
      )}
    </section>
  );
}
