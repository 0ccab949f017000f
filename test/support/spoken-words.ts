import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { parseSync, Visitor } from 'oxc-parser';
import type { Language } from '../../src/core/language.ts';

/** The texts of a file of words: its strings, and the fixed parts of its templates, without markup. */
export function textsIn(path: string): readonly string[] {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const texts: string[] = [];
  /** Texts that no reader sees: imports, and keys. */
  const names = new Set<unknown>();
  new Visitor({
    ImportDeclaration: ({ source }) => names.add(source),
    Property: ({ key }) => names.add(key),
    Literal: (node) => {
      if (typeof node.value === 'string' && !names.has(node)) texts.push(node.value);
    },
    TemplateElement: ({ value }) => texts.push(value.cooked ?? ''),
  }).visit(program);
  return texts.map((text) => text.replaceAll(/<[^>]*>/g, ' '));
}

/** The files that hold the words of one language. */
export async function wordFiles(language: Language): Promise<readonly string[]> {
  return (await Array.fromAsync(glob(`src/**/*.${language}{.rules,}.ts`))).toSorted();
}

/** Words of two letters and more, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}

/** Tells which words of a text a language has in none of its tables, nor in its dates; `said` is what others have said in it. */
export async function foreignTo(
  language: Exclude<Language, 'en'>,
): Promise<(text: string, said: unknown) => readonly string[]> {
  const files = await wordFiles(language);
  const known = new Set([...files.flatMap(textsIn), ...dateTexts(language)].flatMap(wordsOf));
  return (text, said) => {
    const others = new Set(stringsIn(said).flatMap(wordsOf));
    return [...new Set(wordsOf(text))].filter((word) => !known.has(word) && !others.has(word));
  };
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Each day of the week and month, in each length, and an hour. */
function dateTexts(language: Language): readonly string[] {
  const firsts = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1, 12)));
  const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1, 12)));
  const shortDay = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  return [
    ...week.map((day) => shortDay.format(day)),
    ...[...firsts, ...week].flatMap((day) =>
      (['full', 'medium'] as const).map((dateStyle) =>
        new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short', timeZone: 'UTC' }).formatRange(
          day,
          day.getTime() + 3_600_000,
        ),
      ),
    ),
  ];
}
