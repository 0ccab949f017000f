/**
 * caches.ts keeps what can be made anew. All caches of a process share one budget in bytes, and what was used longest ago goes
 * first, whichever cache it is in. What must not be lost (revocations, counts, refusals) is no cache, and has no place here.
 */
import { hash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { metricText } from './metric.ts';

/**
 * The kind of caller on whose behalf something is kept: entries that anybody can cause fill no more than half of the
 * budget.
 */
export type FilledBy = 'ANONYMOUS' | 'KNOWN';

export const DEFAULT_CACHE_MEGABYTES = 64;
export const MEGABYTE = 2 ** 20;

/** One entry, with all that hangs on it, takes no more than this part of what anonymous callers may fill. */
const MOST_OF_ONE = 1 / 8;
/** An entry takes so much beside its key and its value: it has places in two maps and in the library's lists. */
const ENTRY_BYTES = 300;
/** How many uses are remembered by a hash, for each kind of caller; they take 64 kB. */
const TRACES = 2 ** 14;

interface Kept {
  readonly forget: () => void;
  readonly grow: (bytes: number) => void;
  bytes: number;
  filledBy: FilledBy;
  isKept: boolean;
  /** Something of it found no room. */
  isFull: boolean;
}

/** With an object of its own for each size, which is how the library learns that an entry has grown. */
type Pool = LRUCache<Kept, { readonly bytes: number }>;

interface ShareOptions<Value> {
  /** Metrics show the cache under this name. */
  readonly name: string;
  /** The bytes of a value on the heap; those of its key are added. */
  readonly weigh: (value: Value) => number;
  /** Kept from its first use on, and not only from its second: for what costs a statement to find, or serves the second use alone. */
  readonly fromFirstUse?: boolean;
  /** How long a value is good, in milliseconds. */
  readonly ttl?: number;
}

/** The budget, and the caches that share it. */
export class Caches {
  readonly #shares: Share<never>[] = [];
  #bytes = 0;
  #pools!: Readonly<Record<FilledBy, Pool>>;
  readonly #traces = { ANONYMOUS: new Trace(), KNOWN: new Trace() };

  constructor(bytes: number) {
    this.limit(bytes);
  }

  /** Sets the budget; another one than before begins with empty caches. */
  limit(bytes: number): void {
    if (bytes === this.#bytes) return;
    if (this.#bytes > 0) this.clear();
    this.#bytes = bytes;
    this.#pools = { ANONYMOUS: this.#pool('ANONYMOUS', bytes / 2), KNOWN: this.#pool('KNOWN', bytes) };
  }

  /** A cache of its own within the budget. */
  share<Value extends {}>(options: ShareOptions<Value>): Share<Value> {
    const share = new Share<Value>(this, options, this.#shares.length);
    this.#shares.push(share as unknown as Share<never>);
    return share;
  }

  get bytes(): number {
    return this.#pools.ANONYMOUS.calculatedSize + this.#pools.KNOWN.calculatedSize;
  }

  /** Entries that anonymous callers alone have used take these bytes. */
  get anonymousBytes(): number {
    return this.#pools.ANONYMOUS.calculatedSize;
  }

  get mostOfOne(): number {
    return (this.#bytes / 2) * MOST_OF_ONE;
  }

  clear(): void {
    this.#pools.ANONYMOUS.clear();
    this.#pools.KNOWN.clear();
  }

  traceOf(filledBy: FilledBy): Trace {
    return this.#traces[filledBy];
  }

  /** Whether something was asked about before; it is noted that it was now. */
  comesAgain(what: string, by: FilledBy): boolean {
    const trace = this.#traces[by];
    if (trace.has(what)) return true;
    trace.add(what);
    return false;
  }

  /** Counts an entry with its weight of now. Other entries make room for it, and of those that known callers fill, no more than have to. */
  put(kept: Kept): void {
    const { ANONYMOUS, KNOWN } = this.#pools;
    this.#pools[kept.filledBy].set(kept, { bytes: Math.ceil(kept.bytes) });
    while (ANONYMOUS.calculatedSize + KNOWN.calculatedSize > this.#bytes && KNOWN.pop()) {
      // One after the other, the one that was used longest ago first.
    }
  }

  /**
   * Notes a use, so that the entry goes later than others. Anonymous callers no longer displace an entry that a known
   * caller uses.
   */
  touch(kept: Kept, by: FilledBy): void {
    if (by === 'KNOWN' && kept.filledBy === 'ANONYMOUS') {
      kept.filledBy = 'KNOWN';
      this.#pools.ANONYMOUS.delete(kept);
      this.put(kept);
    } else {
      this.#pools[kept.filledBy].get(kept);
    }
  }

  remove(kept: Kept): void {
    this.#pools[kept.filledBy].delete(kept);
  }

  /** In the text format of Prometheus, version 0.0.4. `worker`: which of several processes this is */
  metrics(worker?: number): string {
    const sums = new Map<string, { bytes: number; entries: number }>();
    for (const { name, bytes, size } of this.#shares) {
      const sum = sums.getOrInsertComputed(name, () => ({ bytes: 0, entries: 0 }));
      sum.bytes += bytes;
      sum.entries += size;
    }
    const each = [...sums];
    return [
      metricText(
        { name: 'gatehouse_cache_bytes', type: 'gauge', help: 'What is kept in each cache.' },
        each.map(([cache, { bytes }]) => ({ labels: { worker, cache }, value: Math.ceil(bytes) })),
      ),
      metricText(
        { name: 'gatehouse_cache_entries', type: 'gauge', help: 'How many entries each cache has.' },
        each.map(([cache, { entries }]) => ({ labels: { worker, cache }, value: entries })),
      ),
      metricText(
        { name: 'gatehouse_cache_anonymous_bytes', type: 'gauge', help: 'What is kept for anonymous callers alone.' },
        [{ labels: { worker }, value: this.anonymousBytes }],
      ),
      metricText({ name: 'gatehouse_cache_budget_bytes', type: 'gauge', help: 'What all caches may keep together.' }, [
        { labels: { worker }, value: this.#bytes },
      ]),
    ].join('');
  }

  #pool(filledBy: FilledBy, maxSize: number): Pool {
    return new LRUCache({
      maxSize: Math.floor(maxSize),
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (_size, kept, reason) => {
        // One that has grown, or is another pool's now, stays.
        if (reason !== 'set' && kept.filledBy === filledBy) kept.forget();
      },
    });
  }
}

/** One cache of those that share the budget. */
export class Share<Value extends {}> {
  readonly #caches: Caches;
  readonly #options: ShareOptions<Value>;
  readonly #entries = new Map<string, Kept & { readonly value: Value; readonly until: number }>();
  readonly #number: number;
  #bytes = 0;

  /** `number` is its own, so that uses of one cache are none of another. */
  constructor(caches: Caches, options: ShareOptions<Value>, number: number) {
    this.#number = number;
    this.#caches = caches;
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, by: FilledBy = 'ANONYMOUS'): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until !== Number.POSITIVE_INFINITY && performance.now() >= entry.until) {
      this.#caches.remove(entry);
      return undefined;
    }
    this.#caches.touch(entry, by);
    return entry.value;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Whether this key has come before, and so would be kept. */
  hasCome(key: string, by: FilledBy = 'ANONYMOUS'): boolean {
    return this.#entries.has(key) || this.#caches.traceOf(by).has(this.#traceOf(key));
  }

  /** Whether a part of what has this key was used before; it is noted that it was now. */
  comesAgain(key: string, part: string, by: FilledBy = 'ANONYMOUS'): boolean {
    return this.#caches.comesAgain(this.#traceOf(key, part), by);
  }

  /**
   * Keeps a value, from its second use on: what comes once only leaves a trace. `parts` are objects of the value on which more
   * hangs (`Hanging`). @returns whether it is kept
   */
  set(key: string, value: Value, by: FilledBy = 'ANONYMOUS', parts: readonly object[] = []): boolean {
    if (!this.#options.fromFirstUse && !this.has(key) && !this.#caches.comesAgain(this.#traceOf(key), by)) return false;
    this.delete(key);
    const ownKey = ownText(key);
    const bytes = ENTRY_BYTES + bytesOfText(ownKey) + this.#options.weigh(value);
    if (bytes > this.#caches.mostOfOne) return false;
    const entry = {
      value,
      until: this.#options.ttl === undefined ? Number.POSITIVE_INFINITY : performance.now() + this.#options.ttl,
      bytes,
      filledBy: by,
      isKept: true,
      isFull: false,
      forget: () => {
        entry.isKept = false;
        this.#entries.delete(ownKey);
        this.#bytes -= entry.bytes;
      },
      grow: (more: number) => {
        if (!entry.isKept) return;
        entry.isFull = entry.bytes + more > this.#caches.mostOfOne;
        if (entry.isFull) return;
        entry.bytes += more;
        this.#bytes += more;
        this.#caches.put(entry);
      },
    };
    this.#entries.set(ownKey, entry);
    this.#bytes += bytes;
    for (const part of parts) HOLDERS.set(part, entry);
    this.#caches.put(entry);
    return true;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#caches.remove(entry);
  }

  /** Forgets all. */
  clear(): void {
    for (const entry of this.#entries.values()) this.#caches.remove(entry);
  }

  *entries(): Generator<readonly [string, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  #traceOf(key: string, part = ''): string {
    return `${this.#number} ${part}\0${key}`;
  }
}

/** Which entry an object is part of. */
const HOLDERS = new WeakMap<object, Kept>();

/**
 * Keeps values that are made of parts of something (the plan of an operation, say) as long as that is kept, and counts
 * them with it. Where that is not kept, they go with the request. A value that finds no room is made each time.
 */
export class Hanging<Part extends object, Value extends {}> {
  readonly #values = new WeakMap<Part, Value>();
  readonly #weigh: (value: Value) => number;

  /** `weigh`: the bytes of a value on the heap */
  constructor(weigh: (value: Value) => number) {
    this.#weigh = weigh;
  }

  get(part: Part): Value | undefined {
    return this.#values.get(part);
  }

  /** The value of a part, made if need be. `holder` is the object that was named as a part when its entry was kept. */
  of(part: Part, holder: object, make: () => Value): Value {
    const known = this.#values.get(part);
    if (known !== undefined) return known;
    const value = make();
    if (hasRoomFor(holder, HANGING_BYTES + this.#weigh(value))) this.#values.set(part, value);
    return value;
  }
}

/** An estimate of the bytes that an entry of a weak map takes. */
const HANGING_BYTES = 100;

/** Counts so much more with the entry that `holder` is part of. False: there is no room, and it is not to be kept. */
export function hasRoomFor(holder: object, bytes: number): boolean {
  const kept = HOLDERS.get(holder);
  if (!kept?.isKept) return true;
  kept.grow(bytes);
  return !kept.isFull;
}

/** Whether so much hangs on it already that something of it found no room. */
export function isFull(holder: object): boolean {
  const kept = HOLDERS.get(holder);
  return kept?.isKept === true && kept.isFull;
}

/** Remembers by a hash each what was used lately, in little memory: what comes next in the same place takes it. */
class Trace {
  readonly #seed = randomUUID();
  readonly #hashes = new Int32Array(TRACES);

  has(text: string): boolean {
    const [place, rest] = this.#hashOf(text);
    return this.#hashes[place] === rest;
  }

  add(text: string): void {
    const [place, rest] = this.#hashOf(text);
    this.#hashes[place] = rest;
  }

  /** The seed is secret, so that nobody can look for texts that take the place of others. */
  #hashOf(text: string): readonly [place: number, rest: number] {
    const bytes = hash('sha1', this.#seed + text, 'buffer');
    return [bytes.readUInt32LE(0) % TRACES, bytes.readInt32LE(4) | 1];
  }
}

const TWO_BYTES = /[^\0-\xff]/;
const TEXT_BYTES = 24;

/** A text takes so many bytes on the heap. */
export function bytesOfText(text: string): number {
  return TEXT_BYTES + (TWO_BYTES.test(text) ? 2 : 1) * text.length;
}

/** Estimates the bytes that plain data (texts, numbers, lists and objects) takes on the heap. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value === 'number') return 16;
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + 8 + bytesOf(part), 56);
}

/** Copies a text: V8 keeps a part of a text, such as that of a header, as a view of the whole. */
export function ownText(text: string): string {
  const encoding = TWO_BYTES.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}

/** All caches of this process share this budget. */
export const CACHES = new Caches(DEFAULT_CACHE_MEGABYTES * MEGABYTE);
