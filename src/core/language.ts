/**
 * The languages that people are spoken to in. English is spoken where nobody asked for another one. The words of a mail
 * or a page stand in a table for each language, `….en.ts` and `….de.ts`; what has parts is a function in it.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of our words for a reader of `locale` (BCP 47): `de-AT` → `de`; English in place of one that we do not speak. */
export function languageOf(locale: string): Language {
  const [spoken = ''] = locale.toLowerCase().split('-', 1);
  return LANGUAGES.find((language) => language === spoken) ?? 'en';
}

/**
 * Makes one table of words in all languages, looked up by the reader's locale. A key that is missing in a table, or
 * that the English one does not have, does not compile.
 */
export function inLanguages<Words>(
  en: Words,
  others: Readonly<Record<Exclude<Language, 'en'>, NoInfer<Words>>>,
): (locale: string) => Words {
  const tables: Readonly<Record<Language, Words>> = { en, ...others };
  return (locale) => tables[languageOf(locale)];
}

const LISTS: Readonly<Record<Language, Intl.ListFormat>> = {
  en: new Intl.ListFormat('en'),
  de: new Intl.ListFormat('de'),
};

/** `Ada, Bob, and Cem`, `Ada, Bob und Cem` */
export function listed(names: readonly string[], locale: string): string {
  return LISTS[languageOf(locale)].format(names);
}

/** The forms that a counted thing has: `other`, and what else the language tells apart (CLDR). */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Chooses the form of a counted thing, for the words of one language: 1 guest, 2 guests. */
export function pluralIn(language: Language): (count: number, forms: Plural) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
