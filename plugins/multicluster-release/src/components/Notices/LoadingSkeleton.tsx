import Paper from '@material-ui/core/Paper';
import { makeStyles } from '@material-ui/core/styles';
import { useTexts } from '../../hooks';

const useStyles = makeStyles(theme => ({
  block: { backgroundColor: theme.palette.action.hover, marginBottom: theme.spacing(2) },
}));

/** The outline of what will stand here; only while there is nothing yet. */
export function LoadingSkeleton({ heights }: { heights: number[] }) {
  const { text } = useTexts();
  const classes = useStyles();
  return (
    <div role="status" aria-busy="true" aria-label={text('state.loading')}>
      {heights.map((height, position) => (
        <Paper
          key={`${position}:${height}`}
          variant="outlined"
          className={classes.block}
          style={{ height }}
        />
      ))}
    </div>
  );
}
