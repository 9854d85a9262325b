import { createFormats, type Texts } from '../text';
import { messages } from '../translation';
import zh from '../translation/zh';

/** Texts without an app: what tests of pure functions write with. */
export function createTexts(language: 'en' | 'zh', zone: string = 'UTC'): Texts {
  const catalogue: Record<string, string> = language === 'zh' ? zh : messages;
  const text: Texts['text'] = (key, params = {}) => {
    const none = params.count === 0 ? catalogue[`${key}_zero`] : undefined;
    const plural = `${key}_${params.count === 1 ? 'one' : 'other'}`;
    const template = catalogue[key] ?? none ?? catalogue[plural];
    if (template === undefined) {
      throw new Error(`There is no text ${key}`);
    }
    return template.replace(/\{\{(\w+)\}\}/g, (place, name) => String(params[name] ?? place));
  };
  return { text, language, ...createFormats(language, zone) };
}
