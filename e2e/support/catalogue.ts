import { createRequire } from 'node:module';
import type { Locator } from '@playwright/test';
import { messages } from '../../plugins/multicluster-release/src/translation/messages';

// What a module without `type: module` exports by default comes wrapped in an import.
const { default: zh } = createRequire(import.meta.url)(
  '../../plugins/multicluster-release/src/translation/zh',
) as typeof import('../../plugins/multicluster-release/src/translation/zh');

type Key = keyof typeof messages;

/** A text of the pages in one language, with its parameters filled in. */
export function text(language: Language, key: Key, params: Record<string, string | number> = {}) {
  const pattern: string = language === 'en' ? messages[key] : zh[key];
  return pattern.replace(/\{\{(\w+)\}\}/g, (_, name) => String(params[name]));
}

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** English pieces of our texts, without what is filled in, what Chinese keeps, and what is too short to say anything. */
const PIECES = Object.entries(messages).flatMap(([key, english]) =>
  english
    .split(/\{\{\w+\}\}/)
    .map(piece => piece.replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, ''))
    .filter(piece => piece.length > 2 && !zh[key as Key].includes(piece)),
);

/** English of ours in what a person sees or hears below an element; what says that it is English may be. */
export async function englishBelow(root: Locator): Promise<string[]> {
  const shown = await root.evaluate(element => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts: (string | null)[] = [];
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement?.closest('[lang=en]:not(html)')) {
        texts.push(walker.currentNode.textContent);
      }
    }
    const labels = [...element.querySelectorAll('[aria-label]')];
    return [...texts, ...labels.map(label => label.getAttribute('aria-label'))].join('\n');
  });
  const isShown = (piece: string) =>
    new RegExp(`(?<![\\w-])${escape(piece)}(?![\\w-])`).test(shown);
  return [...new Set(PIECES)].filter(isShown);
}

function escape(piece: string): string {
  return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
