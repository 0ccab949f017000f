import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

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
