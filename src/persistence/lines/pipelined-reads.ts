import type { ReadLane } from '../../database/lanes.ts';
import type { Compiled } from '../../database/sql.ts';
import { Lane, Line } from './line.ts';

const CONNECTIONS = 4;
/** With this many statements on their way, another connection is opened. */
const MANY = 2;
/** With this many statements waiting, each waits shorter for a connection of the pool. */
const MOST = 64;

/** So long a statement that a lock has held up is left to the pool; then one caller tries again. */
const HELD_UP_MS = 1_000;
/** A caller who tries knows by then. */
const TRIAL_MS = 300;
/** The first of more is forgotten, and tried once too often. */
const MOST_HELD_UP = 100;

interface HeldUp {
  readonly until: number;
  readonly isTried: boolean;
}

/**
 * A few connections of a process on which reads are pipelined (PostgreSQL §55.2.4). They are opened when there is need. A
 * statement that meets a lock holds up those behind it until its time is over, so it does not come back at once: a few
 * callers who try again and again would hold up every line.
 */
export class PipelinedReads extends Lane implements ReadLane {
  protected readonly lines: Line[] = [];
  readonly #heldUp = new Map<string, HeldUp>();

  read<Row>(statement: Compiled<Row>): Promise<Row[]> {
    if (this.#heldUp.size > 0 && this.#isHeldUp(statement.sql)) return nobody();
    return this.#shortest()?.send<Row>(statement) ?? nobody();
  }

  #isHeldUp(text: string): boolean {
    const found = this.#heldUp.get(text);
    if (!found) return false;
    const now = performance.now();
    if (found.until > now) return true;
    if (found.isTried) this.#heldUp.delete(text);
    else this.#heldUp.set(text, { until: now + TRIAL_MS, isTried: true });
    return false;
  }

  #holdBack(text: string): void {
    const [first = text] = this.#heldUp.size < MOST_HELD_UP ? [] : this.#heldUp.keys();
    this.#heldUp.delete(first);
    this.#heldUp.set(text, { until: performance.now() + HELD_UP_MS, isTried: false });
  }

  #shortest(): Line | undefined {
    let shortest: Line | undefined;
    for (const line of this.lines) if (line.isReady && line.waiting < (shortest?.waiting ?? MOST)) shortest = line;
    const isLong = !shortest || shortest.waiting >= MANY;
    if (isLong && this.lines.length < CONNECTIONS && this.lines.every(({ isReady }) => isReady)) this.#open();
    return shortest;
  }

  /** Nobody waits for it: until it is ready, the others do, or the pool. */
  #open(): void {
    const line = new Line(this.parts, {
      onPooled: this.giveUp,
      onHeldUp: (text) => this.#holdBack(text),
      onLost: () => {
        this.lines.splice(this.lines.indexOf(line), 1);
        this.pause.afterLossOf(line);
      },
    });
    this.lines.push(line);
  }
}

function nobody(): Promise<never> {
  return Promise.reject(new Error('No line is ready, or all are long.'));
}
