import { useEffect, useRef, useState } from 'react';
import { makeStyles } from '@material-ui/core/styles';

/** Readers are not interrupted more often than this. */
const GAP_MILLISECONDS = 10_000;

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clip: 'rect(0 0 0 0)',
    whiteSpace: 'nowrap',
  },
});

/** Tells screen readers that the release has another state; nothing else on the page is live. */
export function LiveAnnouncer({ message, urgent }: { message: string; urgent: boolean }) {
  const classes = useStyles();
  const [said, setSaid] = useState('');
  const lastAt = useRef(Date.now());
  const known = useRef(message);
  useEffect(() => {
    // What the page opened with is read with the page.
    if (known.current === message) {
      return undefined;
    }
    const wait = urgent ? 0 : Math.max(0, lastAt.current + GAP_MILLISECONDS - Date.now());
    const timer = setTimeout(() => {
      lastAt.current = Date.now();
      known.current = message;
      setSaid(message);
    }, wait);
    return () => clearTimeout(timer);
  }, [message, urgent]);
  return (
    <div className={classes.root} aria-live={urgent ? 'assertive' : 'polite'}>
      {said}
    </div>
  );
}
