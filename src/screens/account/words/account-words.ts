import { inLanguages } from '../../../core/language.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import { ACCOUNT_DE } from './account-words.de.ts';
import { ACCOUNT_EN } from './account-words.en.ts';
import { authWords } from './auth-words.ts';

/** What the page of one's account and the start page say, for a reader of this locale. */
export const accountWords = inLanguages(ACCOUNT_EN, { de: ACCOUNT_DE });

/** What the page of the account calls its fields and says of mistakes in them. */
export function accountForm(locale: string): FormWords {
  const [auth, own] = [authWords(locale), accountWords(locale)];
  return { labels: { ...auth.fields, ...own.fields }, texts: { ...auth.texts, ...own.texts } };
}
