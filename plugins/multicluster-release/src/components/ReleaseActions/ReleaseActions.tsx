import { useId, useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles, useTheme } from '@material-ui/core/styles';
import type { ActionName, ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useNarrow, useTexts, type MetricGate, type ReleaseDetails, type Toast } from '../../hooks';
import { actionReason, stageName, type Texts } from '../../text';
import { ACTIONS_ANCHOR } from '../ReleaseHeader';
import { actionItems, nextStage, type ActionItem } from './actionItems';
import { AnswerDialog } from './AnswerDialog';
import { FactsDialog } from './FactsDialog';
import { LinkedQuestion } from './LinkedQuestion';
import { MoreActions } from './MoreActions';
import { RollbackDialog } from './RollbackDialog';
import { useBarMessage } from './useBarMessage';
import { useSendAction, type SendAction } from './useSendAction';
import { quietColor, statusColor } from '../ReleaseStatus';

/** On narrow screens Backstage has its own navigation at the bottom. */
const HOST_BAR_HEIGHT = 56;

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.5),
    alignItems: 'flex-start',
    minWidth: 0,
    [theme.breakpoints.down('xs')]: {
      position: 'fixed',
      bottom: HOST_BAR_HEIGHT,
      left: 0,
      right: 0,
      zIndex: theme.zIndex.appBar,
      padding: theme.spacing(1),
      borderTop: `1px solid ${theme.palette.divider}`,
      backgroundColor: theme.palette.background.paper,
    },
  },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) },
  button: { textTransform: 'none' },
  denied: {
    color: quietColor(theme),
    borderStyle: 'dashed',
    cursor: 'not-allowed',
    '&:hover': { backgroundColor: 'transparent' },
  },
  passing: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 2),
    overflowWrap: 'anywhere',
  },
  reason: { color: quietColor(theme), overflowWrap: 'anywhere' },
}));

interface ReleaseActionsProps {
  details: ReleaseDetails;
  /** What the release measures; undefined: not known. */
  metricGates?: MetricGate[];
  /** The gate of a question that a link leads to: its dialog opens, and nothing is sent. */
  askedGate?: string;
  /** The question of the link was looked at. */
  onAnswered?: () => void;
  onDone: (releaseId: string) => Promise<void>;
}

