/** With so many waiting, the end of the turn is not waited for: no answer is to wait for many others to be worked out. */
const MANY = 16;

let waiting: (() => void)[] = [];

/**
 * Does it at the end of this turn of the event loop, together with what else is left until then. So answers are handed to the
 * kernel one right behind the other: a client on the same machine, or a proxy, is woken up once for several of them, which
 * took as long as all else that a short answer needs. What is done may not throw.
 */
export function atEndOfTurn(run: () => void): void {
  waiting.push(run);
  if (waiting.length === 1) setImmediate(runAll);
  else if (waiting.length >= MANY) runAll();
}

function runAll(): void {
  const all = waiting;
  waiting = [];
  for (const run of all) run();
}
