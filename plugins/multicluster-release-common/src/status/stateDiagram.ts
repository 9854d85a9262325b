import { RELEASE_STATES, TARGET_STATES, type StateWord } from './states';
import { RELEASE_TRANSITIONS, TARGET_TRANSITIONS } from './transitions';

/** docs/states.md, whole: words and pictures of both tables. */
export function statesPage(): string {
  return [
    '# States',
    '',
    'Drawn from the tables in `plugins/multicluster-release-common/src/status`; a test keeps this page equal to them (`UPDATE_DOCS=1 npm run test:unit -- stateDiagram` writes it anew).',
    '',
    ...section('A release', 'Pending', RELEASE_STATES, RELEASE_TRANSITIONS),
    ...section('A cluster of a release', 'Pending', TARGET_STATES, TARGET_TRANSITIONS),
  ].join('\n');
}

function section<S extends string>(
  title: string,
  first: S,
  words: Record<S, StateWord>,
  transitions: Record<S, readonly S[]>,
): string[] {
  const states = Object.keys(words) as S[];
  return [
    `## ${title}`,
    '',
    '| State | Page word | Final |',
    '| --- | --- | --- |',
    ...states.map(
      state => `| ${state} | ${words[state].word} | ${words[state].final ? 'yes' : ''} |`,
    ),
    '',
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${first}`,
    ...states.flatMap(state => transitions[state].map(next => `  ${state} --> ${next}`)),
    ...states.filter(state => transitions[state].length === 0).map(state => `  ${state} --> [*]`),
    '```',
    '',
  ];
}
