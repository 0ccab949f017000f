import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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

/** How often it is looked whether a launcher that passes no signal on is still there. */
const LOOK_EVERY_MILLISECONDS = 250;

/** Runs `stop` on the first SIGTERM or SIGINT; on the second one the process ends at once. */
export function onSignalToStop(stop: (signal: NodeJS.Signals) => void, endAtOnce: () => void): void {
  let stoppedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop(signal);
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MILLISECONDS) endAtOnce();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Until now, it ended the start (cli/gatehouse.js). Somebody listens all the time: a signal that has come, and that nobody has heard
    // yet, would be lost with the last listener.
    const before = process.listeners(signal);
    process.on(signal, onSignal);
    for (const listener of before) process.removeListener(signal, listener);
  }
  endWithLauncher();
}

/** npm and npx put a shell between, which ends by a signal without passing it on: then the service is to end, too. */
function endWithLauncher(): void {
  if (process.env['npm_lifecycle_event'] === undefined || cluster.isWorker) return;
  const launcher = process.ppid;
  const looks = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(looks);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MILLISECONDS);
  looks.unref();
}

/** The requests that a server is at. */
export class RequestsUnderWay {
  readonly #responses = new Set<ServerResponse>();

  constructor(server: Server) {
    server.on('request', (_: IncomingMessage, response: ServerResponse) => {
      this.#responses.add(response);
      response.once('close', () => this.#responses.delete(response));
    });
  }

  get count(): number {
    return this.#responses.size;
  }
}

/** Takes nothing new, finishes what is under way, and ends the process, in any case within its grace. */
export async function drain(server: Server, requests: RequestsUnderWay, app: App, log: Log): Promise<void> {
  log.info('Stopping: finishing the requests under way.');
  setTimeout(() => {
    log.error(`Something does not end within ${GRACE_MILLISECONDS / 1000} seconds; stopping without it.`);
    process.exit(1);
  }, GRACE_MILLISECONDS).unref();
  const working = app.stopWorking();
  const cut = await closeServer(server, requests);
  if (cut > 0) {
    const message = `Requests were cut off, since they were not done within ${REQUESTS_MILLISECONDS / 1000} seconds.`;
    log.error({ requests: cut }, message);
  }
  const hasStopped = await working;
  const hasClosed = await app.close();
  process.exit(cut === 0 && hasStopped && hasClosed ? 0 : 1);
}

/** @returns how many requests it had to cut off */
async function closeServer(server: Server, requests: RequestsUnderWay): Promise<number> {
  let cut = 0;
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  const forced = setTimeout(() => {
    cut = requests.count;
    server.closeAllConnections();
  }, REQUESTS_MILLISECONDS);
  // An HTTP server's own `close` ends at once what looks idle, and a request that was not read yet looks like that: its
  // client would not know what became of it. So nobody new comes in, and each answer ends its connection.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, pause(FAREWELL_MILLISECONDS)]);
  server.closeIdleConnections();
  await closed;
  clearTimeout(forced);
  return cut;
}
