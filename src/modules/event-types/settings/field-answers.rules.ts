/** The answers to booking fields, which may be anything that JSON can say: tidied and checked by the type of the field. */
import { phoneMistake, tidyPhone } from '../../../core/phone.ts';
import type { Mistake } from '../../../core/problem.ts';
import { emailMistake, type Path, shown, textMistake, tidyText, urlMistake } from '../../../core/text.ts';
import { type BookingField, type BookingFieldType, MAX_ANSWER } from './booking-field.rules.ts';

/** The answer to a booking field: text, a number, yes or no, or several texts. */
export type Response = string | number | boolean | readonly string[];

export const RESPONSE_CODES = [
  'REQUIRED',
  'UNKNOWN_FIELD',
  'INVALID_RESPONSE',
  'TOO_LONG',
  'TOO_MANY',
  'INVALID_TEXT',
  'INVALID_EMAIL',
  'INVALID_URL',
  'INVALID_PHONE',
] as const;

/** This many characters may all answers of one person have together. */
const MAX_CHARACTERS = 20_000;

type Check = (path: Path, answer: unknown, field: BookingField) => Mistake | readonly Mistake[] | undefined;

/** The check of an answer to each type of field. */
const CHECKS: Readonly<Record<BookingFieldType, Check>> = {
  TEXT: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.line })),
  TEXTAREA: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.lines, multiline: true })),
  ADDRESS: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.line, multiline: true })),
  PHONE: text(phoneMistake),
  EMAIL: text(emailMistake),
  URL: text(urlMistake),
  SELECT: text(optionMistake),
  RADIO: text(optionMistake),
  MULTI_SELECT: texts(optionMistake),
  CHECKBOX: texts(optionMistake),
  MULTI_EMAIL: texts(emailMistake),
  NUMBER: (path, answer) => (Number.isFinite(answer) ? undefined : wrongType(path, 'a number')),
  BOOLEAN: (path, answer) => (typeof answer === 'boolean' ? undefined : wrongType(path, 'true or false')),
};

/** The answers as they are stored and checked: texts tidied, blank ones and nulls left out. */
export function tidyResponses(
  fields: readonly BookingField[],
  responses: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const phones = new Set(fields.filter(({ type }) => type === 'PHONE').map(({ slug }) => slug));
  const tidied = Object.entries(responses)
    .filter(([, answer]) => !isBlank(answer))
    .map(([slug, answer]) => [slug, tidyAnswer(answer, phones.has(slug) ? tidyPhone : tidyText)]);
  return Object.fromEntries(tidied);
}

/**
 * Everything that is wrong with (tidied) answers, which may be anything that JSON can say, at `path` and the field's slug.
 * A blank answer is none; a required BOOLEAN must be true, as a box that must be ticked.
 */
export function responseMistakes(
  path: Path,
  fields: readonly BookingField[],
  responses: Readonly<Record<string, unknown>>,
): readonly Mistake[] {
  const known = new Set(fields.map(({ slug }) => slug));
  const unknown = Object.keys(responses).find((slug) => !known.has(slug));
  // Only the first: an object may have a million keys.
  const stray = unknown === undefined ? [] : [unknownField(path, unknown)];
  const mistakes = [...stray, ...fields.flatMap((field) => answerMistakes(path, field, responses))];
  // An answer of the wrong kind is refused before its size is measured.
  if (mistakes.length > 0) return mistakes;
  const characters = JSON.stringify(responses).length;
  if (characters <= MAX_CHARACTERS) return [];
  const message = `The answers have ${characters} characters together; ${MAX_CHARACTERS} are possible: shorten them.`;
  return [{ code: 'TOO_LONG', message, path, bounds: { given: characters, most: MAX_CHARACTERS } }];
}

function answerMistakes(
  path: Path,
  field: BookingField,
  responses: Readonly<Record<string, unknown>>,
): readonly Mistake[] {
  const own: Path = [...path, field.slug];
  const answer = Object.hasOwn(responses, field.slug) ? responses[field.slug] : undefined;
  if (isBlank(answer) || (field.isRequired && answer === false)) return field.isRequired ? [missing(own, field)] : [];
  return [CHECKS[field.type](own, answer, field) ?? []].flat();
}

function tidyAnswer(answer: unknown, tidy: (text: string) => string): unknown {
  if (typeof answer === 'string') return tidy(answer);
  return Array.isArray(answer) ? answer.map((one: unknown) => (typeof one === 'string' ? tidy(one) : one)) : answer;
}

function isBlank(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (typeof answer === 'string') return answer.trim() === '';
  return Array.isArray(answer) && answer.length === 0;
}

function text(check: (path: Path, answer: string, field: BookingField) => Mistake | undefined): Check {
  return (path, answer, field) => (typeof answer === 'string' ? check(path, answer, field) : wrongType(path, 'a text'));
}

function texts(check: (path: Path, answer: string, field: BookingField) => Mistake | undefined): Check {
  return (path, answer, field) => {
    if (!Array.isArray(answer) || !answer.every((one): one is string => typeof one === 'string')) {
      return wrongType(path, 'a list of texts');
    }
    const max = field.options.length || MAX_ANSWER.emails;
    if (answer.length > max) {
      const message = `There are ${answer.length} answers to ${shown(field.label)}; give at most ${max}.`;
      return { code: 'TOO_MANY', message, path, bounds: { given: answer.length, most: max } };
    }
    return answer.map((one, index) => check([...path, String(index)], one, field)).filter((one) => one !== undefined);
  };
}

function optionMistake(path: Path, answer: string, { label, options }: BookingField): Mistake | undefined {
  if (options.includes(answer)) return undefined;
  const message = `${shown(answer)} is none of the options of ${shown(label)}; choose one of them.`;
  return { code: 'INVALID_RESPONSE', message, path };
}

function wrongType(path: Path, what: string): Mistake {
  return { code: 'INVALID_RESPONSE', message: `The answer to "${path.at(-1)}" must be ${what}.`, path };
}

function missing(path: Path, { label }: BookingField): Mistake {
  return { code: 'REQUIRED', message: `${shown(label)} must be answered.`, path };
}

function unknownField(path: Path, slug: string): Mistake {
  const message = `${shown(slug)} is no field that can be answered here; leave it out.`;
  return { code: 'UNKNOWN_FIELD', message, path };
}
