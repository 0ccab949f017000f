/**
 * revocations/ tells every process which grants and clients have ended, so that access tokens die at once. It may
 * import no other room.
 */
import { instantOf } from '../../core/instant.ts';
import { hasMovedAway } from '../../database/database-away.ts';
import type { DatabaseClock } from '../../database/database-clock.ts';
import { apartFromCaller } from '../../database/deadline.ts';
import type { Listen, StopListening } from '../../database/listen.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { ACCESS_TOKEN_SECONDS } from '../protocol/access-token.ts';
import type { RevocationKind } from './oauth-revocation.entity.ts';

/** The things that an access token depends on: once any of these is revoked, the token is dead. */
interface RevocableToken {
  readonly tokenId: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
}

const POLL_EVERY_MS = 1_000;
/** How long polls may fail before what this process knows is trusted no longer. */
const TRUSTED_FOR_MS = 4_000;
/** A user, client or grant that was revoked longer ago than this has no live token left. */
const REMEMBERED_MS = (ACCESS_TOKEN_SECONDS + 60) * 1_000;
/** A row may be older than others that became visible before it: its transaction took a while to commit. */
const OVERLAP_MS = 10_000;
/** And one that took longer still, in a process that was frozen, is found when everything is read again. */
const READ_ALL_EVERY_MS = 60_000;

/**
 * 120 bytes each, a user's or a client's at most one. With more, a process keeps none: no token is trusted without the
 * database until it looks again and finds fewer.
 */
const MOST_REVOKED = 100_000;
const FULL_FOR_MS = 10_000;

interface FeedRow {
  readonly now: string;
  readonly kind: RevocationKind | null;
  readonly subject: string | null;
  readonly revoked: boolean | null;
  readonly changed_at: string | null;
}

/**
 * Keeps the revocations of the last half hour in this process's memory: checking a token costs no query, and still a
 * revocation takes effect at once, in every process. A message says when to look, and a poll each second looks in any
 * case.
 */
export class RevocationFeed {
  readonly #em: Em;
  readonly #clock: DatabaseClock;
  /** By kind and subject, when each was revoked. */
  readonly #revoked = new Map<string, number>();
  #readUntil: Temporal.Instant | undefined;
  #readAllAt = 0;
  #trustedUntil = 0;
  #fullUntil = 0;
  readonly #most: number;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: StopListening | undefined;

  constructor(em: Em, clock: DatabaseClock, most = MOST_REVOKED) {
    this.#most = most;
    this.#em = em;
    this.#clock = clock;
  }

  /** Reads what there is, then keeps up until `stop`. @throws whatever keeps the first reading from the database */
  async start(listen: Listen): Promise<void> {
    await this.#read();
    this.#stopListening = await listen(REVOCATIONS_CHANNEL, () => void this.catchUp());
    this.#timer = setInterval(() => void this.catchUp(), POLL_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#stopListening?.();
    await this.#next;
    await this.#reading;
  }

  /** False when the feed has been silent too long: then each token is looked up in the database. */
  isTrusted(): boolean {
    return performance.now() < this.#trustedUntil;
  }

  isRevoked(token: RevocableToken): boolean {
    const revoked = this.#revoked;
    if (revoked.size === 0) return false;
    return (
      this.isEnded(token) ||
      revoked.has(`CLIENT ${token.clientId}`) ||
      revoked.has(`DEVELOPER ${token.clientId}`) ||
      revoked.has(`USER ${token.userId}`)
    );
  }

  /** Revoked for good: what is suspended with its client, that one's developer, or its user lives again once they are reinstated. */
  isEnded({ tokenId, grantId }: RevocableToken): boolean {
    return this.#revoked.has(`GRANT ${grantId}`) || this.#revoked.has(`TOKEN ${tokenId}`);
  }

  /**
   * Resolves when everything that was committed before this call is known here; the process that revokes something
   * calls it after its commit. Never rejects: a feed that cannot read is not trusted, which is safe.
   */
  catchUp(): Promise<void> {
    if (!this.#reading) return this.#begin();
    // The reading under way may have begun before that commit. One more reading serves all callers in the meantime.
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#reading = apartFromCaller(() => this.#read())
      .catch((error: unknown) => {
        // An answer of a server that others do not write to any more tells of the past.
        if (hasMovedAway(error)) this.#trustedUntil = 0;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const beganAt = performance.now();
    const readsAll = !this.#readUntil || beganAt - this.#readAllAt > READ_ALL_EVERY_MS;
    const isFull = beganAt < this.#fullUntil;
    const since = readsAll ? null : this.#readUntil?.subtract({ milliseconds: OVERLAP_MS }).toString();
    const found = await rows(
      this.#em,
      sql<FeedRow>`
        select clock.now, r.kind, r.subject, r.revoked, r.changed_at
        from (select clock_timestamp() as now) as clock
        left join oauth_revocations r
          on r.changed_at > coalesce(${since}::timestamptz, clock.now - ${REMEMBERED_MS}::int * interval '1 millisecond')
        limit ${isFull ? 1 : this.#most + 1}`,
    );
    const [first] = found;
    if (!first) return;
    const now = instantOf(first.now);
    this.#clock.observe(now, beganAt, performance.now());
    if (isFull) return;
    this.#readUntil = now;
    if (readsAll) this.#readAllAt = beganAt;
    for (const feedRow of found) this.#take(feedRow);
    this.#forgetOld(now.epochMilliseconds - REMEMBERED_MS);
    if (found.length > this.#most || this.#revoked.size > this.#most) return this.#giveUp(beganAt);
    // Counted from the beginning: a reading that took long tells of a state that long ago.
    this.#trustedUntil = beganAt + TRUSTED_FOR_MS;
  }

  /** Too many to know them all. */
  #giveUp(now: number): void {
    this.#revoked.clear();
    this.#readUntil = undefined;
    this.#trustedUntil = 0;
    this.#fullUntil = now + FULL_FOR_MS;
  }

  #take({ kind, subject, revoked, changed_at: changedAt }: FeedRow): void {
    if (kind === null || changedAt === null) return;
    const key = `${kind} ${subject}`;
    // Removed first, so that the map stays in the order of revocation.
    this.#revoked.delete(key);
    if (revoked) this.#revoked.set(key, instantOf(changedAt).epochMilliseconds);
  }

  #forgetOld(until: number): void {
    for (const [key, revokedAt] of this.#revoked) {
      if (revokedAt < until) this.#revoked.delete(key);
    }
  }
}

/** Processes listen here; a message says only that there is something new, so it carries nothing to be trusted. */
export const REVOCATIONS_CHANNEL = 'oauth_revocations';

/**
 * Tells every process that these are revoked, or (clients and users) no longer. In the transaction of the change itself:
 * PostgreSQL delivers the message when that commits, and never if it does not.
 */
export async function recordRevocations(
  em: Em,
  kind: RevocationKind,
  subjects: readonly string[],
  revoked = true,
): Promise<void> {
  if (subjects.length === 0) return;
  await rows(
    em,
    sql`with recorded as (
          insert into oauth_revocations (kind, subject, revoked, changed_at)
          select ${kind}::text, subject, ${revoked}::boolean, clock_timestamp()
          from unnest(${subjects.toSorted()}::text[]) as subject
          on conflict (kind, subject) do update set revoked = excluded.revoked, changed_at = excluded.changed_at
        )
        select pg_notify(${REVOCATIONS_CHANNEL}, '')`,
  );
}
