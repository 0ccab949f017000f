import { type Em, row, sql } from '../../database/sql.ts';
import { isAlive } from './let-in.queries.ts';

/** How many grants are looked at: beyond, "more than" is all that a reader needs. */
const MOST_COUNTED = 10_000;

/** How many people let a client in. */
export interface ClientUsers {
  readonly count: number;
  /** There are more than these. */
  readonly hasMore: boolean;
}

/** The users with a live grant of a client, as far as its first 10,000 grants go. */
export async function countClientUsers(em: Em, clientId: string): Promise<ClientUsers> {
  const found = await row(
    em,
    sql<ClientUsers>`
      select count(distinct user_id)::int as count, count(*) > ${MOST_COUNTED} as "hasMore"
      from (select user_id from oauth_grants where client_id = ${clientId} and ${isAlive} limit ${MOST_COUNTED + 1}) g`,
  );
  return found ?? { count: 0, hasMore: false };
}
