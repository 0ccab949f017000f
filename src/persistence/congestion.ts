import { CACHES } from '../core/caches.ts';

/** The caller may try again: nothing was done. */
class TooManyWaiting extends Error {
  /** lock_not_available, as PostgreSQL itself would say. */
  readonly code = '55P03';
}

/** Cancels a statement, which fails with this. */
type End = (reason: Error) => void;

interface Running {
  readonly kind: Kind;
  readonly since: number;
  readonly end: End;
}

interface Kind {
  readonly tables: ReadonlySet<string>;
  /** A plain read waits for a lock on its table alone, never for rows. */
  readonly isRead: boolean;
}

/** A statement that was stuck until it was cancelled. */
interface Lost {
  readonly isRead: boolean;
  readonly until: number;
  /** The tables at which a read may have been stuck, since nothing has been heard of them. */
  readonly tables: ReadonlySet<string>;
}

interface Crowd {
  readonly needs: ReadonlySet<string>;
  readonly hasStuckReads: boolean;
  readonly stuck: readonly Running[];
  readonly all: readonly Running[];
}

const STUCK_MILLISECONDS = 2_000;
/** This many at one table are no coincidence. */
const FEWEST_STUCK = 3;
/** This many of those at one table go on whatever waits at others: by them it is seen when the table is free again. */
const FEWEST_KEPT = 1;
const REMEMBERED_MILLISECONDS = 60_000;
const KIND_BYTES = 700;

const TABLES = /\b(?:from|join|into|update|table)\s+(?:only\s+)?"?([a-z_]+)/gi;
const WRITES = /\b(?:insert|update|delete|merge|share|lock|pg_advisory\w+)\b/i;

/**
 * Keeps what waits for one table from taking the whole pool: a lock on it (a migration, a command of the operator) would
 * otherwise stop every request, also of those who need that table for nothing. Once several statements at one table are
 * stuck, they may hold half of the pool, together with those that are stuck at others: who waits for the table has locked
 * rows, for which the next ones wait. Further ones fail at once. Those that were stuck until their time was over count on,
 * until one gets through: they end together, and otherwise the next ones would take the whole pool.
 */
export class Congestion {
  readonly #poolSize: number;
  readonly #share: number;
  readonly #now: () => number;
  /** As many as the pool has connections. An array, since what was in a `Set` that churns lives on in V8's old tables. */
  readonly #running: Running[] = [];
  #lost: readonly Lost[] = [];
  readonly #kinds = CACHES.share<Kind>({ name: 'statements', weigh: () => KIND_BYTES });

  constructor(poolSize: number, now: () => number = () => performance.now()) {
    this.#poolSize = poolSize;
    this.#share = Math.max(1, Math.floor(poolSize / 2));
    this.#now = now;
  }

