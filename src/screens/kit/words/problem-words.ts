import { inLanguages } from '../../../core/language.ts';
import type { Mistake } from '../../../core/problem.ts';
import { PROBLEM_DE } from './problem-words.de.ts';
import { PROBLEM_EN } from './problem-words.en.ts';

/** The words of pages for problems, for a reader of this locale. */
export const problemWords = inLanguages(PROBLEM_EN, { de: PROBLEM_DE });

/** A mistake by its code, with its limit if it names one; else in English as it says it itself. */
export function textOf({ code, message, bounds }: Mistake, locale: string): string {
  const { limits, texts } = problemWords(locale);
  return (bounds && limits[code]?.(bounds)) ?? texts[code] ?? message;
}
