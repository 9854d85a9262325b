import { useEffect, useMemo, useState } from 'react';
import { appLanguageApiRef, useApiHolder, useTranslationRef } from '@backstage/frontend-plugin-api';
import { createFormats, type Texts, type Translate } from '../text';
import { multiclusterReleaseTranslationRef } from '../translation';

/** Texts and formats in the language that the app is set to. */
export function useTexts(): Texts {
  const { t } = useTranslationRef(multiclusterReleaseTranslationRef);
  const language = useLanguage();
  return useMemo(() => {
    // Keys are checked by TextKey; which parameters a text needs is known only at run time.
    const text = t as unknown as Translate;
    return { text, language, ...createFormats(language) };
  }, [t, language]);
}

/** Apps of the old frontend system may have no language API; then the browser's language counts. */
function useLanguage(): string {
  const api = useApiHolder().get(appLanguageApiRef);
  const [language, setLanguage] = useState(
    () => api?.getLanguage().language ?? globalThis.navigator?.language ?? 'en',
  );
  useEffect(() => {
    const subscription = api?.language$().subscribe(next => setLanguage(next.language));
    return () => subscription?.unsubscribe();
  }, [api]);
  return language;
}
