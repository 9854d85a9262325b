import type { Waiting, WaitingCode } from 'backstage-plugin-multicluster-release-common';
import { entityName, shortened } from './names';
import { stageName } from './stageName';
import type { TextKey, TextParams, Texts } from './Texts';

interface WaitingWording {
  key: TextKey;
  /** Parameters that the text cannot do without; where one is missing, the server's English is shown. */
  needs: readonly string[];
}

/** The text of every reason for waiting (design rule: one text per code, in each language). */
export const WAITING_WORDINGS: Record<WaitingCode, WaitingWording> = {
  approval: { key: 'waiting.approval', needs: ['count', 'who'] },
  metric: { key: 'waiting.metric', needs: ['metric', 'cluster', 'done', 'need'] },
  'metric.nodata': { key: 'waiting.metricNoData', needs: ['metric', 'cluster', 'time'] },
  'metric.undecided': { key: 'waiting.metricUndecided', needs: ['metric', 'cluster', 'why'] },
  soak: { key: 'waiting.soak', needs: ['time', 'left'] },
  window: { key: 'waiting.window', needs: ['time', 'zone'] },
  freeze: { key: 'waiting.freeze', needs: ['name', 'time'] },
  stopall: { key: 'waiting.stopall', needs: ['who', 'time'] },
  paused: { key: 'waiting.paused', needs: ['who', 'reason'] },
  stage: { key: 'waiting.stage', needs: ['stage', 'done', 'total'] },
  slot: { key: 'waiting.slot', needs: ['used', 'max'] },
  queue: { key: 'waiting.queue', needs: ['id'] },
  clusters: { key: 'waiting.clusters', needs: ['why'] },
  ready: { key: 'waiting.ready', needs: ['ready', 'total', 'cluster', 'msg'] },
  traffic: { key: 'waiting.traffic', needs: ['want', 'seen'] },
  unreachable: { key: 'waiting.unreachable', needs: ['cluster', 'time'] },
  retry: { key: 'waiting.retry', needs: ['n', 'msg', 'time'] },
  budget: { key: 'waiting.budget', needs: ['failed', 'max'] },
  promote: { key: 'waiting.promote', needs: ['stage'] },
  changed: { key: 'waiting.changed', needs: ['cluster', 'what'] },
  planChanged: { key: 'waiting.planChanged', needs: ['what'] },
  dependsOn: { key: 'waiting.dependsOn', needs: ['service', 'version', 'where'] },
  cordoned: { key: 'waiting.cordoned', needs: ['cluster', 'who'] },
  standby: { key: 'waiting.standby', needs: ['cluster', 'what'] },
  routeEdited: { key: 'waiting.routeEdited', needs: ['route', 'who'] },
  rollbackPending: { key: 'waiting.rollbackPending', needs: ['cluster'] },
  hold: { key: 'waiting.hold', needs: ['version', 'why'] },
  starting: { key: 'waiting.starting', needs: ['cluster'] },
  refused: { key: 'waiting.refused', needs: ['cluster', 'msg'] },
};

/** Codes whose text already tells when they end. */
const TELLS_END: ReadonlySet<WaitingCode> = new Set([
  'metric.nodata',
  'soak',
  'window',
  'freeze',
  'retry',
]);
/** Codes whose text already tells since when. */
const TELLS_SINCE: ReadonlySet<WaitingCode> = new Set(['stopall', 'unreachable']);

/** Codes whose text already tells who, or where that is only who ordered it. */
const TELLS_WHO: ReadonlySet<WaitingCode> = new Set(['paused', 'approval', 'stopall', 'cordoned']);
/** What the server calls those whom no approval names. */
const ANYONE = 'whoever may approve';

/** What `until` is, where it is not simply the end. */
const UNTIL: Partial<Record<WaitingCode, TextKey>> = {
  ready: 'sentence.givesUp',
  approval: 'sentence.askedAnew',
};

/** Why something waits, without since, end and actor. */
export function waitingReason(waiting: Waiting, texts: Texts, now: number): string {
  const params = paramsOf(waiting, texts, now);
  const wording = choose(waiting, params, now);
  if (!wording || wording.needs.some(name => params[name] === undefined || params[name] === '')) {
    return waiting.message;
  }
  return texts.text(wording.key, params);
}

