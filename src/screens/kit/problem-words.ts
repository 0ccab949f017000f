import { inLanguages } from '../../core/language.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Path } from '../../core/text.ts';
import { PROBLEM_DE } from './problem-words.de.ts';
import { PROBLEM_EN } from './problem-words.en.ts';

/** The words of pages for problems, for a reader of this locale. */
export const problemWords = inLanguages(PROBLEM_EN, { de: PROBLEM_DE });

/** The text for the code of a mistake, with its limit if it names one; the English message of the mistake if the code has no text. */
export function textOf({ code, message, bounds }: Mistake, locale: string): string {
  const { limits, texts } = problemWords(locale);
  return (bounds && limits[code]?.(bounds)) ?? texts[code] ?? message;
}

/** A field of a form, and what a mistake there is about: its label, or one of the lines in it. */
export interface Control {
  readonly name: string;
  readonly subject: string;
}

/** The words of a form for its mistakes. */
export interface FormWords {
  /** The labels of its fields, by the first name in the path of a mistake. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where the form calls its fields otherwise than the command does: that of a path, undefined if it is about the whole. */
  readonly controlOf?: (path: Path) => Control | undefined;
  /**
   * The words of its own for a mistake, by code, or by code and the command's field: `TOO_SHORT`, `TOO_SHORT password`.
   * The subject of the control comes before them.
   */
  readonly texts?: Readonly<Partial<Record<ProblemCode | `${ProblemCode} ${string}`, string>>>;
}

/** Why a form cannot be read, in words for its reader, each at its field. */
export class FormProblem extends Problem {}

/**
 * Words mistakes for a reader of this locale: in the form's own words, else in those of the code with the field's label
 * in front, else in English as the problem has them.
 */
export function mistakesIn(
  locale: string,
  problem: Problem | undefined,
  { labels = {}, controlOf, texts = {} }: FormWords = {},
): readonly Mistake[] {
  if (!problem || problem instanceof FormProblem) return problem?.mistakes ?? [];
  const words = problemWords(locale);
  const wait = 'secondsToWait' in problem ? words.wait(Number(problem.secondsToWait)) : '';
  return problem.mistakes.map((mistake) => {
    const { code, path: [field, ...inside] = [] } = mistake;
    const control = field === undefined ? undefined : controlOf?.([field, ...inside]);
    const own = texts[`${code} ${field}`] ?? texts[code];
    const subject = control?.subject ?? (own === undefined ? labels[field ?? ''] : undefined);
    const text = own ?? textOf(mistake, locale) + wait;
    const message = subject === undefined ? text : words.about(subject, text);
    if (!controlOf) return { ...mistake, message };
    return { code, message, ...(control && { path: [control.name] }) };
  });
}
