import { makeStyles, useTheme, type Theme } from '@material-ui/core/styles';
import type { PhaseView, StatusKey } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import type { Texts } from '../../text';
import { statusColor } from '../ReleaseStatus';
import { barsOf, type Axis } from './axis';

const useStyles = makeStyles(theme => ({
  track: {
    position: 'relative',
    height: 18,
    minWidth: 80,
    backgroundColor: theme.palette.action.hover,
    borderRadius: 3,
    overflow: 'hidden',
  },
  bar: { position: 'absolute', top: 2, bottom: 2, minWidth: 3, borderRadius: 2 },
  now: {
    position: 'absolute',
    top: 0,
    bottom: 0,
    right: 0,
    borderRight: `2px solid ${theme.palette.text.primary}`,
  },
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
  swatch: { width: 18, height: 10, borderRadius: 2, display: 'inline-block' },
  words: {
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clip: 'rect(0 0 0 0)',
    whiteSpace: 'nowrap',
  },
}));

type PhaseName = PhaseView['name'];

interface PhaseLook {
  status: StatusKey;
  /** A second mark beside the colour. */
  pattern: 'solid' | 'stripes' | 'bars' | 'outline';
}

const PHASE_LOOKS: Record<PhaseName, PhaseLook> = {
  check: { status: 'pending', pattern: 'outline' },
  apply: { status: 'running', pattern: 'solid' },
  ready: { status: 'running', pattern: 'stripes' },
  analyse: { status: 'waiting', pattern: 'bars' },
  remove: { status: 'pending', pattern: 'solid' },
  soak: { status: 'done', pattern: 'bars' },
  rollback: { status: 'rolledBack', pattern: 'stripes' },
};

function phaseStyle(name: PhaseName, theme: Theme) {
  const { status, pattern } = PHASE_LOOKS[name];
  const color = statusColor(status, theme);
  switch (pattern) {
    case 'stripes':
      return {
        background: `repeating-linear-gradient(135deg, ${color} 0 4px, transparent 4px 7px)`,
        boxShadow: `inset 0 0 0 1px ${color}`,
      };
    case 'bars':
      return {
        background: `repeating-linear-gradient(90deg, ${color} 0 2px, transparent 2px 5px)`,
        boxShadow: `inset 0 0 0 1px ${color}`,
      };
    case 'outline':
      return { boxShadow: `inset 0 0 0 2px ${color}` };
    default:
      return { background: color };
  }
}

/** What happened on one cluster when: bars on the axis that all lanes share, and the same in words. */
export function PhaseBars(props: {
  phases: PhaseView[];
  axis: Axis | undefined;
  now: number;
  showNow: boolean;
}) {
  const { phases, axis, now, showNow } = props;
  const classes = useStyles();
  const theme = useTheme();
  const words = phaseWords(phases, now, useTexts());
  return (
    <div>
      <div className={classes.track} aria-hidden="true" title={words}>
        {axis &&
          barsOf(phases, axis).map(({ name, left, width }) => (
            <span
              key={`${name}@${left}`}
              className={classes.bar}
              style={{ left: `${left}%`, width: `${width}%`, ...phaseStyle(name, theme) }}
            />
          ))}
        {showNow && <span className={classes.now} />}
      </div>
      <span className={classes.words}>{words}</span>
    </div>
  );
}

/** For example `Apply 2 s, Become ready for 40 s`. */
export function phaseWords(phases: PhaseView[], now: number, texts: Texts): string {
  const { text, duration } = texts;
  if (phases.length === 0) {
    return text('lanes.noPhases');
  }
  return phases
    .map(({ name, from, to }) =>
      text(to === undefined ? 'lanes.phaseRunning' : 'lanes.phaseDone', {
        phase: text(`phase.${name}`),
        duration: duration((to ?? now) - from),
      }),
    )
    .join(text('sentence.separator'));
}

/** Which bar is what; only those that are drawn. */
export function PhaseLegend({ names, showNow }: { names: PhaseName[]; showNow: boolean }) {
  const { text } = useTexts();
  const classes = useStyles();
  const theme = useTheme();
  return (
    <ul className={classes.legend}>
      {names.map(name => (
        <li key={name}>
          <span className={classes.swatch} style={phaseStyle(name, theme)} />
          {text(`phase.${name}`)}
        </li>
      ))}
      {showNow && (
        <li>
          <span style={{ borderRight: '2px solid', height: 12 }} />
          {text('lanes.now')}
        </li>
      )}
    </ul>
  );
}
