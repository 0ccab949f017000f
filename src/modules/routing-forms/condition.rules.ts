/** Decides whether the answers to a form meet the conditions of a route. */

import { tidyPhone } from '../../core/phone.ts';
import type { Mistake } from '../../core/problem.ts';
import { type Path, shown, textMistake, tidyText } from '../../core/text.ts';
import { MAX_ANSWER, MAX_OPTION_LENGTH, MAX_OPTIONS } from '../event-types/settings/booking-field.rules.ts';
import type { FormField, FormFieldType } from './form-field.rules.ts';

export const OPERATORS = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'GREATER_THAN',
  'LESS_THAN',
  'ANY_OF',
  'NONE_OF',
  'ALL_OF',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
] as const;
type Operator = (typeof OPERATORS)[number];

/** A condition on an answer: for a number, the values are numbers as texts; for a choice, options of it. */
export interface Condition {
  /** The slug of the field that is compared. */
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Answers to a form that were checked, by the slugs of its fields. */
export type Answers = Readonly<Record<string, unknown>>;

export const MAX_CONDITIONS = 10;
export const MAX_VALUES = MAX_OPTIONS;

const ABOUT_EMPTINESS: readonly Operator[] = ['IS_EMPTY', 'IS_NOT_EMPTY'];
const OF_SEVERAL: readonly Operator[] = ['ANY_OF', 'NONE_OF', 'ALL_OF'];
const OF_TEXT: readonly Operator[] = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'ANY_OF', 'NONE_OF'];

/** The operators that fit the answer to each type of field, beside those that ask whether there is one. */
const OPERATORS_OF: Readonly<Record<FormFieldType, readonly Operator[]>> = {
  TEXT: OF_TEXT,
  TEXTAREA: OF_TEXT,
  EMAIL: OF_TEXT,
  PHONE: OF_TEXT,
  NUMBER: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN', 'ANY_OF', 'NONE_OF'],
  SELECT: ['EQUALS', 'NOT_EQUALS', 'ANY_OF', 'NONE_OF'],
  MULTI_SELECT: ['ANY_OF', 'NONE_OF', 'ALL_OF'],
};

/** Whether an answer meets the operator. A question that is left open equals nothing and contains nothing. */
const HOLDS: Readonly<Record<Operator, (answers: readonly string[], values: readonly string[]) => boolean>> = {
  EQUALS: (answers, values) => answers[0] === values[0],
  NOT_EQUALS: (answers, values) => answers[0] !== values[0],
  CONTAINS: (answers, [value = '']) => answers.some((answer) => answer.includes(value)),
  NOT_CONTAINS: (answers, [value = '']) => !answers.some((answer) => answer.includes(value)),
  GREATER_THAN: ([answer], [value]) => answer !== undefined && Number(answer) > Number(value),
  LESS_THAN: ([answer], [value]) => answer !== undefined && Number(answer) < Number(value),
  ANY_OF: (answers, values) => answers.some((answer) => values.includes(answer)),
  NONE_OF: (answers, values) => !answers.some((answer) => values.includes(answer)),
  ALL_OF: (answers, values) => values.every((value) => answers.includes(value)),
  IS_EMPTY: (answers) => answers.length === 0,
  IS_NOT_EMPTY: (answers) => answers.length > 0,
};

/** Whether the condition holds for (checked) answers: texts are compared in any capitals. */
export function holds(
  { field: slug, operator, values }: Condition,
  fields: readonly FormField[],
  answers: Answers,
): boolean {
  const field = fields.find((one) => one.slug === slug);
  if (!field) return false;
  const answer = Object.hasOwn(answers, slug) ? answers[slug] : undefined;
  const given = answer == null ? [] : Array.isArray(answer) ? answer : [answer];
  const compared = (value: unknown) => comparable(field.type, String(value));
  return HOLDS[operator](given.map(compared), values.map(compared));
}

/** The condition as it is stored and checked. */
export function tidyCondition({ field, operator, values }: Condition): Condition {
  return { field, operator, values: values.map(tidyText) };
}

/** Everything that is wrong with the conditions of a route of a form that has these fields. */
export function conditionMistakes(
  path: Path,
  conditions: readonly Condition[],
  fields: readonly FormField[],
): readonly Mistake[] {
  if (conditions.length === 0) {
    return [{ code: 'REQUIRED', message: 'A route needs a condition; where none holds, the fallback is taken.', path }];
  }
  if (conditions.length > MAX_CONDITIONS) return [tooMany(path, 'conditions', conditions.length, MAX_CONDITIONS)];
  return conditions.flatMap((condition, index) => mistakesOf([...path, String(index)], condition, fields));
}

function mistakesOf(path: Path, condition: Condition, fields: readonly FormField[]): readonly Mistake[] {
  const { field: slug, operator, values } = condition;
  const field = fields.find((one) => one.slug === slug);
  if (!field) {
    const message = `${shown(slug)} is no field of this form; name one by its slug, or change the route with it.`;
    return [{ code: 'UNKNOWN_FIELD', message, path: [...path, 'field'] }];
  }
  const possible = [...OPERATORS_OF[field.type], ...ABOUT_EMPTINESS];
  if (!possible.includes(operator)) {
    const message = `${operator} says nothing of a field of type ${field.type}; use ${possible.join(', ')}.`;
    return [{ code: 'NOT_POSSIBLE', message, path: [...path, 'operator'] }];
  }
  const own: Path = [...path, 'values'];
  const countMistake = countMistakeOf(own, operator, values.length);
  if (countMistake) return [countMistake];
  return values
    .map((value, index) => valueMistake([...own, String(index)], value, field))
    .filter((mistake) => mistake !== undefined);
}

function countMistakeOf(path: Path, operator: Operator, count: number): Mistake | undefined {
  if (count > MAX_VALUES) return tooMany(path, 'values', count, MAX_VALUES);
  const isRight = ABOUT_EMPTINESS.includes(operator)
    ? count === 0
    : OF_SEVERAL.includes(operator)
      ? count > 0
      : count === 1;
  if (isRight) return undefined;
  const needed = ABOUT_EMPTINESS.includes(operator)
    ? 'no value'
    : OF_SEVERAL.includes(operator)
      ? 'one or more values'
      : 'one value';
  return { code: 'BAD_INPUT', message: `${operator} takes ${needed}; ${count} are given.`, path };
}

function valueMistake(path: Path, value: string, { type, slug, options }: FormField): Mistake | undefined {
  if (type === 'NUMBER') {
    if (value !== '' && Number.isFinite(Number(value))) return undefined;
    const message = `${shown(value)} is no number, which ${shown(slug)} asks for; write it as 12 or 12.5.`;
    return { code: 'INVALID_RESPONSE', message, path };
  }
  if (options.length === 0) return textMistake(path, value, { max: Math.max(MAX_ANSWER.line, MAX_OPTION_LENGTH) });
  if (options.includes(value)) return undefined;
  const message = `${shown(value)} is none of the options of ${shown(slug)}; choose one of them, or change the route with them.`;
  return { code: 'INVALID_RESPONSE', message, path };
}

function comparable(type: FormFieldType, text: string): string {
  if (type === 'NUMBER') return String(Number(text));
  return type === 'PHONE' ? tidyPhone(text) : text.toLowerCase();
}

function tooMany(path: Path, what: string, count: number, max: number): Mistake {
  return { code: 'TOO_MANY', message: `There are ${count} ${what}; at most ${max} are possible.`, path };
}
