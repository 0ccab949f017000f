import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { IcsAnswer, IcsFailure, IcsQuestion } from './read-ics.ts';

/** For how long one calendar may be read, unless said otherwise, and how much memory that may take. */
export const MAX_READING_SECONDS = 6;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Two cores' worth; more wait. */
const AT_ONCE = 2;

export type ThreadAnswer = IcsAnswer | { readonly failure: IcsFailure | 'TOO_MUCH_WORK' };

const PATH = new URL(`./ics.worker${extname(import.meta.url)}`, import.meta.url);
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Reads a calendar in a thread of its own, which ends when it has taken too long or too much memory: what others publish
 * must hold up no request. Never rejects.
 */
export async function readInThread(
  question: Omit<IcsQuestion, 'text'>,
  body: Uint8Array,
  maxSeconds: number = MAX_READING_SECONDS,
): Promise<ThreadAnswer> {
  if (running >= AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else running += 1;
  try {
    return await answerOf(new Worker(PATH, { workerData: { ...question, body }, resourceLimits: MEMORY }), maxSeconds);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
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
