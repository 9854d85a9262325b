import { useState } from 'react';
import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { MeasurementView, MetricRule } from 'backstage-plugin-multicluster-release-common';
import { useNow, useTexts } from '../../hooks';
import { limitWords, readingWords } from '../../text';
import { quietColor, ReadingWord } from '../ReleaseStatus';
import type { Span } from './chart';
import { ReadingChart } from './ReadingChart';
import type { Series } from './series';

const useStyles = makeStyles(theme => ({
  card: { padding: theme.spacing(1.5, 2), minWidth: 0, overflowWrap: 'anywhere' },
  // Room for the longest line of a reading, so that nothing below moves from one to the next.
  reading: { minHeight: '3em', margin: theme.spacing(0.5, 0) },
  caption: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 2),
    color: quietColor(theme),
    ...theme.typography.caption,
  },
  quiet: { color: quietColor(theme), ...theme.typography.caption },
  summary: { cursor: 'pointer' },
  query: { margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
}));

interface ClusterReadingsProps {
  series: Series;
  rule: MetricRule;
  /** Undefined where nothing was read on any cluster. */
  span: Span | undefined;
  gapMilliseconds: number;
}

/** What was read on one cluster: the last value, the line, and the query. */
export function ClusterReadings({ series, rule, span, gapMilliseconds }: ClusterReadingsProps) {
  const { target, readings } = series;
  const texts = useTexts();
  const classes = useStyles();
  const now = useNow(60_000);
  const [lookedAt, setLookedAt] = useState<number>();
  const found = readings.findIndex(({ id }) => id === lookedAt);
  const shown = found === -1 ? readings.length - 1 : found;
  const reading: MeasurementView | undefined = readings[shown];
  const label = texts.text('metrics.chart', { metric: rule.name, cluster: target.cluster });
  return (
    <Paper component="li" variant="outlined" className={classes.card}>
      <Typography variant="body2" component="div">
        {target.cluster} <span className={classes.quiet}>{target.namespace}</span>
      </Typography>
      <Typography variant="body2" component="div" className={classes.reading}>
        <ReadingWord result={reading?.result} />{' '}
        {reading && readingWords(reading, rule, texts, now)}
        {reading?.message && (
          // The server's words, which are English in every language of the page.
          <div lang="en">{reading.message}</div>
        )}
      </Typography>
      {reading && span && (
        <>
          <ReadingChart
            readings={readings}
            rule={rule}
            label={label}
            words={`${texts.text(`reading.${reading.result}`)}${texts.text(
              'sentence.separator',
            )}${readingWords(reading, rule, texts, now)}`}
            shown={shown}
            onShow={index => setLookedAt(index === undefined ? undefined : readings[index]?.id)}
            span={span}
            gapMilliseconds={gapMilliseconds}
          />
          <div className={classes.caption}>
            <span>
              {texts.text('metrics.span', {
                from: texts.clock(span.from, now),
                to: texts.clock(span.to, now),
              })}
            </span>
            <span>{texts.text('metrics.limitLine', { limit: limitWords(rule, texts) })}</span>
          </div>
          <Query reading={reading} />
        </>
      )}
    </Paper>
  );
}

function Query({ reading }: { reading: MeasurementView }) {
  const { text } = useTexts();
  const classes = useStyles();
  return (
    <details>
      <summary className={`${classes.summary} ${classes.quiet}`}>{text('metrics.query')}</summary>
      {[reading.query, reading.baselineQuery ?? []].flat().map((query, index) => (
        <Typography key={index} component="pre" variant="caption" className={classes.query}>
          <code>{query}</code>
        </Typography>
      ))}
    </details>
  );
}
