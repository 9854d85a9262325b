import { messages } from './messages';
import zh from './zh';

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe('translations', () => {
  it('have the same keys in Chinese as in English', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(messages).sort());
  });

  it.each(Object.entries(messages))(
    '%s names the same parameters in both languages',
    (key, english) => {
      const chinese = zh[key as keyof typeof messages];
      expect(placeholders(chinese)).toEqual(placeholders(english));
      expect(chinese).not.toBe('');
    },
  );
});
