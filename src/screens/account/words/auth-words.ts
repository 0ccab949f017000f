/** words/ holds what the pages about an account say in each language. */
import { inLanguages } from '../../../core/language.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import { AUTH_DE } from './auth-words.de.ts';
import { AUTH_EN } from './auth-words.en.ts';

/** What the pages say on which somebody signs up, in or out, or follows the link of a mail, for a reader of this locale. */
export const authWords = inLanguages(AUTH_EN, { de: AUTH_DE });
export type AuthWords = ReturnType<typeof authWords>;

/** What these pages call their fields and say of mistakes in them. */
export function authForm(locale: string): FormWords {
  const { fields: labels, texts } = authWords(locale);
  return { labels, texts };
}
