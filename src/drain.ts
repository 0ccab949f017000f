import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './app.ts';
import type { Log } from './log.ts';

const FAREWELL_MILLISECONDS = 250;
const REQUESTS_MILLISECONDS = 10_000;
/** From the signal to the end of the process, whatever hangs. */
export const GRACE_MILLISECONDS = 15_000;
/** A terminal, or npm, gives the same signal to a process and to its parent, which passes it on. */
const SAME_SIGNAL_MILLISECONDS = 500;

/** Runs `stop` on the first SIGTERM or SIGINT; on the second one the process ends at once. */
export function onSignalToStop(stop: (signal: NodeJS.Signals) => void, endAtOnce: () => void): void {
  let stoppedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop(signal);
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MILLISECONDS) endAtOnce();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Takes nothing new, finishes what is under way, and ends the process, in any case within its grace. */
export async function drain(server: Server, app: App, log: Log): Promise<void> {
  log.info('Stopping: finishing the requests under way.');
  setTimeout(() => {
    log.error(`Something does not end within ${GRACE_MILLISECONDS / 1000} seconds; stopping without it.`);
    process.exit(1);
  }, GRACE_MILLISECONDS).unref();
  const working = app.stopWorking();
  await closeServer(server);
  await working;
  await app.close();
  process.exit(0);
}

async function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  const forced = setTimeout(() => server.closeAllConnections(), REQUESTS_MILLISECONDS);
  // An HTTP server's own `close` ends at once what looks idle, and a request that was not read yet looks like that: its
  // client would not know what became of it. So nobody new comes in, and each answer ends its connection.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, pause(FAREWELL_MILLISECONDS)]);
  server.closeIdleConnections();
  await closed;
  clearTimeout(forced);
}
