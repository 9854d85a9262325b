import { isAlias, isMap, isScalar, isSeq, visit, type Node } from 'yaml';
import type { Path } from '../errors/path';
import { placeOf, type YamlDocument } from './readYaml';
import { offsetOf } from './toJson';

export interface Place {
  line?: number;
  column?: number;
  /** The value as written, where it is a single word, number or text. */
  written?: string;
}

/** Where the value at the path stands; the nearest place above it where it is not there itself. */
export function locate(document: YamlDocument, path: Path): Place {
  let node: unknown = document.node;
  let offset = offsetOf(node);
  for (const [position, part] of path.entries()) {
    const child = childOf(followAlias(node, document), part);
    if (!child) {
      return placeOf(offset, document.lines);
    }
    offset = offsetOf(child.key) ?? offsetOf(child.value) ?? offset;
    node = child.value;
    if (position === path.length - 1 && isScalar(node)) {
      return { ...placeOf(offset, document.lines), written: node.source };
    }
  }
  return placeOf(offset, document.lines);
}

function childOf(
  node: unknown,
  part: string | number,
): { key?: unknown; value: unknown } | undefined {
  if (isSeq(node) && typeof part === 'number') {
    return part < node.items.length ? { value: node.items[part] } : undefined;
  }
  return isMap(node)
    ? node.items.find(({ key }) => isScalar(key) && key.source === String(part))
    : undefined;
}

function followAlias(node: unknown, document: YamlDocument): unknown {
  if (!isAlias(node)) {
    return node;
  }
  let target: Node | undefined;
  visit(document.node, {
    Node: (_key, candidate) => {
      if (!isAlias(candidate) && 'anchor' in candidate && candidate.anchor === node.source) {
        target = candidate;
      }
    },
  });
  return target;
}
