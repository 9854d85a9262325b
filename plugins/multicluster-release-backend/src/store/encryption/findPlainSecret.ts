import { hasSecretData } from './withholdSecretData';

/**
 * The path of the first Secret value in parsed documents, written as a manifest
 * or as an override's patch of a Secret; undefined where there is none.
 */
export function findPlainSecret(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (hasSecretData(value) || patchesSecret(value as Record<string, unknown>)) {
    return path;
  }
  for (const [key, child] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    const found = findPlainSecret(child, `${path}${step}`);
    if (found !== undefined) {
      return found.replace(/^\./, '');
    }
  }
  return undefined;
}

function patchesSecret(value: Record<string, unknown>): boolean {
  const target = value.target as { kind?: unknown } | null | undefined;
  return typeof target === 'object' && target?.kind === 'Secret' && value.patch !== undefined;
}
