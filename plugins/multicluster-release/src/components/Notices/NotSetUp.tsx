import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { Button } from '../Button';
import { useTexts } from '../../hooks';

export const LOCATION_ANNOTATION = 'multicluster-release.io/location';

const EXAMPLE = `metadata:
  annotations:
    ${LOCATION_ANNOTATION}: ./multicluster-release.yaml`;

const useStyles = makeStyles(theme => ({
  code: {
    padding: theme.spacing(2),
    backgroundColor: theme.palette.action.hover,
    borderRadius: theme.shape.borderRadius,
    overflowX: 'auto',
  },
}));

/** What is missing before a service can be released, ready to copy. */
export function NotSetUp() {
  const { text } = useTexts();
  const classes = useStyles();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(EXAMPLE);
    setCopied(true);
  };
  return (
    <section>
      <Typography component="h2" variant="h5" gutterBottom>
        {text('state.notSetUp')}
      </Typography>
      <Typography>{text('state.notSetUpText')}</Typography>
      {/* Wide code scrolls by itself, so it has to be reachable by key. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.code} tabIndex={0}>
        {EXAMPLE}
      </pre>
      <Button variant="outlined" onClick={copy}>
        {text('state.copy')}
      </Button>{' '}
      <span role="status">{copied ? text('state.copied') : ''}</span>
    </section>
  );
}
