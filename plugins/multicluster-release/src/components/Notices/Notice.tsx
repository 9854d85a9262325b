import type { ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles, useTheme } from '@material-ui/core/styles';
import type { StatusKey } from 'backstage-plugin-multicluster-release-common';
import { statusColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 2),
    padding: theme.spacing(1, 2),
    marginBottom: theme.spacing(1),
    border: '1px solid',
    borderLeftWidth: 6,
    borderRadius: theme.shape.borderRadius,
    backgroundColor: theme.palette.background.paper,
  },
  text: { overflowWrap: 'anywhere', flex: '1 1 12em' },
}));

interface NoticeProps {
  status: StatusKey;
  children: ReactNode;
  action?: ReactNode;
  /** `alert` is said at once by screen readers: only for what stops a person. */
  role?: 'alert' | 'status';
}

/** A line that says something about the page as a whole. */
export function Notice({ status, children, action, role }: NoticeProps) {
  const classes = useStyles();
  const theme = useTheme();
  return (
    <div className={classes.root} style={{ borderColor: statusColor(status, theme) }} role={role}>
      <Typography variant="body2" component="div" className={classes.text}>
        {children}
      </Typography>
      {action}
    </div>
  );
}