  /** A statement begins. @returns what to call at its end, with whether it was cancelled. @throws TooManyWaiting */
  enter(sql: string, end: End): (isCancelled?: boolean) => void {
    const kind = this.#kindOf(sql);
    for (const table of kind.tables) if (this.#isFull(table, kind)) throw tooManyWaiting(table);
    const running = { kind, since: this.#now(), end };
    this.#running.push(running);
    return (isCancelled = false) => this.#leave(running, isCancelled);
  }

  #leave(running: Running, isCancelled: boolean): void {
    const at = this.#running.indexOf(running);
    if (at < 0) return;
    this.#running.splice(at, 1);
    if (!isCancelled) this.#hasPassed(running.kind);
    else if (this.#stuck([running]).length > 0) this.#hasLost(running.kind);
  }

  #hasLost({ isRead, tables }: Kind): void {
    const until = this.#now() + REMEMBERED_MILLISECONDS;
    this.#lost = [...this.#lost, { isRead, tables, until }].slice(-this.#poolSize);
  }

  /** None of its tables is locked any more; of rows, which hold up changes alone, a read tells nothing. */
  #hasPassed({ isRead, tables }: Kind): void {
    if (this.#lost.length === 0) return;
    this.#lost = this.#lost
      .map((lost) => (isRead && !lost.isRead ? lost : { ...lost, tables: lost.tables.difference(tables) }))
      .filter((lost) => lost.tables.size > 0);
  }

  /** To be called while somebody waits for a connection: ends what holds more than its share. */
  relieve(): void {
    const kept = new Set<Running>();
    const surplus = new Map<Running, string>();
    for (const { table, ...crowd } of this.#crowds().toSorted((a, b) => b.all.length - a.all.length)) {
      const isSeen = crowd.all.some((running) => kept.has(running));
      const share = Math.max(isSeen ? 0 : FEWEST_KEPT, this.#share - kept.size);
      const inOrder = keptFirst(crowd).filter((running) => !kept.has(running));
      for (const running of inOrder.slice(0, share)) kept.add(running);
      for (const running of inOrder.slice(share)) surplus.set(running, table);
    }
    for (const [running, table] of surplus) if (!kept.has(running)) running.end(tooManyWaiting(table));
  }

  #isFull(table: string, { tables, isRead }: Kind): boolean {
    if (this.#running.length < this.#share) return false;
    const crowd = this.#crowdAt(table);
    if (!crowd || !crowd.needs.isSubsetOf(tables) || (isRead && !crowd.hasStuckReads)) return false;
    return crowd.all.length >= Math.max(FEWEST_KEPT, this.#share - this.#heldByOthersThan(crowd));
  }

  #heldByOthersThan({ all }: Crowd): number {
    const held = new Set(this.#crowds().flatMap((crowd) => crowd.all));
    return held.difference(new Set(all)).size;
  }

  /** One for each table at which statements are stuck. */
  #crowds(): (Crowd & { readonly table: string })[] {
    const tables = new Set(this.#running.flatMap(({ kind }) => [...kind.tables]));
    return [...tables].flatMap((table) => {
      const crowd = this.#crowdAt(table);
      return crowd ? [{ table, ...crowd }] : [];
    });
  }

  /**
   * Finds the statements that are stuck at a table, and all that need the tables which those have in common: the locked
   * one is among these. A statement that needs only some of them may get through, and if it does not, the stuck ones
   * have less in common.
   */
  #crowdAt(table: string): Crowd | undefined {
    const stuck = this.#stuck(this.#running.filter(({ kind }) => kind.tables.has(table)));
    const lost = this.#lost.filter(({ tables, until }) => tables.has(table) && until > this.#now());
    const kinds = [...stuck.map(({ kind }) => kind), ...lost];
    if (kinds.length < FEWEST_STUCK) return undefined;
    const needs = kinds.map(({ tables }) => tables).reduce((common, tables) => common.intersection(tables));
    const all = this.#running.filter(({ kind }) => needs.isSubsetOf(kind.tables));
    return { needs, hasStuckReads: kinds.some(({ isRead }) => isRead), stuck, all };
  }

  #stuck(running: readonly Running[]): Running[] {
    const before = this.#now() - STUCK_MILLISECONDS;
    return running.filter(({ since }) => since <= before);
  }

  #kindOf(sql: string): Kind {
    const known = this.#kinds.get(sql);
    if (known) return known;
    const tables = new Set([...sql.matchAll(TABLES)].map(([, name = '']) => name.toLowerCase()));
    const kind = { tables, isRead: !WRITES.test(sql) };
    this.#kinds.set(sql, kind);
    return kind;
  }
}

/**
 * Stuck statements stay, the one that needs least first: it tells best which table is locked. A read, before them, tells
 * that reads wait too.
 */
function keptFirst({ stuck, all }: Crowd): Running[] {
  const young = all.filter((running) => !stuck.includes(running));
  const inOrder = [...stuck.toSorted(byNeeds), ...young.toSorted((a, b) => a.since - b.since)];
  const [read = inOrder[0]] = inOrder.filter(({ kind }) => kind.isRead);
  return inOrder.toSorted((a, b) => Number(b === read) - Number(a === read));
}

function byNeeds(a: Running, b: Running): number {
  return a.kind.tables.size - b.kind.tables.size || a.since - b.since;
}

function tooManyWaiting(table: string): TooManyWaiting {
  return new TooManyWaiting(`Too many statements wait for ${table} already.`);
}
