import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

/**
 * `DEVELOPER`: a client whose developer is suspended, by its id, apart from `CLIENT`, as the one is reinstated without the
 * other.
 */
export type RevocationKind = 'GRANT' | 'TOKEN' | 'CLIENT' | 'DEVELOPER' | 'USER';

/** The feed that makes revocation immediate: every process keeps the last 1800 seconds of it in memory. */
export const OAuthRevocation = defineEntity({
  name: 'OAuthRevocation',
  tableName: 'oauth_revocations',
  indexes: [{ name: 'oauth_revocations_changed_at_idx', properties: ['changedAt'] }],
  properties: {
    kind: p.text().$type<RevocationKind>().primary(),
    subject: p.text().primary(),
    /** False once a client, a developer or a user is reinstated. */
    revoked: p.boolean(),
    changedAt: p.type(InstantType),
  },
});
