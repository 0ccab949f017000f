import { ago, sql } from '../database/sql.ts';
import { sweepOf, TableSweep } from '../database/sweep.ts';
import { OAuthInteraction } from './authorize/oauth-interaction.entity.ts';
import { OAuthFailedRequest } from './clients/oauth-client.entity.ts';
import { OAuthGrant } from './grants/oauth-grant.entity.ts';
import { OAuthKey } from './keys/oauth-key.entity.ts';
import { CHAIN_DAYS } from './protocol/refresh.ts';
import { OAuthRevocation } from './revocations/oauth-revocation.entity.ts';
import { OAuthCode } from './tokens/oauth-code.entity.ts';

// Rows that nobody can use any more go a little later: a replayed code is still to be recognised, a page still to
// explain.

export const removeExpiredInteractions = sweepOf(OAuthInteraction, 'expiresAt', ago(1, 'days'));
export const removeExpiredCodes = sweepOf(OAuthCode, 'expiresAt', ago(1, 'days'));
/** No token that they were about is alive. */
export const removeOldRevocations = sweepOf(OAuthRevocation, 'changedAt', ago(2, 'hours'));
export const removeOldFailedRequests = sweepOf(OAuthFailedRequest, 'occurredAt', ago(7, 'days'));
/** Keys whose signatures cannot be requested again. */
export const removeRetiredKeys = sweepOf(OAuthKey, 'retiredAt', ago(7, 'days'));

/** A grant of an app that authorizes without end leaves nothing but the fact that it was. */
const KEPT_DAYS = { grants: 30, surplusGrants: 1 };

/** Deletes grants that have ended. An index by the time of the last rotation would have to be written at each refresh. */
export class GrantSweep extends TableSweep {
  constructor() {
    const ended = sql`coalesce(revoked_at, least(expires_at, rotated_at + make_interval(days => ${CHAIN_DAYS.idle})))`;
    const { grants, surplusGrants } = KEPT_DAYS;
    const before = sql`case when revocation_reason = 'TOO_MANY' then ${ago(surplusGrants, 'days')} else ${ago(grants, 'days')} end`;
    super(OAuthGrant, sql<boolean>`(${ended} < ${before})`);
  }
}
