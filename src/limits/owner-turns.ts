/** How many run at once for each owner, how many wait for that and for how long, and how long others stay away. */
export interface TurnOptions {
  readonly share: number;
  readonly waiting: number;
  readonly waitInMs: number;
  readonly awayInSeconds: number;
}

/** There is no turn for it now. */
export interface Postponed {
  readonly inSeconds: number;
}

export function postponed(inSeconds: number): Postponed {
  return { inSeconds };
}

/** The account at the server whose turn it takes besides. `signal`: aborts once nobody waits for the work any more. */
export interface TurnOf {
  readonly account?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Is to end when the signal aborts: nobody waits for it any more, or others wait for its turn. */
export type WorkInTurn<Result> = (signal?: AbortSignal) => Promise<Result>;

/** An implementation decides when a server, and an account there, may be asked. */
export interface Turns {
  run<Result>(
    server: string,
    work: WorkInTurn<Result>,
    later: (seconds: number) => Result,
    of?: TurnOf,
  ): Promise<Result>;
  /** A server, or an account, wants to be left alone for so long. */
  rest?(named: string, seconds: number): void;
}

const LONGEST_AWAY_IN_SECONDS = 60;

interface Taking {
  /** Has the next turn, however many wait. */
  readonly isFirst?: boolean;
  /** Whoever waits leaves the line when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

interface Line {
  running: number;
  readonly waiting: ((hasTurn: boolean) => void)[];
  /** Whether somebody has waited in vain since one of them last ended: the next ones are not kept waiting. */
  isStuck: boolean;
  /** How many were refused since then. */
  away: number;
}

/**
 * Places are shared by owners, which are users, or the servers that are asked: nobody's work takes more than their share of them, so that
 * an owner who waits for servers that do not answer holds up nobody else, nor does a server that answers none of many. Quick work waits here for its turn; where nothing ends, it is to come back later.
 */
export class OwnerTurns {
  readonly #options: TurnOptions;
  readonly #lines = new Map<string, Line>();

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Does something in a turn of its owner's; where there is none, `later` says what happens instead, after so many seconds. */
  async run<Result>(
    owner: string,
    work: WorkInTurn<Result>,
    later: (seconds: number) => Result,
    taking: Taking = {},
  ): Promise<Result> {
    const away = await this.take(owner, taking);
    if (away !== undefined) return later(away);
    try {
      return await work(taking.signal);
    } finally {
      this.giveBack(owner);
    }
  }

  /** Whether all that an owner may have runs. */
  isFull(owner: string): boolean {
    return (this.#lines.get(owner)?.running ?? 0) >= this.#options.share;
  }

  /** @returns undefined for a turn, which is to be given back; else after how many seconds to come again */
  async take(owner: string, { isFirst = false, signal }: Taking = {}): Promise<number | undefined> {
    if (signal?.aborted) return this.#options.awayInSeconds;
    const line = this.#lines.getOrInsertComputed(owner, () => ({ running: 0, waiting: [], isStuck: false, away: 0 }));
    if (line.running < this.#options.share) {
      line.running += 1;
      return undefined;
    }
    const mayWait = isFirst || (!line.isStuck && line.waiting.length < this.#options.waiting);
    if (mayWait && (await this.#turn(line, isFirst, signal))) return undefined;
    if (signal?.aborted) return this.#options.awayInSeconds;
    line.away += 1;
    // As if each turn took as long as the first ones are sent away for.
    const turns = Math.ceil(line.away / this.#options.share);
    return Math.min(turns * this.#options.awayInSeconds, LONGEST_AWAY_IN_SECONDS);
  }

  giveBack(owner: string): void {
    const line = this.#lines.get(owner);
    if (!line) return;
    line.isStuck = false;
    line.away = 0;
    const next = line.waiting.shift();
    if (next) return next(true);
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(owner);
  }

  #turn(line: Line, isFirst: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => {
      line.waiting.splice(line.waiting.indexOf(begin), 1);
      begin(false);
    };
    const timer = setTimeout(() => {
      line.isStuck = true;
      leave();
    }, this.#options.waitInMs);
    const begin = (hasTurn: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      resolve(hasTurn);
    };
    signal?.addEventListener('abort', leave);
    if (isFirst) line.waiting.unshift(begin);
    else line.waiting.push(begin);
    return promise;
  }
}
