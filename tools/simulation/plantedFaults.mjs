/**
 * Faults that the simulation must find. Each changes one place of decide or of the
 * engine; the test fails loudly where the place is no longer there, so whoever
 * changes the code changes the fault with it.
 */
const DECIDE = 'plugins/multicluster-release-backend/src/decide';
const COMMANDS = 'plugins/multicluster-release-backend/src/commands';
const ENGINE = 'plugins/multicluster-release-backend/src/engine';

/**
 * @typedef {import('./loadSources.mjs').Mutation & {
 *   name: string,
 *   seed: number
 * }} PlantedFault `seed`: one that found it, which is tried first
 */

/** @type {PlantedFault[]} */
export const PLANTED_FAULTS = [
  {
    name: 'an old stamp counts as ours',
    file: `${DECIDE}/evidence.ts`,
    find: 'if (sequence < wantedSequence || (sequence === wantedSequence && ticket < (target.ticket ?? 0))) {',
    replace: 'if (sequence < 0) {',
    seed: 41,
  },
  {
    name: 'evidence never grows old',
    file: `${DECIDE}/evidence.ts`,
    find: 'turn.now - at <= turn.settings.freshMilliseconds && ',
    replace: '',
    seed: 36,
  },
  {
    name: 'what is not known counts as healthy',
    file: `${DECIDE}/evidence.ts`,
    find: "    return 'unknown';\n  }\n  if (observation.stampless) {",
    replace: "    return 'healthy';\n  }\n  if (observation.stampless) {",
    seed: 1,
  },
  {
    name: 'one more than the concurrency is started',
    file: `${DECIDE}/stage.ts`,
    find: 'stage.concurrency - used',
    replace: 'stage.concurrency + 1 - used',
    seed: 1,
  },
  {
    name: 'gates hold nothing up',
    file: `${DECIDE}/stage.ts`,
    find: 'if (passed.includes(false)) {',
    replace: 'if (passed.includes(false) && turn.now < 0) {',
    seed: 3,
  },
  {
    name: 'a cool-down lasts half as long',
    file: `${DECIDE}/stage.ts`,
    find: '(stageRun.gateAt ?? turn.now) + scaled(turn, milliseconds)',
    replace: '(stageRun.gateAt ?? turn.now) + scaled(turn, milliseconds / 2)',
    seed: 1,
  },
  {
    name: 'a stage is passed without a fresh look',
    file: `${DECIDE}/stage.ts`,
    find: "isPutBack(turn.run, target) || evidenceOf(turn, target) === 'healthy'",
    replace: "isPutBack(turn.run, target) || evidenceOf(turn, target) !== 'failed'",
    seed: 67,
  },
  {
    name: 'a stage is passed when one of its clusters is done',
    file: `${DECIDE}/stage.ts`,
    find: 'stageTargets(run, stage).every(target => isSettled',
    replace: 'stageTargets(run, stage).some(target => isSettled',
    seed: 1,
  },
  {
    name: 'all stages start at once',
    file: `${DECIDE}/stage.ts`,
    find: '    startTargets(turn, stage);\n    if (',
    replace: '    stages.forEach(each => startTargets(turn, each));\n    if (',
    seed: 1,
  },
  {
    name: 'a pause holds nothing',
    file: `${DECIDE}/held.ts`,
    find: 'return [paused, overBudget,',
    replace: 'return [overBudget,',
    seed: 9,
  },
  {
    name: 'too many failures hold nothing',
    file: `${DECIDE}/held.ts`,
    find: 'return [paused, overBudget,',
    replace: 'return [paused,',
    seed: 12,
  },
  {
    name: 'one more failure is let through',
    file: `${DECIDE}/failure.ts`,
    find: '} else if (failed.length <= rules.maxFailures) {',
    replace: '} else if (failed.length <= rules.maxFailures + 1) {',
    seed: 2,
  },
  {
    name: 'one more attempt than planned',
    file: `${DECIDE}/failure.ts`,
    find: 'target.attempts < retries &&',
    replace: 'target.attempts <= retries &&',
    seed: 2,
  },
  {
    name: 'a rollback leaves out what is not done yet',
    file: `${DECIDE}/rollback.ts`,
    find: '      return touched;\n',
    replace: "      return touched.filter(({ state }) => state === 'Done');\n",
    seed: 137,
  },
  {
    name: 'a rollback is written with the sequence of what it puts back',
    file: `${DECIDE}/effects.ts`,
    find: 'sequence: target.sequence ?? turn.run.sequences[plan.number]',
    replace: 'sequence: turn.run.sequences[turn.run.plans[0].number]',
    seed: 2,
  },
  {
    name: 'a rollback has ended before every cluster is back',
    file: `${DECIDE}/finish.ts`,
    find: "back.some(target => target.state === 'RollingBack') || staysPending(turn)",
    replace: 'staysPending(turn)',
    seed: 4,
  },
  {
    name: 'a release with a failure too many succeeds',
    file: `${DECIDE}/finish.ts`,
    find: 'if (failures > maxFailures ||',
    replace: 'if (failures > maxFailures + 1 ||',
    seed: 11,
  },
  {
    name: 'a cluster is written to before that is on record',
    file: `${DECIDE}/walk.ts`,
    find: '    target.touched = true;\n',
    replace: '',
    seed: 1,
  },
  {
    name: 'whatever shows the new stamp is healthy',
    file: `${DECIDE}/walk.ts`,
    find: "  if (evidence === 'healthy') {\n    target.healthyAt",
    replace: "  if (evidence === 'healthy' || evidence === 'progressing') {\n    target.healthyAt",
    seed: 1,
  },
  {
    name: 'each cluster is observed for no time at all',
    file: `${DECIDE}/walk.ts`,
    find: '(target.healthyAt ?? turn.now) + scaled(turn, milliseconds)',
    replace: '(target.healthyAt ?? turn.now)',
    seed: 5,
  },
  {
    name: 'a queued release does not wait',
    file: `${DECIDE}/queue.ts`,
    find: '!inputs.queue?.aheadEnded',
    replace: '!inputs.queue',
    seed: 10,
  },
  {
    name: 'a queued release forgets what the one ahead has made',
    file: `${DECIDE}/queue.ts`,
    find: 'target.inventory = record?.inventory ?? [];',
    replace: 'target.inventory = [];',
    seed: 29,
  },
  {
    name: 'a release that waits for its clusters says nothing',
    file: `${DECIDE}/waiting.ts`,
    find: 'causes.push(stageProgress(turn));',
    replace: '',
    seed: 1,
  },
  {
    name: 'an emergency stop starts nothing anew and lets the rest go on',
    file: `${DECIDE}/effects.ts`,
    find: 'to be made again.\n      target.stoppedSince !== undefined',
    replace: 'to be made again.\n      turn.now < 0',
    seed: 103,
  },
  {
    name: 'a closed window holds nothing',
    file: `${DECIDE}/obstacles.ts`,
    find: '  if (verdict.open) {',
    replace: '  if (verdict.open || turn.now > 0) {',
    seed: 48,
  },
  {
    name: 'a cordon holds nothing',
    file: `${DECIDE}/obstacles.ts`,
    find: 'if (!found || isRestore(run)) {',
    replace: "if (!found || run.id !== '') {",
    seed: 254,
  },
  {
    name: 'one approval is as good as two',
    file: `${DECIDE}/approvals.ts`,
    find: 'if (agreed(turn.run, question).length < (step.approve?.required ?? 1)) {',
    replace: 'if (agreed(turn.run, question).length < 1) {',
    seed: 43,
  },
  {
    name: 'approvals never expire',
    file: `${DECIDE}/approvals.ts`,
    find: '  known.votes = [];\n',
    replace: '',
    seed: 322,
  },
  {
    name: 'what one cluster was spared, all are spared',
    file: `${DECIDE}/skips.ts`,
    find: 'id === stepId && (keys === undefined || keys.includes(key)),',
    replace: 'id === stepId,',
    seed: 456,
  },
  {
    name: 'an old yes passes a new attempt',
    file: `${DECIDE}/retry.ts`,
    find: '    askAnew(run, retried);\n',
    replace: '',
    seed: 597,
  },
  {
    name: 'the version of choice is forgotten on the way back',
    file: `${DECIDE}/rollback.ts`,
    find: 'target.wanted ?? rollback?.to?.[target.key] ?? contentBefore(target)',
    replace: 'target.wanted ?? contentBefore(target)',
    seed: 158,
  },
  {
    name: 'a release that has ended goes back to what ran before, whatever version is chosen',
    file: `${COMMANDS}/releases/wayBack.ts`,
    find: 'versions ? versions.get(key) : contentBefore(target)',
    replace: 'contentBefore(target)',
    seed: 23,
  },
  {
    name: 'what failed stays where it is when its release is sent back',
    file: `${COMMANDS}/releases/wayBack.ts`,
    find: 'const unproven = sent !== undefined && sent === target.sequence;',
    replace: 'const unproven = false;',
    seed: 17,
  },
  {
    name: 'a release is sent back where a newer one runs by now',
    file: `${COMMANDS}/releases/wayBack.ts`,
    find: 'const bears = sent === undefined ? runs?.digest === brought?.digest : unproven;',
    replace: 'const bears = true;',
    seed: 41,
  },
  {
    name: 'what is removed waits for no other cluster that runs the service',
    file: `${COMMANDS}/releases/removal.ts`,
    find: '  if (others.length > 0) {',
    replace: '  if (others.length >= 0) {',
    seed: 2,
  },
  {
    name: 'a removal reaches every cluster of the service',
    file: `${COMMANDS}/releases/removal.ts`,
    find: 'record.cluster === cluster && (namespace',
    replace: "record.cluster !== '' && (namespace",
    seed: 2,
  },
  {
    name: 'a removal that waited is not judged again',
    file: `${DECIDE}/queue.ts`,
    find: 'if (!inputs.queue?.removal ||',
    replace: "if (run.id !== '' ||",
    seed: 534,
  },
  {
    name: 'a removal has ended before it has removed anything',
    file: `${DECIDE}/walk.ts`,
    find: "      beginPhase(turn, target, isPutBack(turn.run, target) ? 'rollback' : 'remove');",
    replace:
      '      if (planTarget(turn, target).to === undefined && !isPutBack(turn.run, target)) {\n' +
      '        return true;\n' +
      '      }',
    seed: 2,
  },
  {
    name: 'a removal may write where only rollbacks may',
    file: `${DECIDE}/rollback.ts`,
    find: 'return isRestore(run) && run.plans[0].targets.some(({ to }) => to !== undefined);',
    replace: 'return isRestore(run);',
    seed: 705,
  },
  {
    name: 'anybody may approve, whoever is asked',
    file: `${COMMANDS}/actions/approving.ts`,
    find: 'from.length === 0 ? viewer?.isService !== true : from.some(ref => stands.has(ref));',
    replace: 'true;',
    seed: 5,
  },
  {
    name: 'a machine answers for people',
    file: `${COMMANDS}/actions/approving.ts`,
    find: 'viewer?.isService !== true',
    replace: 'true',
    seed: 64,
  },
  {
    name: 'who is in a group that is asked is not asked',
    file: `${COMMANDS}/actions/approving.ts`,
    find: 'new Set([viewer?.ref, ...(viewer?.memberOf ?? [])])',
    replace: 'new Set([viewer?.ref])',
    seed: 5,
  },
  {
    name: 'who may not give an approval may skip it',
    file: `${COMMANDS}/actions/approving.ts`,
    find: "if (step.instruction !== 'approve' || asker.viewer?.isPlatform) {",
    replace: "if (step.instruction !== 'check') {",
    seed: 5,
  },
  {
    name: 'the fence does not close with the lease',
    file: `${ENGINE}/fence.ts`,
    find: 'this.clock.now() + requestTimeoutMilliseconds < this.until &&',
    replace: '',
    seed: 49,
  },
  {
    name: 'the fence leaves no time for the request',
    file: `${ENGINE}/fence.ts`,
    find: 'this.clock.now() + requestTimeoutMilliseconds < this.until &&',
    replace: 'this.clock.now() < this.until &&',
    seed: 188,
  },
  {
    name: 'a renewed lease does not reach the fence',
    file: `${ENGINE}/ReleaseDriver.ts`,
    find: '    this.fence.extend(lease.until);\n',
    replace: '',
    seed: 12,
  },
  {
    name: 'effects start before the turn is written down',
    file: `${ENGINE}/ReleaseDriver.ts`,
    find: '        return this.decideOn(loaded, orders, this.ended.slice(0, taken));',
    replace:
      '        const decision = this.decideOn(loaded, orders, this.ended.slice(0, taken));\n' +
      '        decision.effects.forEach(effect => this.perform(effect));\n' +
      '        return decision;',
    seed: 221,
  },
  {
    name: 'nobody wakes a release at the time it asked for',
    file: `${ENGINE}/ReleaseDriver.ts`,
    find: 'Math.min(LONGEST_SLEEP_MILLISECONDS, Math.max(0, ahead))',
    replace: '24 * 3_600_000',
    seed: 48,
  },
];
