/**
 * Kinds that several services may bring (design rule "Inventory"): they bear no
 * stamp and no service label, are written under a field manager of the service's
 * own, so that two services do not drop each other's fields, and are removed
 * only on opt-in.
 */
const SHARED_KINDS: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition']);

export function isSharedKind(kind: string): boolean {
  return SHARED_KINDS.has(kind);
}

/** Kinds that are removed only where the template names them in `pruneAlso`. */
const OPT_IN_KINDS: ReadonlySet<string> = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'PersistentVolumeClaim',
  'PersistentVolume',
]);

export function needsPruneOptIn(kind: string): boolean {
  return OPT_IN_KINDS.has(kind);
}
