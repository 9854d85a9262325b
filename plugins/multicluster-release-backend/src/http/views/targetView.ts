import type {
  ContentRef,
  FleetCluster,
  PlanTarget,
  TargetView,
  VersionRef,
  Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { wouldGoBack } from '../../commands/actions/allowed';
import { forwardPlan, planOf } from '../../decide/turn';
import type { ReleaseRun, TargetRun } from '../../decide/types';
import { waitingView } from './waitingView';

/** One cluster of a release. Pure. `cluster`: what the fleet says of it; undefined where it has left the fleet. */
export function targetView(run: ReleaseRun, target: TargetRun, cluster?: FleetCluster): TargetView {
  const plan = planOf(run, target);
  const planned = plan.targets.find(({ key }) => key === target.key);
  const wanted = target.sequence ?? run.sequences[target.plan];
  const arrived = hasArrived(target, planned);
  const observed = arrived ? wanted : target.fromSequence;
  return {
    cluster: target.cluster,
    namespace: target.namespace,
    group: target.group,
    stage: stageIndexOf(run, target),
    region: cluster?.region,
    labels: cluster?.labels ?? {},
    state: target.state,
    canGoBack: wouldGoBack(run, target),
    health: target.health,
    from: versionRef(target.from),
    to: versionRef(planned?.to),
    weight: weightOf(target, arrived),
    configVersion: {
      wanted: planned?.to?.configVersion,
      observed: arrived ? planned?.to?.configVersion : target.from?.configVersion,
      offset: wanted !== undefined && observed !== undefined ? wanted - observed : undefined,
    },
    phases: target.phases,
    waiting: waitingOf(run, target),
    message: target.message ?? target.failure?.message,
    reportedAt: target.reportedAt,
  };
}

const NOT_STARTED = new Set<TargetRun['state']>([
  'Pending',
  'Blocked',
  'Offline',
  'Skipped',
  'Unchanged',
]);

/**
 * What the plan wants is there. An untouched cluster of a release that went back is
 * `Unchanged` as well as one that had the content before: only its plan tells them apart.
 */
function hasArrived({ state, touched }: TargetRun, planned: PlanTarget | undefined): boolean {
  return (
    state === 'Done' ||
    state === 'RolledBack' ||
    (state === 'Unchanged' && (touched || planned?.unchanged === true))
  );
}

/**
 * In the plan that leads forward. One that goes back follows a plan of its own, which
 * has a single stage; one that a newer plan of a queued release leaves out is in none.
 */
function stageIndexOf(run: ReleaseRun, target: TargetRun): number | undefined {
  const { number, stages } = forwardPlan(run);
  if (target.plan === number) {
    return target.stage;
  }
  const own = stages.filter(({ targets }) => targets.includes(target.key));
  return (own.filter(({ index }) => index <= run.stage).at(-1) ?? own[0])?.index;
}

/** Of the new version: what its stage gives it; else a cluster has all of it or none, and on the way it is not known. */
function weightOf({ state, touched, weight }: TargetRun, arrived: boolean): TargetView['weight'] {
  if (weight) {
    return { wanted: weight.wanted, observed: state === 'Soaking' ? weight.reached : undefined };
  }
  if (state === 'RolledBack' || (NOT_STARTED.has(state) && !touched && !arrived)) {
    return { wanted: 0, observed: 0 };
  }
  return arrived ? { wanted: 100, observed: 100 } : { wanted: 100, observed: undefined };
}

function versionRef(content: ContentRef | undefined): VersionRef | undefined {
  return (
    content && {
      version: content.version,
      configVersion: content.configVersion,
      digest: content.digest,
    }
  );
}

/** The first of the release's causes that names this cluster. */
function waitingOf(run: ReleaseRun, target: TargetRun): Waiting | undefined {
  const found = run.waiting.find(({ params }) => params.cluster === target.cluster);
  return found && waitingView(run, found);
}
