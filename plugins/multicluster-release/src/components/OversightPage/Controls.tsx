import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useTexts } from '../../hooks';
import { Stops } from './Stops';
import { Windows } from './Windows';

const useStyles = makeStyles(theme => ({ section: { marginBottom: theme.spacing(4) } }));

/** What the platform's people order for the whole fleet: emergency stops and windows. */
export function Controls() {
  const classes = useStyles();
  const { text } = useTexts();
  return (
    <>
      <section className={classes.section} aria-label={text('page.stopsTab')}>
        <Typography variant="h6" component="h2" gutterBottom>
          {text('page.stopsTab')}
        </Typography>
        <Stops />
      </section>
      <section aria-label={text('page.windowsTab')}>
        <Typography variant="h6" component="h2" gutterBottom>
          {text('page.windowsTab')}
        </Typography>
        <Windows />
      </section>
    </>
  );
}
