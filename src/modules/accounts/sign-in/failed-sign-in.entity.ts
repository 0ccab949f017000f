import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';

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
