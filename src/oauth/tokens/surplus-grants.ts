import { setTimeout as pause } from 'node:timers/promises';
import type { Background } from '../../core/background.ts';
import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { revokeWhere, type UserAccess } from '../grants/revoke-grant.ts';
import type { RevocationFeed } from '../revocations/revocations.ts';

/** Grants of one user and app that live beside one another: each device that signs in has one, and few people have this many. */
const MAX_GRANTS = 100;

/**
 * From this many on, each exchange looks afterwards whether there are too many. Not only from MAX_GRANTS on, since exchanges
 * at one moment do not see what the others make.
 */
export const MANY_GRANTS = MAX_GRANTS / 2;

/** All exchanges of so long a time are followed by one look. */
const PAUSE_MS = 200;

type Pair = Required<UserAccess>;

/**
 * Ends the grants of users and apps that are one too many, those first that were refreshed longest ago: what an app
 * forgets, that authorizes at each start, is not kept for a year.
 */
export class SurplusGrants {
  readonly #em: Em;
  readonly #background: Background;
  readonly #revocations: RevocationFeed;
  readonly #pairs = new Map<string, Pair>();
  #isWaiting = false;

  /** `em` is bound to no transaction, and lives as long as the server. */
  constructor(em: Em, background: Background, revocations: RevocationFeed) {
    this.#em = em;
    this.#background = background;
    this.#revocations = revocations;
  }

  /** A moment later, behind the answer. */
  look({ userId, clientId }: Pair): void {
    this.#pairs.set(`${userId} ${clientId}`, { userId, clientId });
    if (!this.#isWaiting) this.#background.run(() => this.#end());
  }

  async #end(): Promise<void> {
    this.#isWaiting = true;
    await pause(PAUSE_MS);
    this.#isWaiting = false;
    const pairs = [...this.#pairs.values()];
    this.#pairs.clear();
    const ended = await this.#em
      .fork()
      .transactional((inner) => revokeWhere(inner, isSurplus(pairs), { reason: 'TOO_MANY' }));
    if (ended.length > 0) await this.#revocations.catchUp();
  }
}

/** SQL: whether a grant is one too many. */
export function isSurplus(pairs: readonly Pair[]): RawBuilder<unknown> {
  return sql`id in (
    select g.id
    from unnest(${pairs.map(({ userId }) => userId)}::uuid[],
      ${pairs.map(({ clientId }) => clientId)}::text[]) as pair (user_id, client_id)
    cross join lateral (
      select id from oauth_grants
      where user_id = pair.user_id and client_id = pair.client_id and revoked_at is null
      order by rotated_at desc, id desc offset ${MAX_GRANTS}
    ) as g)`;
}
