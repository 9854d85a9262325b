const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

const BY_KEY: Record<string, readonly string[]> = {
  env: ['value', 'valueFrom'],
  livenessProbe: HANDLERS,
  readinessProbe: HANDLERS,
  startupProbe: HANDLERS,
  postStart: HANDLERS,
  preStop: HANDLERS,
};

/**
 * Members of which an object may have only one: what a patch sets drives the
 * others out, for example a literal value the reference that stood there (C44).
 */
export function exclusiveMembers(path: readonly string[], base: object, patch: object): string[] {
  const key = path.at(-1) ?? '';
  const rivals = key === 'volumes' ? volumeSources(base, patch) : BY_KEY[key] ?? [];
  const set = rivals.filter(member => member in patch);
  if (key === 'strategy' || key === 'updateStrategy') {
    return 'type' in patch && !('rollingUpdate' in patch) && patch.type !== 'RollingUpdate'
      ? ['rollingUpdate']
      : [];
  }
  return set.length === 0 ? [] : rivals.filter(member => !set.includes(member));
}

/** Everything in a volume but its name says where it comes from. */
function volumeSources(base: object, patch: object): string[] {
  return [...new Set([...Object.keys(base), ...Object.keys(patch)])].filter(
    key => key !== 'name' && !key.startsWith('$'),
  );
}
