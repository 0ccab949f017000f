/**
 * Turns of the event loop. Whatever computes for long asks here, now and then, whether it has had its time: one process
 * serves everybody, and others should not have to wait for the whole of an answer about 500 hosts.
 */
const TIME_IN_MS = 10;

let startedAt: number | undefined;

/**
 * The callers who wait for a turn, in their order. One goes on a turn, so that nobody knows how long the others before
 * it take.
 */
let waiting: (() => void)[] = [];
let served = 0;

/** Whether the work of this turn, of all who did any, has taken its time. The turn begins with the first question. */
export function turnIsOver(): boolean {
  const now = performance.now();
  if (startedAt === undefined) {
    startedAt = now;
    setImmediate(beginTurn);
  }
  return now - startedAt > TIME_IN_MS;
}

export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(serve);
  return promise;
}

function serve(): void {
  beginTurn();
  waiting[served]?.();
  served += 1;
  if (served < waiting.length) {
    setImmediate(serve);
  } else {
    waiting = [];
    served = 0;
  }
}

function beginTurn(): void {
  startedAt = undefined;
}

/** Does all steps, and lets others have turns in between. */
export async function inTurns<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (turnIsOver()) await nextTurn();
  }
}

/** Does all steps without a pause: for what is known to be short. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * A list whose items take time: at once if there is time and they are few; else in turns to come, some at a time. All
 * of a chunk come at once, so that what is loaded for them is still loaded together.
 */
export function inChunks<Item>(
  items: readonly Item[],
  size: number,
): readonly (Item | Promise<Item>)[] | Promise<readonly (Item | Promise<Item>)[]> {
  if (turnIsOver()) return nextTurn().then(() => chunked(items, size));
  return chunked(items, size);
}

function chunked<Item>(items: readonly Item[], size: number): readonly (Item | Promise<Item>)[] {
  if (items.length <= size) return items;
  let gate: Promise<void> | undefined;
  return items.map((item, index) => {
    if (index > 0 && index % size === 0) gate = gate ? gate.then(nextTurn) : nextTurn();
    return gate ? gate.then(() => item) : item;
  });
}

/** With so many waiting, the end of the turn is not waited for: no answer is to wait for many others to be worked out. */
const MANY = 16;

let atEnd: (() => void)[] = [];

/**
 * Does it at the end of this turn of the event loop, together with what else is left until then. So answers are handed
 * to the kernel one right behind the other: a client on the same machine, or a proxy, is woken up once for several of
 * them; waking it took as long as all else that a short answer needs. The function may not throw.
 */
export function atEndOfTurn(run: () => void): void {
  atEnd.push(run);
  if (atEnd.length === 1) setImmediate(runAll);
  else if (atEnd.length >= MANY) runAll();
}

function runAll(): void {
  const all = atEnd;
  atEnd = [];
  for (const run of all) run();
}
