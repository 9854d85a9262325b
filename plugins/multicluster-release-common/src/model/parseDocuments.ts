import type { z } from 'zod';
import {
  DOCUMENT_KINDS,
  DOCUMENT_SCHEMAS,
  isDocumentKind,
  type DocumentKind,
  type ReleaseDocument,
} from './documents';
import type { DocumentError } from './errors/DocumentError';
import { checkWith, type Explanation } from './errors/explainIssues';
import { MAX_FAULTS } from './errors/maxFaults';
import { nearest } from './errors/nearest';
import { formatPath, isRecord, valueAt } from './errors/path';
import { DOCUMENT_RULES } from './yaml/rules';
import { locate } from './yaml/locate';
import { readYaml, type YamlDocument, type YamlProblem } from './yaml/readYaml';

/** A document that was accepted, and where it stood. */
export interface LocatedDocument<D extends ReleaseDocument = ReleaseDocument> {
  document: D;
  /** `ClusterRelease/release-v2`. */
  label: string;
  /** The file or address that it came from, where that was said. */
  source?: string;
  /** From 1. */
  line?: number;
}

export interface ParsedDocuments {
  /** Those without a fault. A body with any error should not be used in part. */
  documents: LocatedDocument[];
  /** Every fault of every document, in the order of the text; at most 100, then one that says so. */
  errors: DocumentError[];
}

/**
 * Reads release documents from YAML or JSON, several in one text. Never throws:
 * every fault is an error with its document, path and line.
 *
 * @param options - `name`: the file or address, which errors then name
 */
export function parseDocuments(text: string, options: { name?: string } = {}): ParsedDocuments {
  const yaml = readYaml(text, DOCUMENT_RULES);
  const syntaxErrors = yaml.problems.map(problem => syntaxError(problem, options.name));
  const results = yaml.documents.map(read => checkDocument(read, options.name));
  const documents = results.flatMap(result => (result.located ? [result.located] : []));
  const errors = [
    ...syntaxErrors,
    ...results.flatMap(result => result.errors),
    ...duplicates(documents),
  ];
  return { documents, errors: firstOf(errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))) };
}

function firstOf(errors: DocumentError[]): DocumentError[] {
  if (errors.length <= MAX_FAULTS) {
    return errors;
  }
  const message = `has more faults than the ${MAX_FAULTS} that are shown: mend these first`;
  return [
    ...errors.slice(0, MAX_FAULTS),
    { document: errors[MAX_FAULTS].document, path: '', message },
  ];
}

function syntaxError(
  { index, path, message, line, column }: YamlProblem,
  name?: string,
): DocumentError {
  const document = index === undefined ? name ?? 'the text' : numbered(index, name);
  return { document, path: formatPath(path), message, line, column };
}

function checkDocument(
  read: YamlDocument,
  name?: string,
): { located?: LocatedDocument; errors: DocumentError[] } {
  const label = labelOf(read.value) ?? numbered(read.index, name);
  const kind = kindOf(read.value);
  const schema: z.ZodType<ReleaseDocument> | undefined =
    typeof kind === 'string' && isDocumentKind(kind) ? DOCUMENT_SCHEMAS[kind] : undefined;
  const checked = schema
    ? checkWith(schema, read.value, path => locate(read, path).written)
    : { faults: wrongKind(read.value) };
  if ('faults' in checked) {
    return { errors: checked.faults.map(fault => placed(fault, label, read)) };
  }
  return {
    errors: [],
    located: { document: checked.accepted, label, source: name, line: locate(read, []).line },
  };
}

function kindOf(value: unknown): unknown {
  return isRecord(value) ? value.kind : undefined;
}

function wrongKind(value: unknown): Explanation[] {
  if (!isRecord(value)) {
    return [
      {
        path: [],
        message:
          'must be a map with apiVersion, kind, metadata and spec; separate documents with ---',
      },
    ];
  }
  const { kind } = value;
  if (kind === undefined) {
    return [{ path: ['kind'], message: `is missing: must be one of ${DOCUMENT_KINDS.join(', ')}` }];
  }
  const suggestion = typeof kind === 'string' ? nearest(kind, DOCUMENT_KINDS) : undefined;
  const advice = suggestion ? `; did you mean \`${suggestion}\`?` : '';
  return [
    {
      path: ['kind'],
      message: `must be one of ${DOCUMENT_KINDS.join(', ')}, and is ${JSON.stringify(
        kind,
      )}${advice}`,
      suggestion,
    },
  ];
}

function placed(
  { path, message, suggestion }: Explanation,
  document: string,
  read: YamlDocument,
): DocumentError {
  const { line, column } = locate(read, path);
  return {
    document,
    path: formatPath(path),
    message,
    ...(suggestion ? { suggestion } : {}),
    line,
    column,
  };
}

function labelOf(value: unknown): string | undefined {
  const name = valueAt(value, ['metadata', 'name']);
  const kind = kindOf(value);
  return typeof name === 'string' && typeof kind === 'string' ? `${kind}/${name}` : undefined;
}

function numbered(index: number, name?: string): string {
  return name ? `${name}, document ${index + 1}` : `document ${index + 1}`;
}

/** A ClusterRelease is one run, and its name need not be unique; the others are referred to by name. */
function duplicates(documents: LocatedDocument[]): DocumentError[] {
  const seen = new Map<string, LocatedDocument>();
  const once = new Set<DocumentKind>(['ResourceTemplate', 'PlacementRule', 'DistributionPolicy']);
  return documents.flatMap(located => {
    const first = seen.get(located.label);
    seen.set(located.label, first ?? located);
    if (!first || !once.has(located.document.kind)) {
      return [];
    }
    const message = `is there twice: the first is in line ${first.line}; give one another name`;
    return [
      { document: located.label, path: 'metadata.name', message, line: located.line, column: 1 },
    ];
  });
}
