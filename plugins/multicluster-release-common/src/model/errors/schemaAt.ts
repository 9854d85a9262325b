import { z } from 'zod';
import type { Path } from './path';

/** The schemas that may apply at a path: several where unions fork. */
function schemasAt(root: z.core.$ZodType, path: Path): z.core.$ZodType[] {
  return path.reduce<z.core.$ZodType[]>(
    (schemas, part) => schemas.flatMap(schema => childSchemas(schema, part)),
    unwrap(root),
  );
}

/** Keys that an object may have there. */
export function knownKeysAt(root: z.core.$ZodType, path: Path): string[] {
  const keys = schemasAt(root, path).flatMap(schema =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  return [...new Set(keys)];
}

/** Branches of the union there, in order. */
export function branchesAt(root: z.core.$ZodType, path: Path): readonly z.core.$ZodType[] {
  const parents = path.length === 0 ? [root] : childrenBeforeUnwrapping(root, path);
  const union = parents.map(innermost).find(schema => schema instanceof z.ZodUnion);
  return union ? union.options : [];
}

function childrenBeforeUnwrapping(root: z.core.$ZodType, path: Path): z.core.$ZodType[] {
  return schemasAt(root, path.slice(0, -1)).flatMap(schema =>
    directChildren(schema, path[path.length - 1]),
  );
}

function childSchemas(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  return directChildren(schema, part).flatMap(unwrap);
}

function directChildren(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = schema.shape;
    return Object.hasOwn(shape, part) ? [shape[part]] : [];
  }
  if (schema instanceof z.ZodArray) {
    return [schema.element];
  }
  return schema instanceof z.ZodRecord ? [schema.valueType] : [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const inner = innermost(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(unwrap) : [inner];
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innermost(schema.unwrap())
    : schema;
}
