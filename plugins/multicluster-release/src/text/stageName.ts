import type { TextKey, Texts } from './Texts';

/** Names that the server gives, by the kind of stage: a document may give the same ones to stages of other kinds. */
const GIVEN: Partial<Record<string, Partial<Record<string, TextKey>>>> = {
  promotion: { promotion: 'rail.promotionName' },
  rollback: { rollback: 'rail.rollbackName', removal: 'rail.removalName' },
};

export interface NamedStage {
  name: string;
  /** Undefined where it is not known; then the name stays as it is. */
  kind?: string;
}

/** The name of a stage: those that the server gives are translated, those of a document are not. */
export function stageName({ name, kind = '' }: NamedStage, { text }: Texts): string {
  const key = GIVEN[kind]?.[name];
  return key ? text(key) : name;
}
