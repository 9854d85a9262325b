import { Composer, isScalar, LineCounter, Parser, type CST, type Document } from 'yaml';
import { MAX_FAULTS } from '../errors/maxFaults';
import type { Path } from '../errors/path';
import { isDeeperThan } from './depth';
import { MAX_DEPTH, type YamlRules } from './rules';
import { toJson, type Budget } from './toJson';

export interface YamlProblem {
  /** Which document of the text, from 0; undefined: the text as a whole. */
  index?: number;
  path: Path;
  message: string;
  line?: number;
  column?: number;
}

export interface YamlDocument {
  /** Position among all documents of the text that are not empty, from 0. */
  index: number;
  value: unknown;
  /** Where values stand in the text. */
  node: Document['contents'];
  lines: LineCounter;
}

/**
 * Reads YAML or JSON as kubectl does: several documents, empty ones skipped,
 * anchors and merge keys written out, keys given twice refused. Never throws.
 */
export function readYaml(
  text: string,
  rules: YamlRules,
): { documents: YamlDocument[]; problems: YamlProblem[] } {
  const refuse = (message: string) => ({ documents: [], problems: [{ path: [], message }] });
  if (text.length > rules.maxLength) {
    return refuse(
      `the text has ${text.length} characters; ${rules.maxLength} are allowed: split it`,
    );
  }
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isDeeperThan(MAX_DEPTH, tokens)) {
    return refuse(`values are nested more than ${MAX_DEPTH} deep: make it flatter`);
  }
  const composed = compose(tokens);
  if (composed.length > rules.maxDocuments) {
    return refuse(
      `the text has ${composed.length} documents; ${rules.maxDocuments} are allowed: split it`,
    );
  }
  return convert(composed, lines, rules);
}

/** Scalars are left as text: what they mean is decided in resolveScalar. */
function compose(tokens: CST.Token[]): Document.Parsed[] {
  const composer = new Composer({
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  });
  return [...composer.compose(tokens)].filter(
    document => document.errors.length > 0 || !isEmpty(document),
  );
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return (
    !contents ||
    (isScalar(contents) && contents.type === 'PLAIN' && contents.source === '' && !contents.tag)
  );
}

function convert(composed: Document.Parsed[], lines: LineCounter, rules: YamlRules) {
  const documents: YamlDocument[] = [];
  const problems: YamlProblem[] = [];
  const budget: Budget = { values: rules.maxValues };
  composed.forEach((document, index) => {
    const report = (path: Path, message: string, offset?: number) => {
      if (problems.length <= MAX_FAULTS) {
        problems.push({ index, path, message, ...placeOf(offset, lines) });
      }
    };
    const before = problems.length;
    document.errors.forEach(error =>
      report([], syntaxMessage(error.code, error.message), error.pos[0]),
    );
    const value =
      problems.length === before
        ? toJson(document.contents, { keys: rules.keys, budget, report })
        : undefined;
    if (problems.length === before) {
      documents.push({ index, value, node: document.contents, lines });
    }
  });
  return { documents, problems };
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') {
    return 'is indented with a tab: YAML takes spaces only';
  }
  return `is not valid YAML: ${message}`;
}

/** Line and column, from 1. */
export function placeOf(
  offset: number | undefined,
  lines: LineCounter,
): { line?: number; column?: number } {
  if (offset === undefined) {
    return {};
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
