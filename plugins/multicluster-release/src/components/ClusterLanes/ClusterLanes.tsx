import { useId, useMemo } from 'react';
import TextField from '@material-ui/core/TextField';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import {
  isFinalRelease,
  type PhaseView,
  type ReleaseView,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useNarrow, useNow, useSteadyOrder, useTexts } from '../../hooks';
import { Section } from '../DataTable';
import { axisOf } from './axis';
import { groupsOf, matches } from './groups';
import { laneOrder } from './laneOrder';
import { LaneGroups } from './LaneGroups';
import { leavesOnWayBack } from './leavesOnWayBack';
import { PhaseLegend } from './PhaseBars';
import { quietColor } from '../ReleaseStatus';

/** From so many clusters on there is something to filter. */
const FILTER_FROM = 8;
/** Above this the groups are folded at first. */
const OPEN_UP_TO = 60;

const useStyles = makeStyles(theme => ({
  filter: { '& label:not(.Mui-focused)': { color: quietColor(theme) } },
  none: { padding: theme.spacing(2), color: quietColor(theme) },
}));

interface ClusterLanesProps {
  release: ReleaseView;
  targets: TargetView[];
  query: string;
  onQuery: (query: string) => void;
}

/** A lane per cluster: what it runs, what happened when, and what it says. */
export function ClusterLanes({ release, targets, query, onQuery }: ClusterLanesProps) {
  const texts = useTexts();
  const { text } = texts;
  const classes = useStyles();
  const filterId = useId();
  const narrow = useNarrow();
  const running = !isFinalRelease(release.state);
  const now = useNow(running ? 1_000 : 10_000);
  const wanted = useMemo(() => laneOrder(targets), [targets]);
  const { order, moved, apply, holders } = useSteadyOrder(wanted);
  const found = useMemo(
    () => (query ? targets.filter(target => matches(target, query)) : targets),
    [targets, query],
  );
  const axis = axisOf(targets, now, running);
  return (
    <Section
      title={text('lanes.title')}
      beside={
        targets.length >= FILTER_FROM && (
          <TextField
            id={filterId}
            className={classes.filter}
            size="small"
            variant="outlined"
            label={text('lanes.filter')}
            value={query}
            onChange={event => onQuery(event.target.value)}
          />
        )
      }
    >
      {moved > 0 && (
        <Button size="small" variant="outlined" onClick={apply}>
          {text('lanes.applyOrder', { count: moved })}
        </Button>
      )}
      <div {...holders}>
        <LaneGroups
          groups={groupsOf(found, order)}
          narrow={narrow}
          startOpen={targets.length <= OPEN_UP_TO || query !== ''}
          lane={{
            leaves: leavesOnWayBack(release, texts),
            axis,
            now,
            showNow: running && axis !== undefined,
          }}
        />
      </div>
      {found.length === 0 && (
        <Typography className={classes.none}>{text('lanes.none', { query })}</Typography>
      )}
      {axis && <PhaseLegend names={phaseNames(targets)} showNow={running} />}
    </Section>
  );
}

function phaseNames(targets: TargetView[]): PhaseView['name'][] {
  return [...new Set(targets.flatMap(({ phases }) => phases.map(({ name }) => name)))];
}
