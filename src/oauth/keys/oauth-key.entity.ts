import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

/** A key of the server, wrapped (JWE) under the master key: one DERIVATION key, and SIGNING and UIDS keys that rotate with overlap. */
export const OAuthKey = defineEntity({
  name: 'OAuthKey',
  tableName: 'oauth_keys',
  properties: {
    id: p.text().primary(),
    purpose: p.text().$type<'SIGNING' | 'DERIVATION' | 'UIDS'>(),
    wrapped: p.text(),
    createdAt: p.type(InstantType),
    /** From here on it signs, or writes uids; it is published earlier, so that verifiers know it in time. */
    activeAt: p.type(InstantType),
    retiredAt: p.type(InstantType).nullable(),
  },
});
