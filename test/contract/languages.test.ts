import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/core/language.ts';
import { textsIn, wordFiles, wordsOf } from '../support/spoken-words.ts';
import { readSources } from './import-graph.ts';

const OTHERS = LANGUAGES.filter((language): language is Exclude<Language, 'en'> => language !== 'en');

test.each(OTHERS)('%s has each table of words that English has, and no other', async (language) => {
  const inEnglish = await wordFiles('en');
  expect(inEnglish.length).toBeGreaterThan(2);
  expect(await wordFiles(language)).toEqual(inEnglish.map((path) => path.replace('.en.', `.${language}.`)));
});

test.each(OTHERS)('no sentence in %s is still the English one', async (language) => {
  const untranslated = (await wordFiles('en')).flatMap((path) => {
    const own = new Set(textsIn(path.replace('.en.', `.${language}.`)));
    return textsIn(path).filter((text) => wordsOf(text).length > 1 && own.has(text));
  });
  expect(untranslated).toEqual([]);
});

test.each(LANGUAGES)(
  'each table in %s stands in a file of that language, where the tests above find it',
  async (language) => {
    const table = new RegExp(`^export const \\w+_${language.toUpperCase()}\\b`, 'm');
    const paths = [...(await readSources('src'))].flatMap(([path, text]) => (table.test(text) ? [path] : []));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !path.includes(`.${language}.`))).toEqual([]);
  },
);
