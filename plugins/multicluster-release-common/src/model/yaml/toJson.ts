import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isRecord, type Path } from '../errors/path';
import { MAX_DEPTH, type YamlRules } from './rules';
import { mergeMaps, type MergeSource } from './mergeMaps';
import { resolveScalar } from './resolveScalar';

/** How many more values may be made; counts down. */
export interface Budget {
  values: number;
}

type ReportAt = (path: Path, message: string, offset?: number) => void;

interface Options {
  keys: YamlRules['keys'];
  budget: Budget;
  report: ReportAt;
}

interface Conversion extends Options {
  /** Nodes by the anchor's name, as far as the text has been read: a name may be given anew. */
  anchors: Map<string, Node>;
  /** What each alias referred to where it was first met. */
  targets: Map<Alias, Node>;
  /** Anchored nodes that have been met. */
  met: Set<Node>;
  /** Anchors that are being written out, against those inside themselves. */
  open: Set<Node>;
}

const CORE_TAGS = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  name => `tag:yaml.org,2002:${name}`,
);

/** A YAML node as plain JSON values. What cannot be is reported, and undefined in the result. */
export function toJson(node: unknown, options: Options): unknown {
  return convertNode(node, [], {
    ...options,
    anchors: new Map(),
    targets: new Map(),
    met: new Set(),
    open: new Set(),
  });
}

function convertNode(node: unknown, path: Path, conversion: Conversion): unknown {
  const { budget, report } = conversion;
  budget.values -= 1;
  if (budget.values < 0 || path.length > MAX_DEPTH) {
    if (budget.values === -1 || path.length > MAX_DEPTH) {
      report(
        path,
        'makes the text too large when anchors are written out: use fewer aliases, or split it',
      );
    }
    return undefined;
  }
  if (isAlias(node)) {
    return convertAlias(node, path, conversion);
  }
  if (isScalar(node) || isMap(node) || isSeq(node)) {
    return convertTagged(node, path, conversion);
  }
  return null;
}

function convertTagged(node: Node, path: Path, conversion: Conversion): unknown {
  if (node.tag && node.tag !== '!' && !CORE_TAGS.includes(node.tag)) {
    conversion.report(
      path,
      `has the tag ${node.tag}, which is not known here: take it out`,
      offsetOf(node),
    );
    return undefined;
  }
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (anchor && !conversion.met.has(node)) {
    conversion.met.add(node);
    conversion.anchors.set(anchor, node);
  }
  conversion.open.add(node);
  const value = convertPlain(node, path, conversion);
  conversion.open.delete(node);
  return value;
}

function convertPlain(node: Node, path: Path, conversion: Conversion): unknown {
  if (isScalar(node)) {
    return convertScalar(node, path, conversion.report);
  }
  if (isSeq(node)) {
    return node.items.map((item, index) => convertNode(item, [...path, index], conversion));
  }
  return isMap(node) ? convertMap(node, path, conversion) : null;
}

function convertAlias(alias: Alias, path: Path, conversion: Conversion): unknown {
  const node = conversion.targets.get(alias) ?? conversion.anchors.get(alias.source);
  if (!node) {
    conversion.report(
      path,
      `refers to *${alias.source}, and there is no &${alias.source} before it`,
      offsetOf(alias),
    );
    return undefined;
  }
  if (conversion.open.has(node)) {
    conversion.report(path, `refers to *${alias.source} inside itself`, offsetOf(alias));
    return undefined;
  }
  conversion.targets.set(alias, node);
  return convertTagged(node, path, conversion);
}

function convertScalar(node: Scalar, path: Path, report: ReportAt): unknown {
  const source = node.source ?? String(node.value ?? '');
  const isText = node.tag ? node.tag === '!' || node.tag.endsWith(':str') : node.type !== 'PLAIN';
  if (isText) {
    return source;
  }
  const scalar = resolveScalar(source);
  if ('unfit' in scalar) {
    report(path, `${scalar.unfit}: quote it if it is text`, offsetOf(node));
    return undefined;
  }
  return scalar.value ?? null;
}

function convertMap(map: YAMLMap, path: Path, conversion: Conversion): Record<string, unknown> {
  const { report } = conversion;
  const result: Record<string, unknown> = {};
  const merged = new Set<string>();
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      const sources = (isSeq(value) ? value.items : [value]).map(source =>
        mergeSource(source, path, conversion),
      );
      mergeMaps({ sources, into: result, merged, path, report });
      continue;
    }
    const name = keyName(key, path, conversion);
    if (name === undefined) {
      continue;
    }
    if (Object.hasOwn(result, name) && !merged.delete(name)) {
      report([...path, name], 'is given twice: take one out', offsetOf(key));
    }
    result[name] = convertNode(value, [...path, name], conversion);
  }
  return result;
}

function mergeSource(source: unknown, path: Path, conversion: Conversion): MergeSource {
  return {
    value: convertNode(source, path, conversion),
    name: isAlias(source) ? `*${source.source}` : '<<',
    offset: offsetOf(source),
  };
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<' && !key.tag;
}

/** Keys are text; read as kubectl does, numbers and truth values are written out (`yes:` is the key `true`). */
function keyName(key: unknown, path: Path, { keys, report }: Conversion): string | undefined {
  const value = isScalar(key) ? keyValue(key, path, { keys, report }) : undefined;
  if (value === undefined || value === null) {
    report(path, 'has a key that is neither text nor a number: write it as text', offsetOf(key));
    return undefined;
  }
  if (value === '__proto__') {
    report(path, 'has the key __proto__, which is not accepted', offsetOf(key));
    return undefined;
  }
  return String(value);
}

function keyValue(
  key: Scalar,
  path: Path,
  { keys, report }: Pick<Options, 'keys' | 'report'>,
): unknown {
  return keys === 'asWritten' && key.source !== '' ? key.source : convertScalar(key, path, report);
}

export function offsetOf(node: unknown): number | undefined {
  return isRecord(node) && Array.isArray(node.range) && typeof node.range[0] === 'number'
    ? node.range[0]
    : undefined;
}
