import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { OAuthClient } from '../clients/oauth-client.entity.ts';

/**
 * One consent event: what a client may do for a user, and the state of its chain of refresh tokens.
 * A refresh token is derived from (grant, generation, seed) under the server's key, so the row holds no token and no
 * hash of one: `generation` is the only thing that rotates.
 */
export const OAuthGrant = defineEntity({
  name: 'OAuthGrant',
  tableName: 'oauth_grants',
  indexes: [
    // A user who gave access a thousand times has a handful of grants that are not revoked, and only those are looked
    // for.
    {
      name: 'oauth_grants_not_revoked_idx',
      expression:
        'create index oauth_grants_not_revoked_idx on oauth_grants (user_id, client_id, created_at, id) where revoked_at is null',
    },
    {
      name: 'oauth_grants_unrestricted_idx',
      expression:
        "create index oauth_grants_unrestricted_idx on oauth_grants (client_id, user_id) where kind = 'UNRESTRICTED' and revoked_at is null",
    },
    { name: 'oauth_grants_user_id_idx', properties: ['user'] },
    { name: 'oauth_grants_client_id_idx', properties: ['client'] },
  ],
  checks: [
    {
      name: 'oauth_grants_kind_check',
      expression:
        "(kind = 'SCOPED' and cardinality(scopes) > 0) or (kind = 'UNRESTRICTED' and cardinality(scopes) = 0)",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    client: () => p.manyToOne(OAuthClient).fieldName('client_id').deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    /** Explicit, never inferred from an empty list. */
    kind: p.text().$type<'SCOPED' | 'UNRESTRICTED'>(),
    scopes: p.array(),
    /** Random, base64url, 32 bytes: without it the server's key alone derives nothing. */
    seed: p.text(),
    generation: p.integer(),
    rotatedAt: p.type(InstantType),
    /** When the current generation's refresh or access token was first seen. */
    confirmedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    lastUsedAt: p.type(InstantType),
    /** 365 days after its creation: the end of the chain. */
    expiresAt: p.type(InstantType),
    revokedAt: p.type(InstantType).nullable(),
    revocationReason: p.text().nullable(),
  },
});
