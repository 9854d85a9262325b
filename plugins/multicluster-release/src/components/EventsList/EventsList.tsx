import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { EventView } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useTexts, type Polled } from '../../hooks';
import { entityName, plainWords } from '../../text';
import { Section } from '../DataTable';
import { Moment } from '../Moment';
import { ProblemPanel } from '../Notices';
import { quietColor } from '../ReleaseStatus';

const PAGE_SIZE = 20;

const useStyles = makeStyles(theme => ({
  list: { listStyle: 'none', margin: 0, padding: 0 },
  event: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 10em) minmax(0, 1fr)',
    gap: theme.spacing(0, 2),
    padding: theme.spacing(0.5, 0),
    ...theme.typography.body2,
    overflowWrap: 'anywhere',
  },
  quiet: { color: quietColor(theme) },
}));

/** What happened in a release, newest first: people and system in one stream. */
export function EventsList({ events }: { events: Polled<EventView[]> }) {
  const { text } = useTexts();
  const classes = useStyles();
  const [pages, setPages] = useState(1);
  const newestFirst = [...(events.value ?? [])].reverse();
  const shown = newestFirst.slice(0, pages * PAGE_SIZE);
  return (
    <Section title={text('events.title')}>
      {events.error !== undefined && !events.value && (
        <ProblemPanel error={events.error} onRetry={events.refresh} />
      )}
      {events.value?.length === 0 && <Typography variant="body2">{text('events.none')}</Typography>}
      <ol className={classes.list}>
        {shown.map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ol>
      {shown.length < newestFirst.length && (
        <Button size="small" onClick={() => setPages(pages + 1)}>
          {text('events.more')}
        </Button>
      )}
    </Section>
  );
}

function EventLine({ event }: { event: EventView }) {
  const { text } = useTexts();
  const classes = useStyles();
  const message = plainWords(event.message);
  const name = entityName(event.actor);
  const actor = event.actor === 'system' ? text('events.system') : name;
  // Who acted often is the first word already.
  const named = message.startsWith(`${name} `);
  return (
    <li className={classes.event}>
      <Moment at={event.at} seconds />
      <span>
        {/* The server's words, which are English in every language of the page. */}
        <span lang="en">{message}</span>
        {!named && <span className={classes.quiet}> – {actor}</span>}
        {event.reason && !message.includes(plainWords(event.reason)) && (
          <span className={classes.quiet}>
            {' '}
            – {text('events.reason', { reason: plainWords(event.reason) })}
          </span>
        )}
      </span>
    </li>
  );
}
