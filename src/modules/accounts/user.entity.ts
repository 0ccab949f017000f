import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import type { TimeFormat, WeekDay } from './account.rules.ts';

/** A person who signs in. Reference table: small, read everywhere. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    /** Lower case: one account per address, however it is typed. */
    email: p.text().unique(),
    /** When its owner proved to read mail there; null until then, and after a change of the address. */
    emailVerifiedAt: p.type(InstantType).nullable(),
    username: p.text().unique(),
    name: p.text(),
    /** Argon2id as a PHC string. */
    passwordHash: p.text(),
    timeZone: p.text(),
    weekStart: p.text().$type<WeekDay>(),
    timeFormat: p.integer().$type<TimeFormat>(),
    locale: p.text(),
    bio: p.text().nullable(),
    avatarUrl: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    isAdministrator: p.boolean(),
    suspendedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
