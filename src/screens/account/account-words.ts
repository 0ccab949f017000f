import { inLanguages } from '../../core/language.ts';
import type { FormWords } from '../kit/problem-words.ts';
import { ACCOUNT_DE, AUTH_DE, STOPPED_DE } from './account-words.de.ts';
import { ACCOUNT_EN, AUTH_EN, STOPPED_EN } from './account-words.en.ts';

/**
 * The words of the pages on which somebody signs up, in or out, or follows the link of a mail, for a reader of this
 * locale.
 */
export const authWords = inLanguages(AUTH_EN, { de: AUTH_DE });
export type AuthWords = ReturnType<typeof authWords>;

/** The words that these pages have for their fields and mistakes in them. */
export function authForm(locale: string): FormWords {
  const { fields: labels, texts } = authWords(locale);
  return { labels, texts };
}

/** The words of the account's page and the start page, for a reader of this locale. */
export const accountWords = inLanguages(ACCOUNT_EN, { de: ACCOUNT_DE });

/** The words that the account's page has for its fields and mistakes in them. */
export function accountForm(locale: string): FormWords {
  const [auth, own] = [authWords(locale), accountWords(locale)];
  return { labels: { ...auth.fields, ...own.fields }, texts: { ...auth.texts, ...own.texts } };
}

/** The words of the page of what has stopped, for a reader of this locale. */
export const stoppedWords = inLanguages(STOPPED_EN, { de: STOPPED_DE });
