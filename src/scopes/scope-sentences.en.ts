/** Says in English what each scope opens, as the catalogue has it, and what it opens besides. */
import { CATALOG, type Scope } from './catalog.ts';

const BESIDES: Readonly<Partial<Record<Scope, string>>> = { BOOKING_WRITE: ', move and cancel them' };

export const SENTENCES_EN = Object.fromEntries(
  CATALOG.definitions.map(({ name, words }) => [name, words + (BESIDES[name] ?? '')]),
) as Readonly<Record<Scope, string>>;
