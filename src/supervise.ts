import cluster, { type Worker } from 'node:cluster';
import process from 'node:process';
import type { Config } from './config.ts';
import { GRACE_MILLISECONDS, onSignalToStop } from './drain.ts';
import type { Log } from './log.ts';

/** The time between two heartbeats of a worker. */
const HEARTBEAT_MILLISECONDS = 2_000;
/** One that has not said so for this long is blocked, and will not end by a signal either. */
const SILENCE_MILLISECONDS = 20_000;
const SHORTEST_PAUSE_IN_MS = 500;
const LONGEST_PAUSE_IN_MS = 30_000;
/** A worker that ran this long has not failed at its start. */
const LASTING_MILLISECONDS = 60_000;

interface Heartbeat {
  /** Undefined: it works, or will by itself. */
  readonly ailment?: string;
}

/** A worker has left a server of the database, since another one is to be written to now. */
interface Departure {
  readonly leftServer: string;
}

interface Watch {
  onLeave(notify: (server: string) => void): void;
  hear(server: string): void;
}

/** Tells the other workers, by way of the supervisor, which server of the database this one has left, and hears of theirs. */
export function shareDepartures(watch: Watch): void {
  watch.onLeave((leftServer) => {
    if (process.connected) process.send?.({ leftServer } satisfies Departure);
  });
  process.on('message', (message) => {
    if (isDeparture(message)) watch.hear(message.leftServer);
  });
}

function isDeparture(message: unknown): message is Departure {
  return typeof message === 'object' && message !== null && 'leftServer' in message;
}

/** Tells the supervisor how this worker is. */
export function sendHeartbeat(app: { live(): Promise<string | undefined> }): void {
  const send = async (): Promise<void> => {
    const ailment = await app.live();
    if (process.connected) process.send?.({ ...(ailment !== undefined && { ailment }) } satisfies Heartbeat);
  };
  setInterval(() => void send(), HEARTBEAT_MILLISECONDS).unref();
}

/**
 * One process a core, on one port. A worker that dies or hangs is replaced; one that cannot start is tried again after
 * growing pauses, unless none has ever started: then something is wrong that no pause mends, and the service ends.
 */
export function superviseWorkers(config: Config, log: Log): void {
  new Supervisor(config, log).start();
}

interface WorkerEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

class Supervisor {
  readonly #config: Config;
  readonly #log: Log;
  readonly #heardAt = new Map<Worker, number>();
  #hasStarted = false;
  #isGreeted = false;
  /** Which all were told to stop by. */
  #signal: NodeJS.Signals | undefined;
  #isStopping = false;
  /** Whether a worker had to abandon something when it was told to stop. */
  #hasAbandoned = false;
  #pauseInMs = 0;
  #checkedAt = performance.now();

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  start(): void {
    for (let count = 0; count < this.#config.workers; count += 1) this.#begin();
    setInterval(() => this.#checkHeartbeats(), HEARTBEAT_MILLISECONDS).unref();
    onSignalToStop(
      (signal) => this.#stop(signal),
      () => this.#endAtOnce(),
    );
  }

  #begin(): void {
    if (this.#isStopping) return;
    const worker = cluster.fork();
    const begunAt = performance.now();
    worker.on('listening', () => {
      this.#hasStarted = true;
      this.#heardAt.set(worker, performance.now());
      this.#greet();
    });
    worker.on('message', (message: Heartbeat | Departure) => {
      if (isDeparture(message)) this.#notifyOthers(worker, message);
      else this.#hear(worker, message);
    });
    worker.on('exit', (exitCode, signal) => this.#lost(worker, performance.now() - begunAt, { exitCode, signal }));
  }

  /** Once, when all of them serve. */
  #greet(): void {
    const { workers, publicUrl } = this.#config;
    if (this.#isGreeted || this.#heardAt.size < workers) return;
    this.#isGreeted = true;
    this.#log.info(`Gatehouse runs ${workers} processes at ${publicUrl}.`);
  }

  #lost(worker: Worker, livedInMs: number, end: WorkerEnd): void {
    const hasListened = this.#heardAt.delete(worker);
    if (this.#isStopping) return this.#ended(worker, end, hasListened);
    if (!this.#hasStarted) process.exit(end.exitCode || 1);
    if (livedInMs > LASTING_MILLISECONDS) this.#pauseInMs = 0;
    const what = hasListened ? 'A worker died' : 'A worker could not start';
    this.#log.error({ worker: worker.id, ...end }, `${what}; starting another one in ${this.#pauseInMs} ms.`);
    setTimeout(() => this.#begin(), this.#pauseInMs);
    this.#pauseInMs = Math.min(Math.max(this.#pauseInMs * 2, SHORTEST_PAUSE_IN_MS), LONGEST_PAUSE_IN_MS);
  }

  #notifyOthers(worker: Worker, message: Departure): void {
    for (const other of this.#heardAt.keys()) if (other !== worker && other.isConnected()) other.send(message);
  }

  /** One that was told to stop while it was starting, and could not hear it yet, has begun nothing. */
  #ended(worker: Worker, end: WorkerEnd, hasListened: boolean): void {
    if (end.exitCode !== 0 && (hasListened || end.signal !== this.#signal)) {
      this.#hasAbandoned = true;
      this.#log.error(
        { worker: worker.id, ...end },
        'A worker has not stopped by itself, or had to abandon something.',
      );
    }
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(this.#hasAbandoned ? 1 : 0);
  }

  #hear(worker: Worker, { ailment }: Heartbeat): void {
    if (!this.#heardAt.has(worker)) return;
    this.#heardAt.set(worker, performance.now());
    if (ailment !== undefined) this.#replace(worker, ailment, 'SIGTERM');
  }

  #checkHeartbeats(): void {
    const now = performance.now();
    // The whole machine was paused, so no process can have shown that it is alive.
    const wasPaused = now - this.#checkedAt > SILENCE_MILLISECONDS / 2;
    this.#checkedAt = now;
    for (const [worker, heardAt] of this.#heardAt) {
      if (wasPaused) this.#heardAt.set(worker, now);
      else if (now - heardAt > SILENCE_MILLISECONDS) this.#replace(worker, 'it does not answer', 'SIGKILL');
    }
  }

  /** Its end starts another one. */
  #replace(worker: Worker, ailment: string, signal: NodeJS.Signals): void {
    this.#heardAt.set(worker, Number.POSITIVE_INFINITY);
    this.#log.error({ worker: worker.id, ailment }, 'A worker cannot recover by itself; replacing it.');
    worker.process.kill(signal);
    setTimeout(() => worker.process.kill('SIGKILL'), GRACE_MILLISECONDS).unref();
  }

  #stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    this.#signal = signal;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(0);
    for (const worker of workers) worker?.process.kill(signal);
    // They end by themselves before that, unless they are blocked.
    setTimeout(() => {
      this.#log.error('Workers do not end in their time; ending them.');
      this.#endAtOnce();
    }, GRACE_MILLISECONDS + HEARTBEAT_MILLISECONDS).unref();
  }

  #endAtOnce(): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    process.exit(1);
  }
}
