import { Violation } from './checkers/violation';
import { withPlainClone } from './plainClone';
import { drawScript, type Script } from './script';
import { World } from './World';

export interface Failure {
  script: Script;
  /** What was broken; equal for equal faults. */
  rule: string;
  message: string;
  log: string[];
}

/** Plays a script; answers what went wrong, if anything did. */
export async function playScript(script: Script): Promise<Failure | undefined> {
  return withPlainClone(async () => {
    const log: string[] = [];
    try {
      const world = new World(script, log);
      await world.run();
      return undefined;
    } catch (error) {
      const rule = error instanceof Violation ? error.kind : String(error);
      return { script, rule, message: String(error), log };
    }
  });
}

export async function playSeed(seed: number): Promise<Failure | undefined> {
  return playScript(drawScript(seed));
}
