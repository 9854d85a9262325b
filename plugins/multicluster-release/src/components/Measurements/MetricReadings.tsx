import { useMemo, useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { MeasurementView, MetricRule } from 'backstage-plugin-multicluster-release-common';
import { useSteadyOrder, useTexts, type MetricGate } from '../../hooks';
import { ruleWords } from '../../text';
import { Button } from '../Button';
import { quietColor } from '../ReleaseStatus';
import { spanOf } from './chart';
import { ClusterReadings } from './ClusterReadings';
import { MarkLegend, RESULTS } from './ReadingChart';
import { ReadingsTable } from './ReadingsTable';
import { seriesOf } from './series';

/** More clusters than these are shown on request. */
const MOST_CLUSTERS = 6;
/** Readings that are missing in a row make a gap; the engine and the query take their time, too. */
const GAP_READINGS = 3;
const GAP_SLACK_MILLISECONDS = 15_000;

const useStyles = makeStyles(theme => ({
  root: { marginTop: theme.spacing(2) },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(0.5, 2) },
  name: { margin: 0, overflowWrap: 'anywhere' },
  rule: { color: quietColor(theme), overflowWrap: 'anywhere', marginBottom: theme.spacing(1) },
  cards: {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gap: theme.spacing(1),
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
  },
}));

interface MetricReadingsProps {
  gate: MetricGate;
  rule: MetricRule;
  /** Of the gate, oldest first. */
  readings: MeasurementView[];
  timeScale: number;
}

/** One measurement of a gate: what it asks for, and what was read on each cluster. */
export function MetricReadings({ gate, rule, readings, timeScale }: MetricReadingsProps) {
  const texts = useTexts();
  const { text } = texts;
  const classes = useStyles();
  const [asTable, setAsTable] = useState(false);
  const own = useMemo(
    () => readings.filter(({ metric }) => metric === rule.name),
    [readings, rule.name],
  );
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <Typography component="h5" variant="subtitle2" className={classes.name}>
          {rule.name}
        </Typography>
        {own.length > 0 && (
          <Button
            size="small"
            aria-label={`${text(asTable ? 'metrics.asCharts' : 'metrics.asTable')}: ${rule.name}`}
            onClick={() => setAsTable(!asTable)}
          >
            {text(asTable ? 'metrics.asCharts' : 'metrics.asTable')}
          </Button>
        )}
      </div>
      <Typography variant="body2" className={classes.rule}>
        {ruleWords(rule, gate.pauseMilliseconds, texts)}
      </Typography>
      {asTable ? (
        <ReadingsTable rule={rule} readings={own} />
      ) : (
        <Charts gate={gate} rule={rule} readings={own} timeScale={timeScale} />
      )}
    </div>
  );
}

function Charts({ gate, rule, readings, timeScale }: MetricReadingsProps) {
  const { text } = useTexts();
  const classes = useStyles();
  const [all, setAll] = useState(false);
  const series = useMemo(() => seriesOf(gate, rule, readings), [gate, rule, readings]);
  const { order, moved, apply, holders } = useSteadyOrder(series.map(({ key }) => key));
  const byKey = new Map(series.map(each => [each.key, each]));
  const shown = (all ? order : order.slice(0, MOST_CLUSTERS)).flatMap(key => byKey.get(key) ?? []);
  const span = spanOf(readings);
  const gapMilliseconds =
    GAP_READINGS * rule.intervalMilliseconds * timeScale + GAP_SLACK_MILLISECONDS;
  const seen = new Set(readings.map(({ result }) => result));
  return (
    <>
      {moved > 0 && (
        <Button size="small" variant="outlined" onClick={apply}>
          {text('lanes.applyOrder', { count: moved })}
        </Button>
      )}
      <ul
        className={classes.cards}
        aria-label={text('metrics.tableLabel', { metric: rule.name })}
        {...holders}
      >
        {shown.map(each => (
          <ClusterReadings
            key={each.key}
            series={each}
            rule={rule}
            span={span}
            gapMilliseconds={gapMilliseconds}
          />
        ))}
      </ul>
      {order.length > MOST_CLUSTERS && (
        <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? text('metrics.showWorst', { shown: MOST_CLUSTERS })
            : text('metrics.showAll', { total: order.length })}
        </Button>
      )}
      {seen.size > 0 && <MarkLegend results={RESULTS.filter(result => seen.has(result))} />}
    </>
  );
}
