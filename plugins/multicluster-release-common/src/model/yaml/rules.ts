/** How a text is read, and what it may cost: from outside, a few lines of aliases could otherwise fill the memory. */
export interface YamlRules {
  /**
   * `asRead`: as kubectl has it, where the key `on` becomes `true` and `010` becomes `8`.
   * `asWritten`: the format has fields that are called `on`.
   */
  keys: 'asRead' | 'asWritten';
  /** In characters. */
  maxLength: number;
  /** Values after aliases are written out, over the whole text. */
  maxValues: number;
  maxDocuments: number;
}

/** Deeper than any definition in use. Far deeper texts end the process inside the YAML library. */
export const MAX_DEPTH = 200;

export const DOCUMENT_RULES: YamlRules = {
  keys: 'asWritten',
  maxLength: 262_144,
  maxValues: 50_000,
  maxDocuments: 200,
};

/** Manifests carry whole definitions of custom resources. */
export const MANIFEST_RULES: YamlRules = {
  keys: 'asRead',
  maxLength: 16_777_216,
  maxValues: 2_000_000,
  maxDocuments: 10_000,
};
