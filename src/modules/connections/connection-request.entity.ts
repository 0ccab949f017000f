import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';

/** A connection that somebody has begun: the last one for this owner at this provider. Completing it deletes it. */
export const ConnectionRequest = defineEntity({
  name: 'ConnectionRequest',
  tableName: 'connection_requests',
  indexes: [{ name: 'connection_requests_expires_at_idx', properties: ['expiresAt'] }],
  properties: {
    /** The user who has begun it, and is to complete it. */
    user: () => p.manyToOne(User).primary().deleteRule('cascade').index(false),
    /** The user, or a team that they administer. */
    ownerId: p.uuid().primary(),
    provider: p.text().primary(),
    /** SHA-256 of what stands in the link that they follow. */
    linkHash: p.text().unique(),
    /** From the moment at which a browser has followed it: SHA-256 of the state (RFC 6749 §10.12), and of that browser's id. */
    stateHash: p.text().unique().nullable(),
    browserHash: p.text().nullable(),
    /** The verifier of PKCE (RFC 7636 §4.1). */
    codeVerifier: p.text().nullable(),
    createdAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
