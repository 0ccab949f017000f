import { describe, expect, test } from 'vitest';
import { inLanguages, languageOf, listed, pluralIn } from '../../src/core/language.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['en-GB', 'en'],
  // Not spoken, so that English is.
  ['fr', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('a reader of "%s" is spoken to in %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});

describe('a table of words', () => {
  const words = inLanguages(
    { guests: (count: number) => pluralIn('en')(count, { one: '1 guest', other: `${count} guests` }) },
    { de: { guests: (count) => pluralIn('de')(count, { one: '1 Gast', other: `${count} Gäste` }) } },
  );

  test.each([
    ['en', ['0 guests', '1 guest', '2 guests']],
    ['de-AT', ['0 Gäste', '1 Gast', '2 Gäste']],
    ['pt-BR', ['0 guests', '1 guest', '2 guests']],
  ])('for %s is looked up by the locale, with the forms of each count', (locale, expected) => {
    expect([0, 1, 2].map(words(locale).guests)).toEqual(expected);
  });

  test('has the keys of the English one, no fewer and no more', () => {
    const tables = [
      // @ts-expect-error A key is missing.
      inLanguages({ hello: 'Hello', bye: 'Bye' }, { de: { hello: 'Hallo' } }),
      // @ts-expect-error A key is superfluous.
      inLanguages({ hello: 'Hello' }, { de: { hello: 'Hallo', bye: 'Tschüss' } }),
      // @ts-expect-error A language is missing.
      inLanguages({ hello: 'Hello' }, {}),
    ];
    // The compiler must refuse each line above.
    expect(tables).toHaveLength(3);
  });
});

test.each([
  ['en-US', 'Ada, Bob, and Cem'],
  ['de-CH', 'Ada, Bob und Cem'],
])('names are listed as %s does', (locale, expected) => {
  expect(listed(['Ada', 'Bob', 'Cem'], locale)).toBe(expected);
});
