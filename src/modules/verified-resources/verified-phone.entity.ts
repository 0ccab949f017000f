import { defineEntity } from '@mikro-orm/core';
import { verifiedColumns, verifiedTable } from './verified-email.entity.ts';

/** A phone number that was verified for a user or a team. */
export const VerifiedPhone = defineEntity({
  name: 'VerifiedPhone',
  ...verifiedTable('verified_phones'),
  properties: verifiedColumns(),
});
