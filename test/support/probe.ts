/**
 * Loaded into a service before it starts (`node --import`): says over a port of its own how long its event loop was
 * blocked at a time, and how much memory it held.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The delays and the memory of a service while it was watched. */
export interface Watched {
  /** The longest time without a turn of the event loop, as perf_hooks sees it; on a busy machine, others' time too. */
  readonly delayInMs: number;
  /** The longest time that this process computed without a turn of the event loop: what others do does not count. */
  readonly blockedInMs: number;
  /** All that it computed. */
  readonly cpuInMs: number;
  /** The most that its heap and buffers grew, garbage that was not collected yet included. */
  readonly grownInBytes: number;
}

const TICK_IN_MS = 1;
const port = process.env['PROBE_PORT'];
if (port !== undefined) watch(Number(port));

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function watch(probePort: number): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const delays = monitorEventLoopDelay({ resolution: TICK_IN_MS });
  let [last, blocked, before, most, started] = [cpu(), 0, 0, 0, 0];
  const tick = (): void => {
    const now = cpu();
    blocked = Math.max(blocked, now - last);
    most = Math.max(most, held());
    last = cpu();
  };
  let timer: NodeJS.Timeout | undefined;
  createServer((request, response) => {
    if (request.url === '/begin') {
      collect();
      [before, most] = [held(), 0];
      delays.reset();
      delays.enable();
      [last, blocked, started] = [cpu(), 0, performance.now() && cpu()];
      timer = setInterval(tick, TICK_IN_MS);
      response.end();
      return;
    }
    tick();
    clearInterval(timer);
    delays.disable();
    const watched: Watched = {
      delayInMs: delays.max / 1e6,
      blockedInMs: blocked,
      cpuInMs: cpu() - started,
      grownInBytes: most - before,
    };
    response.end(JSON.stringify(watched));
  })
    .listen(probePort, '127.0.0.1')
    .unref();
}
