/**
 * verified-resources/ owns the e-mail addresses and phone numbers that a user or a team has shown to be theirs, by a code that
 * was sent there. Workflows send to nothing else that a team has entered.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { ownerCheck, ownerColumns } from '../teams/team.entity.ts';

/**
 * The table of verified addresses, or of numbers: each row is a receiver that was verified for its owner, once. Sharded
 * by the owner.
 */
const verifiedTable = (table: string) => ({
  tableName: table,
  uniques: [{ name: `${table}_owner_id_receiver_key`, properties: ['ownerId' as const, 'receiver' as const] }],
  // For the deletion of an owner.
  indexes: (['user_id', 'team_id'] as const).map((column) => ({
    name: `${table}_${column}_idx`,
    expression: `create index ${table}_${column}_idx on ${table} (${column}) where ${column} is not null`,
  })),
  checks: [ownerCheck(table)],
});

const verifiedColumns = () => ({
  ...ownerColumns(),
  /** As `receiverOf` (verified-resource.rules.ts) writes it. */
  receiver: p.text(),
  /** The user who has given the code, and answers for it: a team's counts as long as they administer the team. */
  verifiedById: p.uuid().nullable(),
  verifiedAt: p.type(InstantType),
});

/** An e-mail address that was verified for a user or a team. */
export const VerifiedEmail = defineEntity({
  name: 'VerifiedEmail',
  ...verifiedTable('verified_emails'),
  properties: verifiedColumns(),
});

/** A phone number that was verified for a user or a team. */
export const VerifiedPhone = defineEntity({
  name: 'VerifiedPhone',
  ...verifiedTable('verified_phones'),
  properties: verifiedColumns(),
});

/** The last code that was sent to a receiver for one purpose. Using it deletes it. */
export const VerificationCode = defineEntity({
  name: 'VerificationCode',
  tableName: 'verification_codes',
  indexes: [{ name: 'verification_codes_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    /** The owner that it verifies the receiver for: a user or a team, or the owner of the booked event type. */
    ownerId: p.uuid().primary(),
    /** The purpose (`CodeFor`). */
    subject: p.text().primary(),
    /** As `receiverOf` writes it. */
    receiver: p.text().primary(),
    /** The code is derived from it, under a key that no table holds. */
    salt: p.uuid(),
    /** How often a code was tried, right or wrong, from all networks. */
    tries: p.integer(),
    expiresAt: p.type(InstantType),
  },
});
