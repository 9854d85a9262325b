import type { TextKey, Texts } from './Texts';

/** Names that the server gives to stages. */
const GIVEN: Partial<Record<string, TextKey>> = {
  promotion: 'rail.promotionName',
  rollback: 'rail.rollbackName',
  removal: 'rail.removalName',
};

/** The name of a stage: those that the server gives are translated, those of a document are not. */
export function stageName(name: string, { text }: Texts): string {
  const key = GIVEN[name];
  return key ? text(key) : name;
}
