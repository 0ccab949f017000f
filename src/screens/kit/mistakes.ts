import { type Mistake, Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Path } from '../../core/text.ts';
import { problemWords, textOf } from './words/problem-words.ts';

/** A field of a form, and what a mistake there is about: its label, or one of the lines in it. */
export interface Control {
  readonly name: string;
  readonly subject: string;
}

/** What a form knows of its mistakes. */
export interface FormWords {
  /** What its fields are called, by the first name in the path of a mistake. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where the form calls its fields otherwise than the command does: that of a path, undefined if it is about the whole. */
  readonly controlOf?: (path: Path) => Control | undefined;
  /**
   * What it says of a mistake in words of its own, by code, or by code and the command's field: `TOO_SHORT`, `TOO_SHORT password`.
   * What the control is about comes before it.
   */
  readonly texts?: Readonly<Partial<Record<ProblemCode | `${ProblemCode} ${string}`, string>>>;
}

/** Why a form cannot be read, in words for its reader, each at its field. */
export class FormProblem extends Problem {}

/**
 * What is wrong, in words for a reader of this locale: the form's own, else those of the code with the field's label in
 * front, else in English as the problem says it.
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
