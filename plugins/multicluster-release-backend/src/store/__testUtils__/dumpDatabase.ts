import { gunzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import { TABLES } from './tables';

/** Every value of every row as text, bytes both raw and unpacked: what a thief of the database reads. */
export async function dumpDatabase(database: Knex): Promise<string> {
  const lines: string[] = [];
  for (const table of TABLES) {
    for (const row of await database(table)) {
      lines.push(...Object.values(row).map(asText));
    }
  }
  return lines.join('\n');
}

function asText(value: unknown): string {
  if (!Buffer.isBuffer(value)) {
    return JSON.stringify(value);
  }
  return `${value.toString('latin1')}\n${unpacked(value)}`;
}

function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return '';
  }
}
