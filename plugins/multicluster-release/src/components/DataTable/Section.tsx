import { useId, type ReactNode } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(theme => ({
  root: { marginTop: theme.spacing(3) },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 2),
    marginBottom: theme.spacing(1),
  },
  title: { fontSize: theme.typography.h6.fontSize, margin: 0 },
  beside: { marginLeft: 'auto' },
}));

/** A part of the page under a heading of level 3; the waiting sentence is the only level 2. */
export function Section(props: { title: string; beside?: ReactNode; children: ReactNode }) {
  const classes = useStyles();
  const id = useId();
  return (
    <section className={classes.root} aria-labelledby={id}>
      <div className={classes.head}>
        <Typography id={id} component="h3" variant="h6" className={classes.title}>
          {props.title}
        </Typography>
        {props.beside && <div className={classes.beside}>{props.beside}</div>}
      </div>
      {props.children}
    </section>
  );
}
