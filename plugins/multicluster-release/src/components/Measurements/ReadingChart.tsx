import { useId, type KeyboardEvent, type PointerEvent } from 'react';
import { makeStyles, useTheme } from '@material-ui/core/styles';
import type {
  MeasurementView,
  MetricRule,
  ReadingResult,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { readingKey, statusColor } from '../ReleaseStatus';
import { chartOf, HEIGHT, markPath, nearestMark, WIDTH, type Chart, type Span } from './chart';

export const RESULTS: readonly ReadingResult[] = ['good', 'bad', 'noData', 'error'];

const useStyles = makeStyles(theme => ({
  root: {
    borderRadius: 3,
    backgroundColor: theme.palette.action.hover,
    '&:focus-visible': { outline: `2px solid ${theme.palette.text.primary}`, outlineOffset: 2 },
  },
  drawing: { display: 'block', width: '100%', height: 'auto' },
}));

interface ReadingChartProps {
  /** Oldest first; at least one. */
  readings: MeasurementView[];
  rule: MetricRule;
  /** What is measured where. */
  label: string;
  /** The reading that is looked at, in words. */
  words: string;
  /** Its index. */
  shown: number;
  onShow: (index: number | undefined) => void;
  span: Span;
  gapMilliseconds: number;
}

/**
 * The readings of one cluster as a line, with the limit. A pointer or the arrow
 * keys choose the reading that is told in words; readers hear it as they move.
 */
export function ReadingChart(props: ReadingChartProps) {
  const { readings, rule, label, words, shown, onShow, span, gapMilliseconds } = props;
  const classes = useStyles();
  const chart = chartOf(readings, rule.limit, span, gapMilliseconds);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, shown, readings.length);
    if (next !== undefined) {
      event.preventDefault();
      onShow(next);
    }
  };
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (width > 0) {
      onShow(nearestMark(chart.marks, ((clientX - left) / width) * WIDTH));
    }
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.root}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={readings.length}
      aria-valuenow={shown + 1}
      aria-valuetext={words}
      onKeyDown={onKeyDown}
      onBlur={() => onShow(undefined)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onShow(undefined)}
    >
      <Drawing chart={chart} rule={rule} shown={shown} className={classes.drawing} />
    </div>
  );
}

/** Undefined: the key means something else. */
function nextIndex(key: string, shown: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, shown - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(count - 1, shown + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function Drawing(props: { chart: Chart; rule: MetricRule; shown: number; className: string }) {
  const { chart, rule, shown, className } = props;
  const theme = useTheme();
  const hatchId = useId();
  const { line, marks, limitY } = chart;
  const limitColor = statusColor('failed', theme);
  const failing =
    'max' in rule.limit
      ? { y: 0, height: Math.max(0, limitY) }
      : { y: limitY, height: Math.max(0, HEIGHT - limitY) };
  return (
    <svg
      className={className}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
      fill="none"
      strokeWidth={1.5}
    >
      <pattern id={hatchId} width={6} height={6} patternUnits="userSpaceOnUse">
        <path d="M0 6L6 0" stroke={limitColor} strokeWidth={0.75} strokeOpacity={0.4} />
      </pattern>
      <rect x={0} width={WIDTH} {...failing} fill={`url(#${hatchId})`} />
      <path d={`M0 ${limitY}H${WIDTH}`} stroke={limitColor} strokeDasharray="6 4" />
      <path d={line} stroke={statusColor('running', theme)} />
      {RESULTS.map(result => (
        <Marks key={result} result={result} d={markPath(marks, result)} />
      ))}
      <circle cx={marks[shown]?.x} cy={marks[shown]?.y} r={7} stroke={theme.palette.text.primary} />
    </svg>
  );
}

function Marks({ result, d }: { result: ReadingResult; d: string }) {
  const theme = useTheme();
  const color = statusColor(readingKey(result), theme);
  const hollow = result === 'noData' || result === 'error';
  return d === '' ? null : <path d={d} stroke={color} fill={hollow ? undefined : color} />;
}

const useLegendStyles = makeStyles(theme => ({
  legend: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 2),
    listStyle: 'none',
    margin: theme.spacing(1, 0, 0),
    padding: 0,
    ...theme.typography.caption,
    '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.75) },
  },
}));

/** Which mark is what; only those that are drawn. */
export function MarkLegend({ results }: { results: ReadingResult[] }) {
  const { text } = useTexts();
  const classes = useLegendStyles();
  return (
    <ul className={classes.legend}>
      {results.map(result => (
        <li key={result}>
          <svg width={14} height={14} aria-hidden="true" focusable="false" fill="none">
            <Marks result={result} d={markPath([{ x: 7, y: 7, result }], result)} />
          </svg>
          {text(`reading.${result}`)}
        </li>
      ))}
    </ul>
  );
}
