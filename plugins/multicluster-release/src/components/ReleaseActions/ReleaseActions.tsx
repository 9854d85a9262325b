import { useId, useState } from 'react';
import Button from '@material-ui/core/Button';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { ActionName, ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useTexts, type ReleaseDetails } from '../../hooks';
import { actionReason, type Texts } from '../../text';
import { ACTIONS_ANCHOR } from '../ReleaseHeader';
import { actionItems, type ActionItem } from './actionItems';
import { FactsDialog } from './FactsDialog';
import { RollbackDialog } from './RollbackDialog';
import { useSendAction } from './useSendAction';
import { quietColor } from '../ReleaseStatus';

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
  reason: { color: quietColor(theme), overflowWrap: 'anywhere' },
}));

interface ReleaseActionsProps {
  details: ReleaseDetails;
  onDone: (releaseId: string) => Promise<void>;
}

/** What can be done with a release. Where the server says no, the button stays and says why. */
export function ReleaseActions({ details, onDone }: ReleaseActionsProps) {
  const texts = useTexts();
  const classes = useStyles();
  const [open, setOpen] = useState<ActionName>();
  const { release, stages } = details;
  const items = actionItems(release, stages, texts);
  const labels = Object.fromEntries(items.map(({ name, label }) => [name, label]));
  const { send, pause } = useSendAction({ releaseId: release.id, labels, onDone });
  const reasonId = useId();
  const denials = denialsOf(items, release, texts);
  const close = () => setOpen(undefined);
  return (
    <div
      id={ACTIONS_ANCHOR}
      className={classes.root}
      role="group"
      aria-label={texts.text('action.title')}
      tabIndex={-1}
    >
      <div className={classes.buttons}>
        {items.map(item => (
          <ActionButton
            key={keyOf(item.name)}
            item={item}
            reasonId={`${reasonId}-${denials.findIndex(({ names }) => names.includes(item.name))}`}
            onPress={() => (item.name === 'pause' ? pause() : setOpen(item.name))}
          />
        ))}
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
      {open === 'rollback' && <RollbackDialog details={details} onSend={send} onClose={close} />}
      {open !== undefined && open !== 'rollback' && open !== 'pause' && (
        <FactsDialog
          action={open}
          label={labels[open] ?? texts.text('action.title')}
          details={details}
          onSend={send}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Pause and resume are one button, so that whoever pressed it keeps the focus. */
function keyOf(name: ActionName): ActionName {
  return name === 'resume' ? 'pause' : name;
}

function ActionButton(props: { item: ActionItem; reasonId: string; onPress: () => void }) {
  const { item, reasonId, onPress } = props;
  const classes = useStyles();
  const { allowed } = item.state;
  return (
    <Button
      variant={allowed && item.name === 'promote' ? 'contained' : 'outlined'}
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
