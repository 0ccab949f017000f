import { describe, expect, test } from 'vitest';
import {
  type Answers,
  type Condition,
  conditionMistakes,
  holds,
} from '../../../src/modules/routing-forms/condition.rules.ts';
import type { FormField, FormFieldType } from '../../../src/modules/routing-forms/form-field.rules.ts';
import { routingOf } from '../../../src/modules/routing-forms/routing-form.rules.ts';

const field = (slug: string, type: FormFieldType, options: readonly string[] = []): FormField => ({
  slug,
  type,
  label: slug,
  isRequired: false,
  options,
  placeholder: null,
});
const FIELDS = [
  field('text', 'TEXT'),
  field('number', 'NUMBER'),
  field('phone', 'PHONE'),
  field('one', 'SELECT', ['Red', 'Blue']),
  field('some', 'MULTI_SELECT', ['Red', 'Blue', 'Green']),
];
const condition = (slug: string, operator: Condition['operator'], ...values: string[]): Condition => ({
  field: slug,
  operator,
  values,
});

describe('a condition holds or not:', () => {
  test.each<[string, Condition, Answers, boolean]>([
    ['a text in other capitals', condition('text', 'EQUALS', 'Acme'), { text: 'ACME' }, true],
    ['another text', condition('text', 'EQUALS', 'Acme'), { text: 'Acme Ltd' }, false],
    ['a text that is left open is not the value', condition('text', 'NOT_EQUALS', 'Acme'), {}, true],
    ['a part of a text', condition('text', 'CONTAINS', 'ltd'), { text: 'Acme Ltd' }, true],
    ['no part of it', condition('text', 'NOT_CONTAINS', 'ltd'), { text: 'Acme Ltd' }, false],
    ['nothing holds no part', condition('text', 'NOT_CONTAINS', 'ltd'), {}, true],
    ['one of several texts', condition('text', 'ANY_OF', 'a', 'b'), { text: 'B' }, true],
    ['numbers are compared as such', condition('number', 'GREATER_THAN', '9'), { number: 10 }, true],
    ['a number is not greater than itself', condition('number', 'GREATER_THAN', '9'), { number: 9 }, false],
    ['a smaller number', condition('number', 'LESS_THAN', '-1.5'), { number: -2 }, true],
    ['no number is neither greater', condition('number', 'GREATER_THAN', '-1'), {}, false],
    ['nor less', condition('number', 'LESS_THAN', '1'), {}, false],
    ['a number however it is written', condition('number', 'EQUALS', '1.50'), { number: 1.5 }, true],
    [
      'a phone number however it is written',
      condition('phone', 'EQUALS', '+49 30 123456'),
      { phone: '+4930123456' },
      true,
    ],
    ['one of the options', condition('one', 'ANY_OF', 'Red', 'Blue'), { one: 'Blue' }, true],
    ['none of them', condition('one', 'NONE_OF', 'Red'), { one: 'Blue' }, true],
    ['nothing is none of them', condition('one', 'NONE_OF', 'Red'), {}, true],
    ['some of several', condition('some', 'ANY_OF', 'Red', 'Green'), { some: ['Blue', 'Green'] }, true],
    ['all of several', condition('some', 'ALL_OF', 'Red', 'Green'), { some: ['Green', 'Blue', 'Red'] }, true],
    ['not all of them', condition('some', 'ALL_OF', 'Red', 'Green'), { some: ['Green'] }, false],
    ['empty', condition('text', 'IS_EMPTY'), {}, true],
    ['zero is an answer', condition('number', 'IS_NOT_EMPTY'), { number: 0 }, true],
    ['a key of every object is no answer', condition('text', 'IS_EMPTY'), Object.create({ text: 'inherited' }), true],
  ])('%s', (_, given, answers, is) => {
    expect(holds(given, FIELDS, answers)).toBe(is);
  });
});

describe('a condition is refused that', () => {
  test.each<[string, Condition, string]>([
    ['names no field', condition('gone', 'IS_EMPTY'), 'UNKNOWN_FIELD c.0.field'],
    ['asks what a text cannot be', condition('text', 'GREATER_THAN', '1'), 'NOT_POSSIBLE c.0.operator'],
    ['asks what several cannot be', condition('some', 'EQUALS', 'Red'), 'NOT_POSSIBLE c.0.operator'],
    ['compares with nothing', condition('text', 'EQUALS'), 'BAD_INPUT c.0.values'],
    ['compares with two', condition('text', 'EQUALS', 'a', 'b'), 'BAD_INPUT c.0.values'],
    ['compares emptiness', condition('text', 'IS_EMPTY', 'a'), 'BAD_INPUT c.0.values'],
    ['names no option', condition('one', 'ANY_OF', 'Red', 'Pink'), 'INVALID_RESPONSE c.0.values.1'],
    ['compares a number with a text', condition('number', 'LESS_THAN', 'many'), 'INVALID_RESPONSE c.0.values.0'],
    ['compares a text with nothing visible', condition('text', 'EQUALS', ''), 'REQUIRED c.0.values.0'],
  ])('%s', (_, given, mistake) => {
    const mistakes = conditionMistakes(['c'], [given], FIELDS);
    expect(mistakes.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([mistake]);
  });
});

const to = (message: string) => ({ type: 'MESSAGE', message }) as const;

test('the first route is taken of which all conditions hold, or any', () => {
  const conditions = [condition('text', 'EQUALS', 'a'), condition('number', 'GREATER_THAN', '1')];
  const routes = [
    { id: 'all', match: 'ALL', conditions, target: to('all') },
    { id: 'any', match: 'ANY', conditions, target: to('any') },
  ] as const;
  const form = { fields: FIELDS, routes, fallback: to('none') };
  expect(routingOf(form, { text: 'a', number: 2 }).routeId).toBe('all');
  expect(routingOf(form, { number: 2 }).routeId).toBe('any');
  expect(routingOf(form, {})).toEqual({ routeId: null, target: to('none') });
});
