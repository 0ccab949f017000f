import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../../limits/fair-queue.ts';
import type { IcsAnswer, IcsFailure, IcsQuestion } from './read-ics.ts';

/** For how long one calendar may be read, unless said otherwise, and how much memory that may take. */
export const MAX_READING_SECONDS = 6;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Two cores' worth run; more wait, for their texts take up memory no more of them than this. */
export const READING_SIZES = { running: 2, waitingInLine: 12, waitingInAll: 32 };

/** How soon to come back with what was postponed. */
export const POSTPONED_SECONDS = 60;

/** POSTPONED: too many wait to be read, of the same owner or of all; the calendar may be as it should. */
export type ThreadAnswer = IcsAnswer | { readonly failure: IcsFailure | 'TOO_MUCH_WORK' | 'POSTPONED' };

export interface ThreadQuestion extends Omit<IcsQuestion, 'text'> {
  /** Whose calendar it is: owners are read in turns. */
  readonly ownerId: string;
}

const PATH = new URL(`./ics.worker${extname(import.meta.url)}`, import.meta.url);

class Busy extends Error {}

const queue = new FairQueue(READING_SIZES, () => new Busy());

/**
 * Reads a calendar in a thread of its own, which ends when it has taken too long or too much memory: what others publish
 * must hold up no request. Owners take turns, so that one with many slow calendars waits behind themselves. Never rejects.
 */
export async function readInThread(
  { ownerId, ...question }: ThreadQuestion,
  body: Uint8Array,
  maxSeconds: number = MAX_READING_SECONDS,
): Promise<ThreadAnswer> {
  try {
    return await queue.run(ownerId, () =>
      answerOf(new Worker(PATH, { workerData: { ...question, body }, resourceLimits: MEMORY }), maxSeconds),
    );
  } catch (error) {
    if (error instanceof Busy) return { failure: 'POSTPONED' };
    throw error;
  }
}

async function answerOf(worker: Worker, maxSeconds: number): Promise<ThreadAnswer> {
  const { promise, resolve } = Promise.withResolvers<ThreadAnswer>();
  const tooMuch = (): void => resolve({ failure: 'TOO_MUCH_WORK' });
  const timer = setTimeout(tooMuch, maxSeconds * 1_000);
  worker.once('message', resolve);
  worker.once('error', tooMuch);
  worker.once('exit', tooMuch);
  const answer = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return answer;
}
