import { describeScript, type Script } from './script';
import { playScript, type Failure } from './simulate';

const LINES_OF_LOG = 60;
const MOST_TRIES = 150;

/**
 * Leaves out whatever is not needed for the same rule to be broken: faults,
 * orders and releases, halves first and then one by one, then clusters and replicas.
 */
export async function shrink(failure: Failure): Promise<Failure> {
  const shrinker = new Shrinker(failure);
  let before: Script;
  do {
    before = shrinker.script;
    await shrinker.dropMoves();
    await shrinker.dropClusters();
    await shrinker.dropReplicas();
  } while (shrinker.script !== before);
  return shrinker.smallest;
}

class Shrinker {
  private left = MOST_TRIES;

  constructor(public smallest: Failure) {}

  get script(): Script {
    return this.smallest.script;
  }

  async dropMoves(): Promise<void> {
    for (let size = this.script.moves.length; size >= 1; size = Math.floor(size / 2)) {
      let from = 0;
      while (from < this.script.moves.length) {
        const { moves: all } = this.script;
        const moves = [...all.slice(0, from), ...all.slice(from + size)];
        if (!(await this.takes({ ...this.script, moves }))) {
          from += size;
        }
      }
    }
  }

  async dropClusters(): Promise<void> {
    for (const { name } of [...this.script.clusters].reverse()) {
      const clusters = this.script.clusters.filter(cluster => cluster.name !== name);
      if (clusters.length > 0) {
        await this.takes({ ...this.script, clusters });
      }
    }
  }

  async dropReplicas(): Promise<void> {
    for (let replicas = 1; replicas < this.script.replicas; replicas++) {
      await this.takes({ ...this.script, replicas });
    }
  }

  /** Keeps the script where it still breaks the same rule. */
  private async takes(script: Script): Promise<boolean> {
    this.left -= 1;
    const again = this.left < 0 ? undefined : await playScript(script);
    if (again?.rule !== this.smallest.rule) {
      return false;
    }
    this.smallest = again;
    return true;
  }
}

/** What a person needs to find the fault: the seed, the smallest script, and what happened last. */
export function report(failure: Failure, smallest: Failure): string {
  const { seed } = failure.script;
  return [
    `seed ${seed} breaks a rule. ${failure.message}`,
    `Again: npm run simulate -- --first ${seed} --seeds 1`,
    `Smallest script that breaks the same rule (${smallest.message}):`,
    describeScript(smallest.script),
    'What happened last in it:',
    ...smallest.log.slice(-LINES_OF_LOG).map(line => `  ${line}`),
  ].join('\n');
}
