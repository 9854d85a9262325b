import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import createKnex from 'knex';

const PROGRAM = resolve(__dirname, '../../../../tools/postgres.mjs');

export interface RealPostgres {
  /** Makes an empty database and answers its URL. */
  newDatabase(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Starts a real PostgreSQL for one suite; it ends with this process at the latest. */
export async function realPostgres(): Promise<RealPostgres> {
  // It ends when this pipe closes.
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  const ready = once(createInterface(child.stdout), 'line');
  const [line] = await Promise.race([ready, ended.then(([code]) => failToStart(code))]);
  const { url } = JSON.parse(line);
  return {
    newDatabase: async name => {
      const admin = createKnex({ client: 'pg', connection: url });
      await admin.raw('create database ??', [name]).finally(() => admin.destroy());
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    remove: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function failToStart(code: number | null): never {
  throw new Error(`PostgreSQL ended with ${code}; run node ${PROGRAM} to see why`);
}
