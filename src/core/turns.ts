/**
 * Turns of the event loop. Whatever computes for long asks here, now and then, whether it has had its time: one process
 * serves everybody, and who has to wait for an answer about 500 hosts should not wait for all of it.
 */
const TIME_IN_MS = 10;

let startedAt: number | undefined;
let nextTurn: Promise<void> | undefined;

/** Whether the work of this turn, whoever did it, has taken its time. The turn begins with the first question. */
function turnIsOver(): boolean {
  const now = performance.now();
  if (startedAt === undefined) {
    startedAt = now;
    setImmediate(beginTurn);
  }
  return now - startedAt > TIME_IN_MS;
}

/** Goes on in a turn that has time left. All who wait go on in the same one, as far as its time reaches. */
async function turnWithTime(): Promise<void> {
  while (turnIsOver()) {
    nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        nextTurn = undefined;
        beginTurn();
        resolve();
      });
    });
    await nextTurn;
  }
}

/** Does all steps, and lets others have turns in between. */
export async function inTurns<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (turnIsOver()) await turnWithTime();
  }
}

function beginTurn(): void {
  startedAt = undefined;
}
