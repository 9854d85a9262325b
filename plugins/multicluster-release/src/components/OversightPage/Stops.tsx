import { useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { stopWritePermission, type StopView } from 'backstage-plugin-multicluster-release-common';
import { useFleetPermission, useStops, useTexts, type Polled } from '../../hooks';
import { entityName, reachWords, scopeWords } from '../../text';
import { DataTable, type Column } from '../DataTable';
import { GuardedButton } from '../GuardedButton';
import { Moment } from '../Moment';
import { LiftStopDialog } from '../StopBanner';
import { FleetAnswer } from './FleetAnswer';
import { OrderStopDialog } from './OrderStopDialog';

const useStyles = makeStyles(theme => ({ order: { marginBottom: theme.spacing(2) } }));

/** Emergency stops in force; whoever may orders new ones and lifts them. */
export function Stops() {
  const classes = useStyles();
  const { text } = useTexts();
  const stops = useStops();
  const [ordering, setOrdering] = useState(false);
  const guard = useStopGuard();
  return (
    <>
      <div className={classes.order}>
        <GuardedButton {...guard} onPress={() => setOrdering(true)}>
          {text('stops.order')}
        </GuardedButton>
      </div>
      <FleetAnswer answer={stops}>
        {items =>
          items.length === 0 ? (
            <Typography>{text('stops.none')}</Typography>
          ) : (
            <StopTable items={items} stops={stops} guard={guard} />
          )
        }
      </FleetAnswer>
      {ordering && <OrderStopDialog onOrdered={stops.refresh} onClose={() => setOrdering(false)} />}
    </>
  );
}

interface Guard {
  allowed: boolean;
  why?: string;
}

function useStopGuard(): Guard {
  const { text } = useTexts();
  const permission = useFleetPermission(stopWritePermission);
  const denied = text('fleet.denied', { permission: stopWritePermission.name });
  return { allowed: permission === true, why: permission === false ? denied : undefined };
}

function StopTable(props: { items: StopView[]; stops: Polled<StopView[]>; guard: Guard }) {
  const { items, stops, guard } = props;
  const texts = useTexts();
  const { text } = texts;
  const [lifting, setLifting] = useState<StopView>();
  const columns: Column<StopView>[] = [
    { header: text('stops.scopeHeader'), render: ({ scope }) => scopeWords(scope, texts) },
    { header: text('stops.reason'), render: ({ reason }) => reason },
    { header: text('stops.by'), render: ({ by }) => entityName(by) },
    { header: text('stops.since'), render: ({ since }) => <Moment at={since} /> },
    {
      header: text('stops.reach'),
      render: ({ reach }) => (reach ? reachWords(reach, texts) : '–'),
    },
    {
      header: text('stops.rollbacks'),
      render: ({ allowRollback }) =>
        text(allowRollback ? 'stops.rollbacksAllowed' : 'stops.rollbacksStopped'),
    },
    {
      header: text('stops.action'),
      render: stop => (
        <GuardedButton
          {...guard}
          size="small"
          label={text('stops.liftLabel', { scope: scopeWords(stop.scope, texts) })}
          onPress={() => setLifting(stop)}
        >
          {text('stops.lift')}
        </GuardedButton>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={text('page.stopsTab')}
        columns={columns}
        rows={items}
        rowKey={({ id }) => id}
      />
      {lifting && (
        <LiftStopDialog
          stop={lifting}
          onLifted={stops.refresh}
          onClose={() => setLifting(undefined)}
        />
      )}
    </>
  );
}
