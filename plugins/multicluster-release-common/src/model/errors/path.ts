import { consistsOf, isAlphanumeric } from '../primitives/characters';

export type Path = (string | number)[];

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `spec.strategy.canary.steps[0].metrics`; keys with other characters stand in brackets. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') {
      return `${text}[${part}]`;
    }
    if (
      !consistsOf(
        part,
        character => isAlphanumeric(character) || character === '_' || character === '-',
      )
    ) {
      return `${text}[${JSON.stringify(part)}]`;
    }
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** What stands at the path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((current, part) => {
    if (Array.isArray(current)) {
      return typeof part === 'number' ? current[part] : undefined;
    }
    return isRecord(current) && Object.hasOwn(current, part) ? current[part] : undefined;
  }, value);
}
