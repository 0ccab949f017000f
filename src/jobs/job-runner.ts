import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import type { Listen, StopListening } from '../database/listen.ts';
import type { Em } from '../database/sql.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';
import { inTime } from '../limits/in-time.ts';
import { HopelessJob, type JobKind } from './job-kind.ts';
import {
  CLAIM_SECONDS,
  type ClaimedJob,
  claimJobs,
  finishJob,
  giveUpJob,
  handBackJobs,
  type NewJob,
  postponeJob,
} from './job-queue.ts';
import { relayEvents } from './relay-events.ts';

export interface JobLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** A message says when to look; this finds what is due later, and what a message was lost of. */
const LOOK_EVERY_MS = 5_000;
const EVENTS_AT_ONCE = 100;
/** Well before its claim ends, so that nobody else begins with it meanwhile. */
const LONGEST_RUN_MS = (CLAIM_SECONDS - 30) * 1_000;
const FINISH_PAUSES_MS = [500, 2_000, 5_000, 10_000];
const FAREWELL_MS = 8_000;

/** Tells events to their subscribers and does what is due, beside all other processes on the database. */
export class JobRunner {
  readonly #em: Em;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #log: JobLog;
  readonly #running = new Map<ClaimedJob, Promise<void>>();
  #looking: Promise<void> | undefined;
  #isToLookAgain = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: StopListening | undefined;

  /** `em` is the global EntityManager. */
  constructor(em: Em, kinds: readonly JobKind[], log: JobLog) {
    this.#em = em;
    this.#kinds = new Map(kinds.map((kind) => [kind.queue, kind]));
    this.#log = log;
  }

  async start(listen: Listen): Promise<void> {
    this.#stopListening = await listen(JOBS_CHANNEL, () => this.look());
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.look();
  }

  /** Begins with whatever is due. Never rejects. */
  look(): void {
    this.#isToLookAgain = true;
    this.#looking ??= this.#lookAround().finally(() => {
      this.#looking = undefined;
      // Somebody may have asked after the last look and before this line.
      if (this.#isToLookAgain && !this.#isStopped) this.look();
    });
  }

  /** Resolves when nothing is due any more, and nothing runs. */
  async settled(): Promise<void> {
    this.look();
    while (this.#looking || this.#running.size > 0) await Promise.all([this.#looking, ...this.#running.values()]);
  }

  /** Begins nothing new, waits a while for what runs, and leaves the rest to others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#stopListening?.();
    await this.#looking;
    const farewell = new AbortController();
    await Promise.race([
      Promise.all(this.#running.values()),
      pause(FAREWELL_MS, undefined, { signal: farewell.signal, ref: false }).catch(() => undefined),
    ]);
    farewell.abort();
    await this.#ask((em) => handBackJobs(em, [...this.#running.keys()])).catch((error) => this.#report(error));
  }

  async #lookAround(): Promise<void> {
    while (this.#isToLookAgain && !this.#isStopped) {
      this.#isToLookAgain = false;
      try {
        await this.#relay();
        await this.#claim();
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #relay(): Promise<void> {
    const subscriptions = [...this.#kinds.values()];
    const relay = (): Promise<number> => this.#ask((em) => relayEvents(em, subscriptions, EVENTS_AT_ONCE));
    while ((await relay()) === EVENTS_AT_ONCE);
  }

  async #claim(): Promise<void> {
    const room = [...this.#kinds.values()]
      .map(({ queue, atOnce }) => ({ queue, free: atOnce - this.#countRunning(queue) }))
      .filter(({ free }) => free > 0);
    if (room.length === 0) return;
    for (const job of await this.#ask((em) => claimJobs(em, room))) {
      const kind = this.#kinds.get(job.queue);
      if (kind) this.#running.set(job, this.#begin(kind, job));
    }
  }

  #countRunning(queue: string): number {
    return [...this.#running.keys()].filter((job) => job.queue === queue).length;
  }

  async #begin(kind: JobKind, job: ClaimedJob): Promise<void> {
    await this.#do(kind, job);
    this.#running.delete(job);
    // Its place is free, and the next one of its order may begin.
    this.look();
  }

  /** Never rejects: a database that is away leaves the job claimed, and somebody finds it when the claim is over. */
  async #do(kind: JobKind, job: ClaimedJob): Promise<void> {
    try {
      const work = kind.run(this.#em.fork(), job.data);
      const next = await inTime(work, LONGEST_RUN_MS, () => new Error('It took too long.'));
      await this.#crossOff(job, next);
    } catch (error) {
      await this.#fail(kind, job, error).catch((failure) => this.#report(failure));
    }
  }

  /** What is done must not be done again because the database was away for a moment. */
  async #crossOff(job: ClaimedJob, next: readonly NewJob[]): Promise<void> {
    for (const milliseconds of FINISH_PAUSES_MS) {
      try {
        return await this.#ask((em) => finishJob(em, job, next));
      } catch (error) {
        if (!isDatabaseAway(error) || this.#isStopped) throw error;
        this.#report(error);
        await pause(milliseconds);
      }
    }
    await this.#ask((em) => finishJob(em, job, next));
  }

  async #fail({ pausesInSeconds }: JobKind, job: ClaimedJob, error: unknown): Promise<void> {
    const { id, queue, attempts } = job;
    const pauseInSeconds = error instanceof HopelessJob ? undefined : pausesInSeconds[attempts - 1];
    if (pauseInSeconds === undefined) {
      await this.#ask((em) => giveUpJob(em, job, error));
      this.#log.error({ job: id, queue, attempts, err: error }, 'A job was given up: see `gatehouse jobs`.');
      return;
    }
    await this.#ask((em) => postponeJob(em, job, withJitter(pauseInSeconds), error));
    this.#log.warn({ job: id, queue, attempts, err: error }, `A job failed and is tried again in ${pauseInSeconds} s.`);
  }

  /** A connection whose other end is gone must not hold up a job for ever. */
  #ask<Result>(statement: (em: Em) => Promise<Result>): Promise<Result> {
    return unlessDatabaseIsSilent(() => statement(this.#em.fork()));
  }

  #report(error: unknown): void {
    this.#log.warn({ err: error }, 'Jobs wait until the database answers.');
  }
}

/** So that what failed together is not tried again together. */
function withJitter(seconds: number): number {
  return seconds * (0.9 + 0.2 * Math.random());
}
