import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useApi } from '@backstage/frontend-plugin-api';
import type { WindowView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { useNow, usePolled, useTexts } from '../../hooks';
import { createFormats, entityName, type Texts } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { quietColor, ReleaseStatus } from '../ReleaseStatus';
import { FleetAnswer } from './FleetAnswer';

const INTERVAL_MILLISECONDS = 60_000;

const useStyles = makeStyles(theme => ({
  quiet: { color: quietColor(theme), ...theme.typography.caption, whiteSpace: 'normal' },
}));

/** The platform's release windows, and when each is on: in the viewer's zone and in its own. */
export function Windows() {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const windows = usePolled({
    subject: 'windows',
    load: () => api.listWindows(),
    interval: () => INTERVAL_MILLISECONDS,
  });
  return (
    <FleetAnswer answer={windows}>
      {items =>
        items.length === 0 ? (
          <Typography>{text('windows.none')}</Typography>
        ) : (
          <WindowTable items={items} />
        )
      }
    </FleetAnswer>
  );
}

function WindowTable({ items }: { items: WindowView[] }) {
  const texts = useTexts();
  const { text, list, duration } = texts;
  const columns: Column<WindowView>[] = [
    { header: text('windows.name'), render: ({ name }) => name },
    { header: text('windows.kind'), render: ({ kind }) => text(`windows.${kind}`) },
    {
      header: text('windows.when'),
      render: ({ cron, durationMilliseconds }) =>
        text('windows.whenValue', { cron, duration: duration(durationMilliseconds) }),
    },
    { header: text('windows.zone'), render: ({ timeZone }) => timeZone },
    { header: text('windows.next'), render: window => <Next window={window} /> },
    {
      header: text('windows.services'),
      render: ({ services }) =>
        services ? list(services.map(entityName)) : text('windows.allServices'),
    },
    { header: text('windows.by'), render: ({ by }) => entityName(by) },
    { header: text('windows.reason'), render: ({ reason }) => reason },
  ];
  return (
    <DataTable
      label={text('page.windowsTab')}
      columns={columns}
      rows={items}
      rowKey={({ id }) => id}
    />
  );
}

function Next({ window: { invalid, next, timeZone } }: { window: WindowView }) {
  const texts = useTexts();
  const classes = useStyles();
  const now = useNow(60_000);
  const { text, language } = texts;
  if (invalid !== undefined) {
    return (
      <>
        <ReleaseStatus status="failed" word={text('windows.unreadable')} />
        <div className={classes.quiet}>{text('windows.invalid', { message: invalid })}</div>
      </>
    );
  }
  if (!next) {
    return <>{text('windows.never')}</>;
  }
  return (
    <>
      {span(next, texts, now)}
      <div className={classes.quiet}>
        {text('windows.there', {
          span: span(next, { ...texts, ...createFormats(language, timeZone) }, now),
        })}
      </div>
    </>
  );
}

function span(
  { from, to }: NonNullable<WindowView['next']>,
  { text, time }: Texts,
  now: number,
): string {
  return to === undefined
    ? text('windows.nextWithoutEnd', { from: time(from, now) })
    : text('windows.nextValue', { from: time(from, now), to: time(to, now) });
}
