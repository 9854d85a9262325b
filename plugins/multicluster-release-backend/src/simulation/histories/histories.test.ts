import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayHistory, type History } from './replayHistory';

const FOLDER = join(__dirname, '__fixtures__');

const histories = readdirSync(FOLDER)
  .filter(name => name.endsWith('.json'))
  .map(name => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as History);

describe('recorded histories', () => {
  it('are of releases that ended in different ways', () => {
    expect(new Set(histories.map(({ end }) => end.state)).size).toBeGreaterThanOrEqual(4);
  });

  it.each(histories.map(history => [history.name, history] as const))(
    'end today as they did: %s',
    (_, history) => {
      expect(replayHistory(history)).toEqual(history.end);
    },
  );
});
