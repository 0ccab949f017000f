import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { revokeWhere, type UserAccess } from '../grants/revoke-grant.ts';

/** Grants of one user and app that live beside one another: each device that signs in has one, and few people have this many. */
const MAX_GRANTS = 100;

/**
 * From this many on, each exchange looks afterwards whether there are too many. Not only from MAX_GRANTS on, since exchanges
 * at one moment do not see what the others make.
 */
export const MANY_GRANTS = MAX_GRANTS / 2;

type Pair = Required<UserAccess>;

/**
 * Ends the grants of these users and apps that are one too many, those first that were refreshed longest ago: what an app
 * forgets, that authorizes at each start, is not kept for a year. @returns one result each, for `together`
 */
export async function endSurplusGrants(em: Em, pairs: readonly Pair[]): Promise<readonly undefined[]> {
  await em.transactional((inner) => revokeWhere(inner, isSurplus(pairs), { reason: 'TOO_MANY' }));
  return pairs.map(() => undefined);
}

/** Of a grant: that it is one too many. */
export function isSurplus(pairs: readonly Pair[]): RawBuilder<unknown> {
  return sql`id in (
    select g.id
    from (select distinct * from unnest(${pairs.map(({ userId }) => userId)}::uuid[],
      ${pairs.map(({ clientId }) => clientId)}::text[]) as pair (user_id, client_id)) as pair
    cross join lateral (
      select id from oauth_grants
      where user_id = pair.user_id and client_id = pair.client_id and revoked_at is null
      order by rotated_at desc, id desc offset ${MAX_GRANTS}
    ) as g)`;
}
