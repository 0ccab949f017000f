import { describe, expect, test } from 'vitest';
import { checkedFields, type FieldRules } from '../../src/core/fields.ts';
import { Problem } from '../../src/core/problem.ts';
import { textMistake, tidyText } from '../../src/core/text.ts';

interface Thing {
  readonly name: string;
  readonly note: string | null;
  readonly size: number;
}

const RULES: FieldRules<Thing> = {
  name: { tidy: tidyText, check: (path, name) => textMistake(path, name, { max: 5 }) },
  note: { nullable: true, check: (path, note) => textMistake(path, note, { max: 5 }) },
  size: {
    check: (path, size) => (size > 0 ? undefined : [{ code: 'OUT_OF_RANGE', message: 'It is too small.', path }]),
  },
};

test('given fields are kept as they are stored, and absent ones stay absent', () => {
  expect(checkedFields({ name: ' ab ' }, RULES)).toEqual({ name: 'ab' });
  expect(checkedFields({ name: 'ab', note: undefined }, RULES)).toEqual({ name: 'ab' });
  expect(checkedFields({}, RULES)).toEqual({});
});

test('fields without a rule are dropped', () => {
  const given = { name: 'ab', ownerId: 'usr_1' };
  expect(checkedFields(given, RULES)).toEqual({ name: 'ab' });
});

test('null clears what can be empty, and is a mistake elsewhere', () => {
  expect(checkedFields({ note: null }, RULES)).toEqual({ note: null });
  expect(mistakesOf(() => checkedFields({ name: null }, RULES))).toEqual(['REQUIRED name']);
});

describe('mistakes', () => {
  test('are told all at once', () => {
    const given = { name: 'too long', note: 'too long', size: 0 };
    expect(mistakesOf(() => checkedFields(given, RULES))).toEqual([
      'TOO_LONG name',
      'TOO_LONG note',
      'OUT_OF_RANGE size',
    ]);
  });
});

function mistakesOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.mistakes.map(({ code, path = [] }) => [code, ...path].join(' '));
  }
}
