import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import {
  targetKey,
  type TargetState,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { leftThere, releasedVersion, waitingReason, type Texts } from '../../text';
import { Age } from '../Moment';
import { quietColor, TargetStateWord } from '../ReleaseStatus';
import type { Axis } from './axis';
import { PhaseBars } from './PhaseBars';

const useStyles = makeStyles(theme => ({
  quiet: { color: quietColor(theme), ...theme.typography.caption },
  message: { overflowWrap: 'anywhere' },
  versions: { whiteSpace: 'nowrap' },
  card: { padding: theme.spacing(1.5, 2), marginBottom: theme.spacing(1) },
  cardHead: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 1),
    marginBottom: theme.spacing(1),
  },
}));

export interface LaneProps {
  target: TargetView;
  /** What a cluster leaves that goes back; undefined: what its `from` says. */
  leaves: string | undefined;
  axis: Axis | undefined;
  now: number;
  showNow: boolean;
}

/** One cluster as a row. */
export function LaneRow(props: LaneProps) {
  const { target } = props;
  return (
    <tr id={laneId(target)}>
      <th scope="row">
        <Where target={target} />
      </th>
      <td>
        <Versions {...props} />
      </td>
      <td>
        <PhaseBars phases={target.phases} {...props} />
      </td>
      <td>
        <TargetStateWord state={target.state} />
      </td>
      <td>
        <LastMessage {...props} />
      </td>
    </tr>
  );
}

/** One cluster as a card, for narrow screens. */
export function LaneCard(props: LaneProps) {
  const { target } = props;
  const classes = useStyles();
  return (
    <Paper component="li" variant="outlined" className={classes.card} id={laneId(target)}>
      <div className={classes.cardHead}>
        <Where target={target} />
        <TargetStateWord state={target.state} />
      </div>
      <Versions {...props} />
      <PhaseBars phases={target.phases} {...props} />
      <LastMessage {...props} />
    </Paper>
  );
}

function laneId(target: TargetView): string {
  return `lane-${targetKey(target).replace('/', '-')}`;
}

/** Namespace and region keep clusters of the same name apart. */
function Where({ target }: { target: TargetView }) {
  const classes = useStyles();
  const place = [target.namespace, target.region].filter(Boolean).join(' · ');
  return (
    <div>
      <Typography variant="body2" component="div">
        {target.cluster}
      </Typography>
      <div className={classes.quiet}>{place}</div>
    </div>
  );
}

/** In these states it has what it had before the release, or what was put back. */
const WITHOUT_WAY: readonly TargetState[] = ['Unchanged', 'RolledBack'];

/** In these states its way leads back: `from` is what it had before the release. */
const ON_WAY_BACK: readonly TargetState[] = ['RollingBack', 'RollbackPending'];

function Versions({ target, leaves }: Pick<LaneProps, 'target' | 'leaves'>) {
  const { text } = useTexts();
  const classes = useStyles();
  const { from, to, state } = target;
  const nothing = text('versions.nothingReleased');
  const isGoingBack = ON_WAY_BACK.includes(state);
  const before = (isGoingBack ? leaves : undefined) ?? releasedVersion(from?.version) ?? nothing;
  const after =
    to === undefined ? text('versions.nothing') : releasedVersion(to.version) ?? nothing;
  const isLeft = WITHOUT_WAY.includes(state);
  const left = leftThere(target);
  const arriving = isGoingBack && leaves !== undefined ? to?.configVersion : templateWord(target);
  const template = isLeft ? left?.configVersion : arriving;
  return (
    <div>
      <span className={classes.versions}>
        {isLeft ? left?.version ?? nothing : `${before} → ${after}`}
      </span>
      {template && (
        <div className={classes.quiet}>{text('versions.template', { version: template })}</div>
      )}
    </div>
  );
}

/** The template counts apart from the version, and may change where that does not, and the other way round. */
function templateWord({ from, to }: TargetView): string | undefined {
  const before = from?.configVersion;
  const after = to?.configVersion;
  return before && after && before !== after ? `${before} → ${after}` : after;
}

function LastMessage({ target, now }: LaneProps) {
  const texts = useTexts();
  const classes = useStyles();
  const message = laneMessage(target, texts, now);
  return (
    <div className={classes.message}>
      {message && <Typography variant="body2">{message}</Typography>}
      <div className={classes.quiet}>
        {target.reportedAt === undefined ? (
          texts.text('lanes.notReported')
        ) : (
          <>
            {texts.text('lanes.report')} <Age at={target.reportedAt} />
          </>
        )}
      </div>
    </div>
  );
}

/** Why it waits says more than its last message, and that more than its count of pods. */
function laneMessage(target: TargetView, texts: Texts, now: number): string | undefined {
  if (target.waiting) {
    return waitingReason(target.waiting, texts, now);
  }
  const { ready, total, message } = target.health;
  // No pods of none says only that nothing is known of them yet.
  const pods = ready !== undefined && total !== undefined && total > 0;
  return (
    target.message ??
    message ??
    (pods ? texts.text('lanes.pods', { ready, count: total }) : undefined)
  );
}
