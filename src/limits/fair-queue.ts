/** How many run at once, and how many wait: in one line, and in all lines together. */
export interface QueueSizes {
  readonly running: number;
  readonly waitingInLine: number;
  readonly waitingInAll: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/**
 * Work of which little can be done at once. Each network stands in a line of its own and the lines take turns, so that
 * a network that sends a flood waits behind itself, and everybody else behind one of its requests at most.
 */
export class FairQueue {
  readonly #sizes: QueueSizes;
  readonly #tooMany: () => Error;
  /** In the order of their turns; none is empty. */
  readonly #lines = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(sizes: QueueSizes, tooMany: () => Error) {
    this.#sizes = sizes;
    this.#tooMany = tooMany;
  }

  /** Before anything is done for work that could not be. @throws what the queue was made with */
  requireRoom(line: string): void {
    const { running, waitingInLine, waitingInAll } = this.#sizes;
    if (this.#running < running) return;
    const own = this.#lines.get(line)?.length ?? 0;
    const isFull = this.#waiting >= waitingInAll;
    if (own >= waitingInLine || (isFull && own + 1 >= this.#longest().length)) throw this.#tooMany();
  }

  /** Does `work` when it is the line's turn. @throws what the queue was made with, when too many wait */
  async run<Result>(line: string, work: () => Promise<Result>): Promise<Result> {
    this.requireRoom(line);
    if (this.#running >= this.#sizes.running) await this.#turn(line);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The turn goes straight to the next in line: nobody who comes in between can take it.
      const next = this.#next();
      if (next) next.begin();
      else this.#running -= 1;
    }
  }

  #turn(line: string): Promise<void> {
    // There is room for this one, so where all is full somebody else's line is longer: its last one goes.
    if (this.#waiting >= this.#sizes.waitingInAll) {
      this.#longest().pop()?.giveUp();
      this.#waiting -= 1;
    }
    return new Promise((begin, reject) => {
      const own = this.#lines.get(line) ?? [];
      own.push({ begin, giveUp: () => reject(this.#tooMany()) });
      this.#lines.set(line, own);
      this.#waiting += 1;
    });
  }

  #next(): Waiting | undefined {
    for (const [line, own] of this.#lines) {
      const next = own.shift();
      this.#lines.delete(line);
      if (own.length > 0) this.#lines.set(line, own);
      if (next) this.#waiting -= 1;
      return next;
    }
    return undefined;
  }

  #longest(): Waiting[] {
    let longest: Waiting[] = [];
    for (const own of this.#lines.values()) if (own.length > longest.length) longest = own;
    return longest;
  }
}
