import Typography from '@material-ui/core/Typography';
import { makeStyles, useTheme } from '@material-ui/core/styles';
import type { StatusKey } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import type { Sentence } from '../../text';
import { quietColor, statusColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  root: {
    margin: theme.spacing(2, 0),
    padding: theme.spacing(0.5, 0, 0.5, 2),
    borderLeft: '4px solid',
    overflowWrap: 'anywhere',
  },
  main: {
    margin: 0,
    color: theme.palette.text.primary,
    fontSize: '1.25rem',
    lineHeight: 1.4,
    fontWeight: 500,
  },
  also: { margin: theme.spacing(0.5, 0, 0), color: quietColor(theme) },
}));

/** State – why – since – what ends it – who can act. */
export function WaitingSentence(props: {
  sentence: Sentence;
  status: StatusKey;
  /** Why it came to this, in the server's words. */
  why?: string;
  /** What is otherwise by now than an ended release left it. */
  sinceThen?: string;
}) {
  const { main, also, more } = props.sentence;
  const { text } = useTexts();
  const classes = useStyles();
  const theme = useTheme();
  return (
    <div className={classes.root} style={{ borderColor: statusColor(props.status, theme) }}>
      <Typography component="h2" variant="h5" className={classes.main}>
        {main}
      </Typography>
      {props.why && (
        <Typography variant="body2" className={classes.also}>
          {text('sentence.why')} <span lang="en">{props.why}</span>
        </Typography>
      )}
      {props.sinceThen && (
        <Typography variant="body2" className={classes.also}>
          {props.sinceThen}
        </Typography>
      )}
      {also.map(cause => (
        <Typography key={cause} variant="body2" className={classes.also}>
          {text('sentence.also')} {cause}
        </Typography>
      ))}
      {more > 0 && (
        <Typography variant="body2" className={classes.also}>
          {text('sentence.more', { count: more })}
        </Typography>
      )}
    </div>
  );
}
