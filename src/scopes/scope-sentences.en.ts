/** Says in English what each scope opens, as the catalogue has it. */
import { CATALOG, type Scope } from './catalog.ts';

export const SENTENCES_EN = Object.fromEntries(CATALOG.definitions.map(({ name, words }) => [name, words])) as Readonly<
  Record<Scope, string>
>;
