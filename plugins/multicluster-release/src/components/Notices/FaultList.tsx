import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { Problem } from '../../api';
import { useTexts } from '../../hooks';
import { plainFault } from '../../text';
import { Notice } from './Notice';

const useStyles = makeStyles(theme => ({
  list: { margin: 0, paddingLeft: theme.spacing(2.5), overflowWrap: 'anywhere' },
}));

/** Why a start was refused: every fault, with its place. */
export function FaultList({ problem }: { problem: Problem }) {
  const { text } = useTexts();
  const classes = useStyles();
  const { faults, message } = problem;
  const shown = faults.length > 0 ? faults : [{ message }];
  return (
    <Notice status="failed" role="alert">
      {faults.length > 0 && <strong>{text('start.refused', { count: shown.length })}</strong>}
      <ul className={classes.list}>
        {shown.map(fault => (
          <li key={`${fault.path}:${fault.message}`}>
            {fault.path && (
              <Typography component="code" variant="body2">
                {fault.path}
                {': '}
              </Typography>
            )}
            {fault.path ? plainFault(fault.message) : fault.message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
