import { isDatabaseAway } from './database-away.ts';
import { apartFromCaller } from './deadline.ts';

/** Carries out what several callers ask for by one statement. @returns one result for each item, in their order */
export type RunMany<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface TogetherOptions {
  /** The most statements on their way at once. */
  readonly atOnce?: number;
  /**
   * While one is on its way, callers gather for the next, so that all who came in the time of one commit share the next
   * one. Only behind one that has taken longer than this (a lock is in its way, say) another goes off.
   */
  readonly timeoutInMs?: number;
  /** More would make a statement long, and nobody faster. */
  readonly mostItems?: number;
  /** Puts the beginning off (`setImmediate`), for callers that come in one go. */
  readonly when?: (begin: () => void) => unknown;
  /** Called whenever nobody waits and no statement is on its way any more. */
  readonly onIdle?: () => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets all callers that wait at a moment share one statement, one round trip and one commit. The first goes off at once,
 * with nobody waiting for company, and a statement takes along all callers who wait. It begins after each of their calls,
 * so none of them sees anything older than its own call.
 */
export function together<Item, Result>(
  run: RunMany<Item, Result>,
  { atOnce = 2, timeoutInMs = 0, mostItems = 200, when = (begin) => begin(), onIdle }: TogetherOptions = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  let later: NodeJS.Timeout | undefined;
  let isDue = false;
  const begin = (): void => {
    isDue = false;
    while (running < atOnce && waiting.length > 0) {
      const toWait = running === 0 ? 0 : beganAt + timeoutInMs - performance.now();
      if (toWait > 0) return void (later ??= apartFromCaller(() => setTimeout(lookAgain, toWait)));
      running += 1;
      beganAt = performance.now();
      void apartFromCaller(() => settle(waiting.splice(0, mostItems), run)).finally(ended);
    }
  };
  const lookAgain = (): void => {
    later = undefined;
    begin();
  };
  const ended = (): void => {
    running -= 1;
    clearTimeout(later);
    later = undefined;
    if (running === 0 && waiting.length === 0) onIdle?.();
    beginSoon();
  };
  const beginSoon = (): void => {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    when(begin);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      beginSoon();
    });
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: RunMany<Item, Result>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (let index = 0; index < batch.length; index += 1) batch[index]?.resolve(results[index] as Result);
  } catch (error) {
    if (batch.length === 1 || isDatabaseAway(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    // One of them may have broken the statement (a deadlock, a row that vanished): nobody else may suffer from it.
    for (const one of batch) await settle([one], run);
  }
}
