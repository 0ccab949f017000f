import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

/** An authorization code, by the id of its interaction; the code itself is kept as SHA-256. Not bound by foreign keys: it lives ten minutes. */
export const OAuthCode = defineEntity({
  name: 'OAuthCode',
  tableName: 'oauth_codes',
  indexes: [
    { name: 'oauth_codes_expires_at_idx', properties: ['expiresAt'] },
    { name: 'oauth_codes_user_id_client_id_idx', properties: ['userId', 'clientId'] },
  ],
  properties: {
    interactionId: p.uuid().primary(),
    codeHash: p.text(),
    clientId: p.text(),
    userId: p.uuid(),
    redirectUri: p.text(),
    kind: p.text().$type<'SCOPED' | 'UNRESTRICTED'>(),
    scopes: p.array(),
    codeChallenge: p.text().nullable(),
    failures: p.smallint(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
    redeemedAt: p.type(InstantType).nullable(),
  },
});
