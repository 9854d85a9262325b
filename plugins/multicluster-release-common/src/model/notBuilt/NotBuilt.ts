/** A field that this version accepts and cannot execute yet. */
export interface NotBuilt {
  document: string;
  /** For example `spec.strategy.canary.steps[0].metrics`. */
  path: string;
  /** What it needs, in a few words: `metric gates`. */
  feature: string;
  message: string;
}

/** One field that is not built. */
export interface NotBuiltRule {
  /** `*` is every entry of a list. */
  path: string[];
  feature: string;
  /** Values that ask for nothing beyond what is built, for example an explicit default. */
  builtValues?: (string | number | boolean)[];
}
