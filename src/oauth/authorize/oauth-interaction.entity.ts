import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { OAuthClient } from '../clients/oauth-client.entity.ts';

/** One authorization request on its way through sign-in and consent. Sharded by its id, as its code and its grant are. */
export const OAuthInteraction = defineEntity({
  name: 'OAuthInteraction',
  tableName: 'oauth_interactions',
  indexes: [
    { name: 'oauth_interactions_expires_at_idx', properties: ['expiresAt'] },
    { name: 'oauth_interactions_user_id_client_id_idx', properties: ['user', 'client'] },
  ],
  properties: {
    id: p.uuid().primary(),
    client: () =>
      p.manyToOne(OAuthClient).fieldName('client_id').deleteRule('cascade').index('oauth_interactions_client_id_idx'),
    /** SHA-256 of the cookie of the browser that began it. */
    browserHash: p.text(),
    /** The user who decides; set once, when that user is signed in. */
    user: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    /** The checked request (protocol/authorize-request.ts). */
    request: p.json<unknown>(),
    decision: p.text().$type<'ALLOW' | 'DENY'>().nullable(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
    decidedAt: p.type(InstantType).nullable(),
  },
});
