import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../user.entity.ts';

/** A browser in which a user is signed in. The cookie's value is kept as its SHA-256 only. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [
    { name: 'sessions_user_id_created_at_idx', properties: ['user', 'createdAt', 'id'] },
    { name: 'sessions_expires_at_idx', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.uuid().primary(),
    tokenHash: p.text().unique(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    userAgent: p.text(),
    address: p.text(),
    createdAt: p.type(InstantType),
    lastSeenAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});

/** Which event of the audit log counts the failed sign-ins of an account (or of none) from a network in this hour. */
export const FailedSignIn = defineEntity({
  name: 'FailedSignIn',
  tableName: 'failed_sign_ins',
  indexes: [{ name: 'failed_sign_ins_ends_at_idx', properties: ['endsAt'] }],
  properties: {
    /** The account, the network and the reason, hashed together. */
    key: p.text().primary(),
    eventAt: p.type(InstantType),
    eventId: p.uuid(),
    endsAt: p.type(InstantType),
  },
});
