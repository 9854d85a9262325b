/** What a text may cost. A text from outside could otherwise fill the memory with a few lines of aliases. */
export interface YamlLimits {
  /** In characters. */
  maxLength: number;
  /** Values after aliases are written out, over the whole text. */
  maxValues: number;
  maxDocuments: number;
}

/** Deeper than any definition in use. Far deeper texts end the process inside the YAML library. */
export const MAX_DEPTH = 200;

/** More faults than a person reads at once. */
export const MAX_PROBLEMS = 100;

export const DOCUMENT_LIMITS: YamlLimits = { maxLength: 1_048_576, maxValues: 100_000, maxDocuments: 200 };

/** Manifests carry whole definitions of custom resources. */
export const MANIFEST_LIMITS: YamlLimits = { maxLength: 16_777_216, maxValues: 2_000_000, maxDocuments: 10_000 };