/** One cause in full: why – since – what ends it – who can act. */
export function waitingSentence(waiting: Waiting, texts: Texts, now: number): string {
  const parts = [waitingReason(waiting, texts, now)];
  const moment = (at: number) => ({ time: texts.time(at, now) });
  // What was over at a moment is over since then.
  if (!TELLS_SINCE.has(waiting.code) && !isSoakOver(waiting, now)) {
    parts.push(texts.text('sentence.since', moment(waiting.since)));
  }
  if (waiting.until !== undefined && !TELLS_END.has(waiting.code)) {
    parts.push(texts.text(UNTIL[waiting.code] ?? 'sentence.ends', moment(waiting.until)));
  }
  if (waiting.who && !TELLS_WHO.has(waiting.code)) {
    parts.push(texts.text('sentence.whoCanAct', { who: entityName(waiting.who) }));
  }
  return parts.join(texts.text('sentence.separator'));
}

/** Some causes have a second wording for when a parameter says nothing. */
function choose(waiting: Waiting, params: TextParams, now: number): WaitingWording | undefined {
  const ordered = chooseOrdered(waiting.code, params);
  if (ordered) {
    return ordered;
  }
  if (waiting.code === 'paused' && !params.reason) {
    return { key: 'waiting.pausedWithoutReason', needs: ['who'] };
  }
  if (waiting.code === 'ready') {
    return chooseReady(params);
  }
  if (waiting.code === 'soak' && params.on) {
    return isSoakOver(waiting, now)
      ? { key: 'waiting.soakOver', needs: ['on', 'time'] }
      : { key: 'waiting.soakOn', needs: ['on', 'time', 'left'] };
  }
  if (waiting.code === 'retry' && params.cluster) {
    return { key: 'waiting.retryOn', needs: ['cluster', 'n', 'msg', 'time'] };
  }
  if (waiting.code === 'promote' && params.stage === 'the end') {
    return { key: 'waiting.promoteEnd', needs: [] };
  }
  return WAITING_WORDINGS[waiting.code];
}

/** While a release is paused, an observation that it would have waited for ends all the same. */
function isSoakOver({ code, params, until }: Waiting, now: number): boolean {
  const on = params.cluster ?? params.stage;
  return code === 'soak' && Boolean(on) && until !== undefined && until <= now;
}

/** What people order for the fleet, or are asked. */
function chooseOrdered(code: WaitingCode, params: TextParams): WaitingWording | undefined {
  if (code === 'queue' && params.version) {
    return { key: 'waiting.queueVersion', needs: ['version'] };
  }
  if (code === 'approval' && params.who === ANYONE) {
    return { key: 'waiting.approvalAnyone', needs: ['count'] };
  }
  if (code === 'stopall' && params.reason) {
    return { key: 'waiting.stopallWhy', needs: ['who', 'time', 'reason'] };
  }
  if (code === 'cordoned' && params.reason) {
    return { key: 'waiting.cordonedWhy', needs: ['cluster', 'who', 'reason'] };
  }
  if (code === 'freeze' && params.what) {
    return { key: 'waiting.freezeUnreadable', needs: ['name', 'what'] };
  }
  if (code === 'freeze' && params.time === undefined) {
    return { key: 'waiting.freezeOpenEnd', needs: ['name'] };
  }
  if (code === 'window' && params.time === undefined) {
    return { key: 'waiting.windowOpenEnd', needs: [] };
  }
  return undefined;
}

/** Nothing is known of the pods before the cluster has told; that is no count of zero. */
function chooseReady({ total, msg }: TextParams): WaitingWording {
  if (total === 0) {
    return msg
      ? { key: 'waiting.readyMessage', needs: ['cluster', 'msg'] }
      : { key: 'waiting.readyUnknown', needs: ['cluster'] };
  }
  return msg
    ? WAITING_WORDINGS.ready
    : { key: 'waiting.readyWithoutMessage', needs: ['ready', 'total', 'cluster'] };
}

function paramsOf(waiting: Waiting, texts: Texts, now: number): TextParams {
  const { until, who, since } = waiting;
  const params: TextParams = { ...shortened(waiting.params) };
  const time = waiting.params.time ?? (TELLS_SINCE.has(waiting.code) ? since : until);
  if (time !== undefined) {
    params.time = typeof time === 'number' ? texts.time(time, now) : time;
  }
  if (until !== undefined) {
    params.left = texts.duration(until - now);
  }
  const actor = params.who ?? who;
  if (actor !== undefined) {
    params.who = texts.list(String(actor).split(', ').map(entityName));
  }
  const count = params.count ?? params.n ?? params.total;
  if (count !== undefined) {
    params.count = count;
  }
  if (waiting.code === 'dependsOn') {
    params.service = entityName(String(params.service));
    params.where ??= params.cluster;
  }
  if (typeof params.stage === 'string') {
    const kind = params.stageKind === undefined ? undefined : String(params.stageKind);
    params.stage = stageName({ name: params.stage, kind }, texts);
  }
  const on = params.cluster ?? params.stage;
  if (waiting.code === 'soak' && on !== undefined) {
    params.on = on;
  }
  return params;
}
