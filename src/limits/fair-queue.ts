/**
 * How much runs at once, and how much waits: in one line, and in all lines together. In any unit: unless its size is said, a
 * piece of work is 1.
 */
export interface QueueSizes {
  readonly running: number;
  readonly waitingInLine: number;
  readonly waitingInAll: number;
  /** The part of both that strangers may take, all of them together; unless said otherwise, everything. */
  readonly strangers?: { readonly running: number; readonly waiting: number };
  /** Whoever has waited so long is refused; unless said otherwise, nobody is. */
  readonly timeoutInMs?: number;
}

/** A piece of work that wants its turn. */
interface Wanted {
  readonly line: string;
  readonly size?: number;
  readonly isStranger?: boolean;
  /** A signal whose abort takes it out of its line; asked for only if it has to wait. */
  readonly signal?: () => AbortSignal | undefined;
}

/** Ends a turn: the next ones begin. To be called once. */
export type EndTurn = () => void;

interface Sized {
  readonly size: number;
  readonly isStranger: boolean;
}

interface Waiting extends Sized {
  readonly begin: (end: EndTurn) => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * Work of which little can be done at once. Each network, or user, stands in a line of its own and the lines take turns, so
 * that one who sends a flood waits behind themselves, and everybody else behind one of its requests at most.
 */
export class FairQueue {
  readonly #sizes: Required<QueueSizes>;
  readonly #tooMany: () => Error;
  /** In the order of their turns; none is empty. Whoever shares a line is a stranger, or is none, like all others in it. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #running = { all: 0, strangers: 0 };
  readonly #waiting = { all: 0, strangers: 0 };

  constructor(sizes: QueueSizes, tooMany: () => Error) {
    const strangers = { running: sizes.running, waiting: sizes.waitingInAll };
    this.#sizes = { strangers, timeoutInMs: Number.POSITIVE_INFINITY, ...sizes };
    this.#tooMany = tooMany;
  }

  /** How much runs and waits, in all and of strangers. */
  get load(): Readonly<Record<'running' | 'waiting', { readonly all: number; readonly strangers: number }>> {
    return { running: { ...this.#running }, waiting: { ...this.#waiting } };
  }

  /** Refuses work that has no room, before anything is done for it. @throws the error that the queue was made with */
  requireRoom(line: string): void {
    const wanted = { size: 1, isStranger: false };
    if (!this.#begins(wanted) && !this.#hasRoom(line, wanted)) throw this.#tooMany();
  }

  /** Does `work` when it is the line's turn. @throws what the queue was made with, when too many wait */
  async run<Result>(line: string, work: () => Promise<Result>): Promise<Result> {
    const end = await this.enter({ line });
    try {
      return await work();
    } finally {
      end();
    }
  }

  /**
   * A turn: at once if there is one, else when it is the line's. What is larger than may run at all runs alone.
   * @throws what the queue was made with, when too many wait, and the reason of the signal
   */
  enter({ line, size = 1, isStranger = false, signal }: Wanted): EndTurn | Promise<EndTurn> {
    const { running, strangers } = this.#sizes;
    const wanted = { size: Math.min(size, isStranger ? strangers.running : running), isStranger };
    if (this.#begins(wanted)) return this.#begin(wanted);
    if (!this.#hasRoom(line, wanted)) throw this.#tooMany();
    return this.#turn(line, wanted, signal?.());
  }

  /** Nobody who comes in between takes the turn of those who wait for it. */
  #begins(wanted: Sized): boolean {
    const before = wanted.isStranger ? this.#waiting.all : this.#waiting.all - this.#waiting.strangers;
    return before === 0 && this.#isInShare(wanted) && this.#fits(wanted);
  }

  #fits({ size }: Pick<Sized, 'size'>): boolean {
    return this.#running.all === 0 || this.#running.all + size <= this.#sizes.running;
  }

  #isInShare({ size, isStranger }: Sized): boolean {
    const { strangers } = this.#running;
    return !isStranger || strangers === 0 || strangers + size <= this.#sizes.strangers.running;
  }

  #begin({ size, isStranger }: Sized): EndTurn {
    add(this.#running, { size, isStranger });
    return () => {
      take(this.#running, { size, isStranger });
      this.#next();
    };
  }

  #hasRoom(line: string, { size, isStranger }: Sized): boolean {
    const own = sum(this.#lines.get(line) ?? []) + size;
    if (own > this.#sizes.waitingInLine) return false;
    return (
      (!this.#isFull(size, false) || own < sum(this.#longest(false))) &&
      (!isStranger || !this.#isFull(size, true) || own < sum(this.#longest(true)))
    );
  }

  #isFull(size: number, ofStrangers: boolean): boolean {
    const { waitingInAll, strangers } = this.#sizes;
    if (ofStrangers) return this.#waiting.strangers + size > strangers.waiting;
    return this.#waiting.all + size > waitingInAll;
  }

  #turn(line: string, wanted: Sized, signal?: AbortSignal): Promise<EndTurn> {
    // There is room for this one, so where all is full somebody else's line is longer: its last ones go.
    if (wanted.isStranger) while (this.#isFull(wanted.size, true) && this.#dropLast(true));
    while (this.#isFull(wanted.size, false) && this.#dropLast(false));
    const { promise, resolve, reject } = Promise.withResolvers<EndTurn>();
    const { timeoutInMs } = this.#sizes;
    const timer = Number.isFinite(timeoutInMs) ? setTimeout(() => leave(this.#tooMany()), timeoutInMs) : undefined;
    const aborted = (): void => leave(signal?.reason);
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
    };
    const waiting: Waiting = {
      ...wanted,
      begin: (end) => {
        settled();
        resolve(end);
      },
      giveUp: (reason) => {
        settled();
        reject(reason);
      },
    };
    const leave = (reason: unknown): void => {
      this.#remove(line, waiting);
      waiting.giveUp(reason);
      // Those behind it may be smaller, and fit.
      this.#next();
    };
    this.#lines.getOrInsertComputed(line, () => []).push(waiting);
    add(this.#waiting, wanted);
    signal?.addEventListener('abort', aborted);
    return promise;
  }

  #remove(line: string, waiting: Waiting): void {
    const own = this.#lines.get(line) ?? [];
    own.splice(own.indexOf(waiting), 1);
    if (own.length === 0) this.#lines.delete(line);
    take(this.#waiting, waiting);
  }

  #next(): void {
    while (this.#beginNext());
  }

  /** One that does not fit yet is waited for: smaller ones would keep it out for ever. */
  #beginNext(): boolean {
    let areStrangersFull = false;
    for (const [line, own] of this.#lines) {
      const [first] = own;
      if (!first || (first.isStranger && areStrangersFull)) continue;
      areStrangersFull ||= !this.#isInShare(first);
      if (!this.#isInShare(first)) continue;
      if (!this.#fits(first)) return false;
      this.#remove(line, first);
      // Puts the work behind all other work.
      if (this.#lines.delete(line)) this.#lines.set(line, own);
      first.begin(this.#begin(first));
      return true;
    }
    return false;
  }

  #dropLast(ofStrangers: boolean): boolean {
    const longest = this.#longest(ofStrangers);
    const last = longest.at(-1);
    if (!last) return false;
    const [line = ''] = [...this.#lines].find(([, own]) => own === longest) ?? [];
    this.#remove(line, last);
    last.giveUp(this.#tooMany());
    return true;
  }

  #longest(ofStrangers: boolean): readonly Waiting[] {
    let longest: readonly Waiting[] = [];
    for (const own of this.#lines.values()) {
      if ((!ofStrangers || own[0]?.isStranger) && sum(own) > sum(longest)) longest = own;
    }
    return longest;
  }
}

interface Load {
  all: number;
  strangers: number;
}

function add(load: Load, { size, isStranger }: Sized): void {
  load.all += size;
  if (isStranger) load.strangers += size;
}

function take(load: Load, { size, isStranger }: Sized): void {
  add(load, { size: -size, isStranger });
}

function sum(line: readonly Waiting[]): number {
  return line.reduce((total, { size }) => total + size, 0);
}
