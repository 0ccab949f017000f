import { inLanguages } from '../core/language.ts';
import { CATALOG, type Scope } from './catalog.ts';
import { SENTENCES_DE } from './scope-sentences.de.ts';

/** The sentences that say what each scope opens. This is English, as the catalogue has it. */
const SENTENCES_EN = Object.fromEntries(CATALOG.definitions.map(({ name, words }) => [name, words])) as Readonly<
  Record<Scope, string>
>;

/** Says what each scope opens, to a reader of this locale (BCP 47): a sentence by the name of the scope. */
export const scopeSentences = inLanguages(SENTENCES_EN, { de: SENTENCES_DE });
