/** One thing that is wrong with a document. `message` follows on the place: "`spec.steps` is not a known field". */
export interface DocumentError {
  /** `ClusterRelease/release-v2`, or `document 2` where it has no name. */
  document: string;
  /** For example `spec.strategy.canary.steps[0].metrics`; empty: the document as a whole. */
  path: string;
  message: string;
  /** The nearest valid key or value, or what to write. */
  suggestion?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  column?: number;
}
