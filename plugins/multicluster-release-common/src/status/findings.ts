/** A text for a person that the page can translate: a code with parameters, and English beside it. */
export interface Message {
  code: string;
  params: Record<string, string | number>;
  message: string;
}

/** Something that a preview found. An `error` refuses the start. */
export interface Finding extends Message {
  severity: 'error' | 'warning' | 'info';
  cluster?: string;
  /** Document path, for example `spec.strategy.canary.steps[0].metrics`. */
  path?: string;
}
