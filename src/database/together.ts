import { isDatabaseAway } from './database-away.ts';
import { apartFromCaller } from './deadline.ts';

/** Carries out what several callers ask for by one statement. @returns one result for each item, in their order */
export type RunMany<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** More would make a statement long, and nobody faster. */
const MOST_ITEMS = 200;

/**
 * Lets all callers that wait at a moment share one statement, one round trip and one commit. Nobody waits for company:
 * a statement goes off at once as long as fewer than `atOnce` are on their way, and takes along all callers who wait. It
 * begins after each of their calls, so none of them sees anything older than its own call. `when` puts the
 * beginning off (`setImmediate`), for callers that come in one go.
 */
export function together<Item, Result>(
  run: RunMany<Item, Result>,
  atOnce = 2,
  when: (begin: () => void) => unknown = (begin) => begin(),
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  const begin = (): void => {
    while (running < atOnce && waiting.length > 0) {
      running += 1;
      void apartFromCaller(() => settle(waiting.splice(0, MOST_ITEMS), run)).finally(() => {
        running -= 1;
        begin();
      });
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      when(begin);
    });
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: RunMany<Item, Result>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length === 1 || isDatabaseAway(error)) {
      for (const { reject } of batch) reject(error);
      return;
    }
    // One of them may have broken the statement (a deadlock, a row that vanished): nobody else may suffer from it.
    for (const one of batch) await settle([one], run);
  }
}
