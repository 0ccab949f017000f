import { inLanguages } from '../../../core/language.ts';
import type { FormWords } from '../../kit/problem-words.ts';
import { ACCOUNT_DE } from './account-words.de.ts';
import { ACCOUNT_EN } from './account-words.en.ts';
import { authWords } from './auth-words.ts';

/** The words of the account's page and the start page, for a reader of this locale. */
export const accountWords = inLanguages(ACCOUNT_EN, { de: ACCOUNT_DE });

/** The words that the account's page has for its fields and mistakes in them. */
export function accountForm(locale: string): FormWords {
  const [auth, own] = [authWords(locale), accountWords(locale)];
  return { labels: { ...auth.fields, ...own.fields }, texts: { ...auth.texts, ...own.texts } };
}
