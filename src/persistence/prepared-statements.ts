import { LRUCache } from 'lru-cache';
import { CACHES } from '../core/caches.ts';
import { sha256Hex } from '../core/secret.ts';
import type { WireShape } from '../database/wire/wire-row.ts';

/** How often a statement comes before it gets a name. */
const USES_BEFORE = 3;
/** Each connection keeps what it has prepared, so that a stranger's odd filters must not fill it. */
const MOST_NAMES = 300;
/** So all that have one take 6 MB at most, on either side. None of ours is half as long. */
const LONGEST_NAMED = 20_000;
/** On the heap: the shape of an answer, and a column of it with what decodes it. */
const [SHAPE_BYTES, COLUMN_BYTES] = [1_000, 190];

/** The plan does not fit what the statement answers since a migration. */
const RESULT_CHANGED = '0A000';
/** Statements are not kept on the connection: there is a pooler in between that knows nothing of them. */
const NOT_KEPT = ['26000', '42P05'];

/**
 * Gives names to the statements that come again and again, for PostgreSQL to parse and plan them once a connection: for a
 * short statement that is most of its time.
 */
export class StatementNames {
  readonly #names: LRUCache<string, string>;
  /** The shapes of their answers, as every connection is told. */
  readonly shapes = CACHES.share<WireShape>({
    name: 'statements',
    weigh: ({ columns }) => SHAPE_BYTES + COLUMN_BYTES * columns.length,
  });
  readonly #unnamed = new Set<string>();
  readonly #givesUp: boolean;
  #isOff = false;

  /** `giveUp` frees a name that another statement needs: the one used longest ago. Without it, the first ones keep theirs. */
  constructor(giveUp?: (name: string) => void) {
    this.#givesUp = giveUp !== undefined;
    this.#names = new LRUCache({ max: MOST_NAMES, dispose: (name) => giveUp?.(name) });
  }

  /** Whether the server remembers them. */
  get areKept(): boolean {
    return !this.#isOff;
  }

  nameOf(text: string): string | undefined {
    if (this.#isOff) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined || this.#unnamed.has(text)) return known;
    if (this.#names.size >= MOST_NAMES && !this.#givesUp) return undefined;
    if (text.length > LONGEST_NAMED || !this.#comesOften(text)) return undefined;
    const name = sha256Hex(text).slice(0, 32);
    this.#names.set(text, name);
    return name;
  }

  #comesOften(text: string): boolean {
    for (let use = 1; use < USES_BEFORE; use += 1) {
      if (!this.shapes.comesAgain(text, `use ${use}`)) return false;
    }
    return true;
  }

  /** A statement that failed because it had a name goes without one from now on. */
  failed(text: string, error: unknown): void {
    const { code } = error as { code?: unknown };
    if (isNotKept(error)) this.#isOff = true;
    if (code !== RESULT_CHANGED || !this.#names.delete(text)) return;
    this.#unnamed.add(text);
  }
}

/** Whether a statement failed for its name, before it was begun. */
export function isNotKept(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return NOT_KEPT.some((one) => one === code);
}
