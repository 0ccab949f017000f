/** words/ holds what the pages about an account say in each language. */
import { inLanguages } from '../../../core/language.ts';
import type { FormWords } from '../../kit/problem-words.ts';
import { AUTH_DE } from './auth-words.de.ts';
import { AUTH_EN } from './auth-words.en.ts';

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
