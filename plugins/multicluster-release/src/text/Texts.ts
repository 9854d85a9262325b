import type { messages } from '../translation';
import type { Formats } from './formats';

type MessageKey = keyof typeof messages;
type WithoutPlural<TKey extends string> = TKey extends `${infer TBase}_${'zero' | 'one' | 'other'}`
  ? TBase
  : TKey;

/** A key of messages.ts, plural forms under their common name. */
export type TextKey = WithoutPlural<MessageKey>;
export type TextParams = Record<string, string | number>;
export type Translate = (key: TextKey, params?: TextParams) => string;

/** What components write with: texts, and numbers and times in the same language. */
export interface Texts extends Formats {
  text: Translate;
  language: string;
}