/** What can be done with a release. Where the server says no, the button stays and says why. */
export function ReleaseActions(props: ReleaseActionsProps) {
  const { details, metricGates, askedGate, onAnswered, onDone } = props;
  const texts = useTexts();
  const classes = useStyles();
  const [open, setOpen] = useState<ActionItem['key']>();
  const { release, stages } = details;
  const items = actionItems(release, stages, texts);
  const next = nextStage(release, stages);
  const labels = Object.fromEntries(items.map(({ key, label }) => [key, label]));
  const narrow = useNarrow();
  const bar = items.filter(item => (narrow ? isUrgent(item) : !item.seldom));
  const menu = items.filter(item => !bar.includes(item));
  const { shown, tell } = useBarMessage();
  const { send, pause } = useSendAction({
    releaseId: release.id,
    nextStage: next && stageName(next, texts),
    onDone,
    tell: narrow ? tell : undefined,
  });
  const reasonId = useId();
  const denials = denialsOf(bar, release, texts);
  const linked = askedGate !== undefined && canAnswer(release, askedGate);
  const shownDialog = open ?? (linked ? 'approve' : undefined);
  const close = () => {
    setOpen(undefined);
    // Two changes of the address at once undo each other; most dialogs make another one.
    if (linked) {
      onAnswered?.();
    }
  };
  return (
    <div
      id={ACTIONS_ANCHOR}
      className={classes.root}
      role="group"
      aria-label={texts.text('action.title')}
      tabIndex={-1}
    >
      {askedGate !== undefined && !linked && (
        <LinkedQuestion gate={askedGate} details={details} onClose={onAnswered} />
      )}
      {shown && <Passing message={shown} />}
      <div className={classes.buttons}>
        {bar.map(item => (
          <ActionButton
            key={keyOf(item.key)}
            item={item}
            reasonId={`${reasonId}-${denials.findIndex(({ names }) => names.includes(item.name))}`}
            onPress={() => (item.name === 'pause' ? pause() : setOpen(item.key))}
          />
        ))}
        <MoreActions items={menu} release={release} onChoose={setOpen} />
      </div>
      {denials.map((denial, position) => (
        <Typography
          key={denial.reason}
          id={`${reasonId}-${position}`}
          variant="caption"
          className={classes.reason}
        >
          {texts.text('action.denied', {
            actions: denial.labels.join(', '),
            reason: denial.reason,
          })}
        </Typography>
      ))}
      {shownDialog && (
        <ActionDialog
          action={shownDialog}
          label={labels[shownDialog] ?? texts.text('action.title')}
          details={details}
          metricGates={metricGates}
          onSend={send}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Has a place in the bar of a narrow screen, whose height is wanted for other things. */
function isUrgent({ key, state }: ActionItem): boolean {
  return URGENT.includes(key) || (key === 'promote' && state.allowed);
}

const URGENT: readonly ActionItem['key'][] = ['approve', 'pause', 'resume', 'abort', 'rollback'];

/** Whether a question that a link leads to can be answered by this viewer, here and now. */
function canAnswer({ actions: { approve } }: ReleaseView, gate: string): boolean {
  return approve?.allowed === true && approve.params?.gate === gate;
}

function ActionDialog(props: {
  action: ActionItem['key'];
  label: string;
  details: ReleaseDetails;
  metricGates?: MetricGate[];
  onSend: SendAction['send'];
  onClose: () => void;
}) {
  const { action, metricGates, ...others } = props;
  switch (action) {
    case 'pause':
      return null;
    case 'rollback':
      return <RollbackDialog {...others} />;
    case 'approve':
    case 'reject':
      return <AnswerDialog {...others} answer={action} metricGates={metricGates} />;
    case 'promote-full':
      return <FactsDialog {...others} action="promote" full />;
    default:
      return <FactsDialog {...others} action={action} metricGates={metricGates} />;
  }
}

function Passing({ message }: { message: Toast }) {
  const classes = useStyles();
  const theme = useTheme();
  const color = statusColor(message.status === 'success' ? 'done' : 'failed', theme);
  return (
    <Typography variant="body2" component="div" role="status" className={classes.passing}>
      <span style={{ color }}>{message.title}</span> {message.description}
    </Typography>
  );
}

/** Pause and resume are one button, so that whoever pressed it keeps the focus. */
function keyOf(key: ActionItem['key']): ActionItem['key'] {
  return key === 'resume' ? 'pause' : key;
}

/** What a release waits for a person to press. */
const LEADING: readonly ActionItem['key'][] = ['promote', 'approve'];

function ActionButton(props: { item: ActionItem; reasonId: string; onPress: () => void }) {
  const { item, reasonId, onPress } = props;
  const classes = useStyles();
  const { allowed } = item.state;
  return (
    <Button
      variant={allowed && LEADING.includes(item.key) ? 'contained' : 'outlined'}
      color={allowed ? 'primary' : 'default'}
      className={`${classes.button} ${allowed ? '' : classes.denied}`}
      aria-disabled={!allowed}
      aria-describedby={allowed ? undefined : reasonId}
      disableRipple={!allowed}
      onClick={allowed ? onPress : undefined}
    >
      {item.label}
    </Button>
  );
}

interface Denial {
  reason: string;
  names: ActionName[];
  labels: string[];
}

/** Actions that are denied for the same reason are told together. */
function denialsOf(items: ActionItem[], release: ReleaseView, texts: Texts): Denial[] {
  const denials = new Map<string, Denial>();
  for (const { name, label, state } of items.filter(item => !item.state.allowed)) {
    const reason = actionReason(state, release, texts);
    const denial = denials.get(reason) ?? { reason, names: [], labels: [] };
    denial.names.push(name);
    denial.labels.push(label.replace(/…$/, ''));
    denials.set(reason, denial);
  }
  return [...denials.values()];
}
