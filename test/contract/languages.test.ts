import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/core/language.ts';
import { textsIn, wordFiles, wordsOf } from '../support/spoken-words.ts';

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
