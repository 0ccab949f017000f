/**
 * accounts/ owns users: their names, addresses and passwords. sign-in/ opens and ends sessions, links/ proves addresses
 * by mail. It is the leftmost module and imports none.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { metadataCheck } from '../../database/updates.ts';
import type { AccountOrigin, TimeFormat, WeekDay } from './account.rules.ts';
import type { LinkKind } from './links/account-mail.rules.ts';

/** Told of each change of a user, with its transaction: processes remember profiles (remembered-profiles.ts). */
export const USER_CHANGES = 'user_changes';

const MADE_BY_CHECK = {
  name: 'users_made_by_id_check',
  expression: "(made_by_id is null) = (origin <> 'ORGANIZATION')",
};

/** A person who signs in. Reference table: small, read everywhere. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    {
      name: 'users_verified_email_key',
      expression: 'create unique index users_verified_email_key on users (email) where email_verified_at is not null',
    },
    {
      name: 'users_unverified_email_idx',
      expression:
        'create index users_unverified_email_idx on users (email, created_at, id) where email_verified_at is null',
    },
  ],
  // By it, an owner's id says that it is a user's (core/id.ts).
  triggers: [
    {
      name: 'users_changes',
      timing: 'after',
      events: ['update', 'delete'],
      forEach: 'statement',
      body: `perform pg_notify('${USER_CHANGES}', ''); return null`,
    },
  ],
  checks: [
    { name: 'users_id_check', expression: 'get_byte(uuid_send(id), 15) % 2 = 0' },
    metadataCheck('users'),
    MADE_BY_CHECK,
  ],
  properties: {
    id: p.uuid().primary(),
    /** Lower case. One verified account has it; unverified ones, of which anybody can make any number, do not count. */
    email: p.text(),
    /** When its owner proved to read mail there; null until then. */
    emailVerifiedAt: p.type(InstantType).nullable(),
    /** Where the account came from. Never shown to others. */
    origin: p.text().$type<AccountOrigin>().default('SIGN_UP'),
    /**
     * The organization that made the account, where the origin is ORGANIZATION: its administrators name its people as
     * long as they belong to nothing else.
     */
    madeById: p.uuid().nullable(),
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
    /** The organization whose id what they make carries, by which its lists find that (bookings/lists/denormalize.ts). */
    denormalizedInId: p.uuid().nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** A username that somebody has, or has given up and is kept for: its key decides who gets a name. */
export const Username = defineEntity({
  name: 'Username',
  tableName: 'usernames',
  indexes: [
    { name: 'usernames_user_id_idx', properties: ['userId'] },
    {
      name: 'usernames_free_at_idx',
      expression: 'create index usernames_free_at_idx on usernames (free_at) where free_at is not null',
    },
  ],
  properties: {
    username: p.text().primary(),
    /** The user who has it, or had it last. */
    userId: p.uuid(),
    /** When anybody may take it; null while it is in use. */
    freeAt: p.type(InstantType).nullable(),
  },
});

/** The last link of its kind that was mailed for an account. Following it deletes it. */
export const AccountLink = defineEntity({
  name: 'AccountLink',
  tableName: 'account_links',
  indexes: [{ name: 'account_links_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade').index(false),
    kind: p.text().$type<LinkKind>().primary(),
    /** SHA-256 of the token in the link; the token itself is kept nowhere. */
    tokenHash: p.text().unique(),
    /** The address that it was mailed to: for a change of address, the new one. */
    email: p.text(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
