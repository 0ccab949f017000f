import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { InitialSchema } from './initial-schema.ts';

/** In order. Until the first release there is one, made from the entities; from then on they only go forward. */
export const MIGRATIONS: Constructor<Migration>[] = [InitialSchema];
