import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../../limits/fair-queue.ts';
import type { CpuLeft } from '../busy-calendar.rules.ts';
import type { IcsAnswer, IcsFailure, IcsQuestion } from './read-ics.ts';

/** For how long one calendar may be read, unless said otherwise, and how much memory that may take. */
export const MAX_READING_SECONDS = 6;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Two cores' worth run; more wait, for their texts take up memory no more of them than this. */
export const READING_SIZES = { running: 2, waitingInLine: 12, waitingInAll: 32 };
/** One text at a time is read for visitors: none takes longer than some milliseconds. */
const VISITORS_SIZES = { running: 1, waitingInLine: 16, waitingInAll: 128, timeoutInMs: 2_000 };
/**
 * A thread takes 65 to 200 ms of CPU to start, and 30 MB of memory, so that one is kept for the next text; not one that has read a
 * larger text, with the memory which that has taken. Where nothing has been read for so long, none is.
 */
const KEPT_THREADS = 1;
const LARGE_BYTES = 524_288;
const KEPT_MS = 20 * 60_000;

/** How soon to come back with what was postponed. */
export const POSTPONED_SECONDS = 60;

/** POSTPONED: too many wait to be read, of the same owner or of all; the calendar may be as it should. */
export type ThreadAnswer = IcsAnswer | { readonly failure: IcsFailure | 'TOO_MUCH_WORK' | 'POSTPONED' };

/** The bytes of a whole calendar, or the texts of its objects. */
export type CalendarBody = Uint8Array | readonly string[];

interface ThreadQuestion extends Omit<IcsQuestion, 'text' | 'maxCpuMs'> {
  /** The calendar's owner: owners are read in turns. */
  readonly ownerId: string;
  /** Left out: it is read in the background, and takes as much as it takes. */
  readonly cpuLeft?: CpuLeft;
}

/** The answer of a thread. */
export interface ReadInThread {
  readonly answer: IcsAnswer;
  /** The thread has taken so much. */
  readonly cpuMs: number;
}

const PATH = new URL(`./ics.worker${extname(import.meta.url)}`, import.meta.url);

class Busy extends Error {}

const inBackground = new FairQueue(READING_SIZES, () => new Busy());
const forVisitors = new FairQueue(VISITORS_SIZES, () => new Busy());

/** Threads that wait for a text. */
const waiting = new Set<ReadingThread>();

/** A thread that reads calendars, one after the other. While it waits for one, it keeps no process running. */
class ReadingThread {
  readonly #worker = new Worker(PATH, { resourceLimits: MEMORY });
  #answered: (read: ReadInThread | undefined) => void = () => undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor() {
    const ended = (): void => {
      waiting.delete(this);
      this.#answered(undefined);
    };
    this.#worker
      .on('message', (read: ReadInThread) => this.#answered(read))
      .on('error', ended)
      .on('exit', ended);
  }

  /** Undefined: that took too long, or too much memory, and the thread has ended. */
  async read(question: object, maxSeconds: number): Promise<ReadInThread | undefined> {
    waiting.delete(this);
    clearTimeout(this.#ending);
    this.#worker.ref();
    const { promise, resolve } = Promise.withResolvers<ReadInThread | undefined>();
    this.#answered = resolve;
    const timer = setTimeout(resolve, maxSeconds * 1_000, undefined);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
    this.#worker.postMessage(question);
    const read = await promise;
    clearTimeout(timer);
    if (!read) await this.end();
    return read;
  }

  /** Keeps the thread for the next text, and ends it when none has come for a while. */
  wait(): void {
    waiting.add(this);
    this.#worker.unref();
    this.#ending = setTimeout(() => void this.end(), KEPT_MS).unref();
  }

  async end(): Promise<void> {
    waiting.delete(this);
    await this.#worker.terminate();
  }
}

/**
 * Reads a calendar in a thread, which ends when it has taken too long or too much memory: what others publish must hold up no
 * request. Owners take turns, so that one with many slow calendars waits behind themselves. Never rejects.
 */
export async function readInThread(
  { ownerId, cpuLeft, ...question }: ThreadQuestion,
  body: CalendarBody,
  maxSeconds: number = MAX_READING_SECONDS,
): Promise<ThreadAnswer> {
  const size = body instanceof Uint8Array ? body.length : body.reduce((sum, { length }) => sum + length, 0);
  try {
    return await (cpuLeft ? forVisitors : inBackground).run(ownerId, async () => {
      if (cpuLeft && (cpuLeft.milliseconds <= 0 || size > LARGE_BYTES)) return { failure: 'TOO_DEAR' };
      const read = await readBy({ ...question, body, maxCpuMs: cpuLeft?.milliseconds }, size, maxSeconds);
      if (cpuLeft) cpuLeft.milliseconds -= read?.cpuMs ?? Infinity;
      return read?.answer ?? { failure: 'TOO_MUCH_WORK' };
    });
  } catch (error) {
    if (error instanceof Busy) return { failure: 'POSTPONED' };
    throw error;
  }
}

/** Reads the text in a thread that waits, or in another one where the text is large. */
async function readBy(question: object, bytes: number, maxSeconds: number): Promise<ReadInThread | undefined> {
  const isLarge = bytes > LARGE_BYTES;
  const [known] = isLarge ? [] : waiting;
  const thread = known ?? new ReadingThread();
  const read = await thread.read(question, maxSeconds);
  if (!read) return undefined;
  if (isLarge || waiting.size >= KEPT_THREADS) await thread.end();
  else thread.wait();
  return read;
}
