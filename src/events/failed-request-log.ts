import { newId } from '../core/id.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { apartFromCaller } from '../database/deadline.ts';
import { changed, type Em, rows, sql } from '../database/sql.ts';
import { together } from '../database/together.ts';

export type FailedEndpoint = 'AUTHORIZE' | 'TOKEN' | 'REVOKE' | 'INTROSPECT' | 'GRAPHQL';

/** Why a request of a client was refused, for its developer. `description` never holds a secret, a code or a token. */
export interface FailedRequest {
  readonly clientId: string;
  readonly endpoint: FailedEndpoint;
  readonly error: string;
  readonly description: string;
}

interface Noted extends FailedRequest {
  readonly id: string;
  /** By `performance.now`: the database's clock tells what time that was. */
  readonly at: number;
}

/** Anybody can fail in the name of a client: at most this many of one kind are kept an hour, and no kind displaces another. */
const KEPT_PER_HOUR_AND_ERROR = 50;
const PAUSE_MILLISECONDS = 500;
/** How many may follow each other without a pause. */
const MANY = 200;
/** More are dropped: the database is away, or somebody makes up names of clients. */
const MOST_WAITING = 2_000;

/**
 * The failed requests of clients. A refusal costs no statement of its own: it is noted in memory, and written together
 * with all others of half a second. What a process has not written when it is killed is lost, which is all that can be.
 */
export class FailedRequestLog {
  readonly #write: (noted: Noted) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  /** The notes that wait, by kind: the first of a kind are those that are kept. */
  #waiting = new Map<string, Noted[]>();
  #count = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  /** `onError` is told of what is lost, and once when writing has to wait for the database. */
  constructor(em: Em, onError: (error: unknown) => void) {
    this.#onError = onError;
    const insert = (noted: readonly Noted[]) => insertWithinLimit(em, noted).then(() => noted.map(() => undefined));
    this.#write = together<Noted, void>(insert, { atOnce: 1, when: queueMicrotask });
  }

  /** Notes a failed request; nothing waits for it. A request of a client that does not exist is not recorded. */
  note({ clientId, endpoint, error, description }: FailedRequest): void {
    const kind = `${endpoint} ${error} ${clientId}`;
    const known = this.#waiting.get(kind);
    if (this.#count >= MOST_WAITING || (known && known.length >= KEPT_PER_HOUR_AND_ERROR)) return;
    this.#add(kind, known, { clientId, endpoint, error, description, id: newId(), at: performance.now() });
    this.#soon();
  }

  /** Writes what was noted before: when the service stops, and in tests. Never rejects. */
  async written(): Promise<void> {
    await this.#writing;
    await this.#begin();
  }

  #add(kind: string, known: Noted[] | undefined, noted: Noted): void {
    if (known) known.push(noted);
    else this.#waiting.set(kind, [noted]);
    this.#count += 1;
  }

  #soon(): void {
    if (this.#writing) return;
    const pause = this.#lastAt + PAUSE_MILLISECONDS - performance.now();
    if (pause <= 0 || (this.#count >= MANY && !this.#isFailing)) void this.#begin();
    else this.#timer ??= apartFromCaller(() => setTimeout(() => void this.#begin(), pause).unref());
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#count > 0) this.#soon();
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const kinds = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    let failure: unknown;
    const writeOne = async (kind: string, noted: Noted): Promise<void> => {
      try {
        await this.#write(noted);
      } catch (error) {
        if (!isDatabaseAway(error)) return this.#onError(error);
        failure = error;
        this.#again(kind, noted);
      }
    };
    await Promise.all([...kinds].flatMap(([kind, noted]) => noted.map((one) => writeOne(kind, one))));
    if (failure !== undefined && !this.#isFailing) this.#onError(failure);
    this.#isFailing = failure !== undefined;
    this.#lastAt = performance.now();
  }

  /** The database gets the earliest of the notes that could not be written and of those that came since. */
  #again(kind: string, noted: Noted): void {
    if (this.#count < MOST_WAITING) this.#add(kind, this.#waiting.get(kind), noted);
  }
}

/**
 * Inserts, of each kind, as many as are still missing from its share of the hour. Processes take turns, or each would fill
 * up what the others are filling up.
 */
async function insertWithinLimit(em: Em, noted: readonly Noted[]): Promise<void> {
  const columnOf = <Name extends keyof Noted>(name: Name) => noted.map((one) => one[name]);
  await em.fork().transactional(async (inner) => {
    await rows(inner, sql`select pg_advisory_xact_lock(hashtext('gatehouse: failed requests'))`);
    const now = performance.now();
    const ages = noted.map(({ at }) => (now - at) / 1_000);
    await changed(
      inner,
      sql`with noted as (
            select n.*, row_number() over (partition by n.client_id, n.endpoint, n.error order by n.age desc, n.id) as place
            from unnest(${columnOf('id')}::uuid[], ${columnOf('clientId')}::text[], ${columnOf('endpoint')}::text[],
              ${columnOf('error')}::text[], ${columnOf('description')}::text[], ${ages}::float8[])
              as n(id, client_id, endpoint, error, description, age)
            where exists (select from oauth_clients c where c.client_id = n.client_id)
          ), kinds as (
            select k.*, (
              select count(*) from (
                select from oauth_failed_requests f
                where f.client_id = k.client_id and f.occurred_at > now() - interval '1 hour'
                  and f.endpoint = k.endpoint and f.error = k.error
                limit ${KEPT_PER_HOUR_AND_ERROR}
              ) recent
            ) as recent
            from (select distinct client_id, endpoint, error from noted) k
          )
          insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
          select statement_timestamp() - make_interval(secs => age), id, client_id, endpoint, error, description
          from noted join kinds using (client_id, endpoint, error)
          where recent + place <= ${KEPT_PER_HOUR_AND_ERROR}`,
    );
  });
}
