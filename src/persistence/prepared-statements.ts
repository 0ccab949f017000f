import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../core/secret.ts';

/** How often a statement comes before it gets a name. */
const USES_BEFORE = 3;
/** Each connection keeps what it has prepared, so that a stranger's odd filters must not fill it. */
const MOST_NAMES = 300;
const MOST_COUNTED = 2_000;

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
  readonly #counts = new LRUCache<string, { uses: number }>({ max: MOST_COUNTED });
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
    const count = this.#counts.get(text) ?? { uses: 0 };
    count.uses += 1;
    this.#counts.set(text, count);
    if (count.uses < USES_BEFORE) return undefined;
    const name = sha256Hex(text).slice(0, 32);
    this.#names.set(text, name);
    return name;
  }

  /** What failed because it had a name goes without one from now on. */
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
