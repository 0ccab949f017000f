import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { sha256Hex } from '../../core/secret.ts';
import { InitialSchema, SQL } from './initial-schema.ts';

/**
 * In order. Until the first release there is one, made from the entities; from then on they only go forward. A database keeps
 * the names of those that it has had: with the hash in it, that of the first says which state of the entities made it.
 */
export const MIGRATIONS: { readonly name: string; readonly class: Constructor<Migration> }[] = [
  { name: `initial-schema-${sha256Hex(SQL).slice(0, 12)}`, class: InitialSchema },
];
