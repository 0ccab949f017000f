import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from '../core/in-time.ts';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import type { Listen, StopListening } from '../database/listen.ts';
import type { Em } from '../database/sql.ts';
import { together } from '../database/together.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';
import { AbandonedJobs } from './abandoned-jobs.ts';
import { claimJobs, type Pulse, takeOverJobs, takePulse } from './claim-jobs.ts';
import { HopelessJob, type JobKind } from './job-kind.ts';
import {
  type ClaimedJob,
  type DoneJob,
  finishJobs,
  giveUpJob,
  handBackJobs,
  jobNumber,
  type NewJob,
  postponeJob,
  prepareQueues,
} from './job-queue.ts';
import { relayEvents } from './relay-events.ts';

export interface JobLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/**
 * A message says when to look; this finds what is due later, what a message was lost of, and what a process left that died.
 * So often each process also says that it lives (abandoned-jobs.ts).
 */
const LOOK_EVERY_MS = 2_000;
const EVENTS_AT_ONCE = 500;
const LONGEST_RUN_MS = 90_000;
const LONGEST_NOTE_PAUSE_MS = 2_000;
/** A statement that fails so often, with a database that answers, is a mistake of ours. */
const MOST_NOTES = 5;
const FAREWELL_MS = 8_000;

/** Tells events to their subscribers and does what is due, beside all other processes on the database. */
export class JobRunner {
  readonly #em: Em;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #log: JobLog;
  readonly #clocks: NonNullable<Parameters<typeof takePulse>[3]>;
  readonly #running = new Map<ClaimedJob, Promise<void>>();
  readonly #abandoned = new AbandonedJobs();
  readonly #finish: (done: DoneJob) => Promise<void>;
  #hasQueues = false;
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
    this.#clocks = kinds.flatMap(({ queue, clock }) => (clock ? [{ queue, isDue: clock.isDue }] : []));
    const finish = async (done: readonly DoneJob[]): Promise<readonly void[]> => {
      await this.#ask((inner) => finishJobs(inner, done));
      return done.map(() => undefined);
    };
    // Short jobs end together: one statement and one commit cross them off.
    this.#finish = together(finish, { atOnce: 1, when: setImmediate });
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
      // look() may have been called after the last look and before this line.
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
        await this.#prepareQueues();
        await this.#act(await this.#takePulse());
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #takePulse(): Promise<Pulse> {
    const beganAt = performance.now();
    const pulse = await this.#ask((em) =>
      takePulse(em, [...this.#kinds.keys()], [...this.#running.keys()], this.#clocks),
    );
    const abandoned = this.#abandoned.watch(pulse.others, beganAt, performance.now());
    if ((await this.#ask((em) => takeOverJobs(em, abandoned))) > 0) this.#isToLookAgain = true;
    return pulse;
  }

  async #act({ hasEvents, ripe, due }: Pulse): Promise<void> {
    for (const queue of ripe) {
      const putIn = this.#kinds.get(queue)?.clock?.putIn;
      if (putIn && (await this.#ask(putIn)) > 0) this.#isToLookAgain = true;
    }
    const subscriptions = [...this.#kinds.values()];
    if (hasEvents && (await this.#ask((em) => relayEvents(em, subscriptions, EVENTS_AT_ONCE))) > 0)
      this.#isToLookAgain = true;
    for (const queue of due) {
      const kind = this.#kinds.get(queue);
      const free = (kind?.atOnce ?? 0) - this.#countRunning(queue);
      if (kind && free > 0) await this.#claim(kind, free);
    }
  }

  async #claim(kind: JobKind, limit: number): Promise<void> {
    const { jobs, isAnyPutBack } = await this.#ask((em) => claimJobs(em, kind.queue, limit));
    for (const job of jobs) this.#running.set(job, this.#begin(kind, job));
    if (isAnyPutBack) this.#isToLookAgain = true;
  }

  async #prepareQueues(): Promise<void> {
    if (this.#hasQueues) return;
    await this.#ask((em) => prepareQueues(em, [...this.#kinds.keys()]));
    this.#hasQueues = true;
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

  /** Never rejects: what cannot be noted stays claimed, and somebody takes it over once this process is gone. */
  async #do(kind: JobKind, job: ClaimedJob): Promise<void> {
    try {
      const outcome = await this.#outcomeOf(kind, job);
      await this.#note(() =>
        'next' in outcome ? this.#finish({ job, ...outcome }) : this.#fail(kind, job, outcome.error),
      );
    } catch (error) {
      this.#report(error);
    }
  }

  async #outcomeOf(kind: JobKind, job: ClaimedJob): Promise<{ next: readonly NewJob[] } | { error: unknown }> {
    try {
      requireHope(kind, job);
      const work = kind.run(this.#em.fork(), job.data);
      return { next: await inTime(work, LONGEST_RUN_MS, () => new Error('It took too long.')) };
    } catch (error) {
      return { error };
    }
  }

  /** What is done must not be done again because the database was away, for however long, or lost a statement. */
  async #note(note: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await note();
      } catch (error) {
        if (this.#isStopped || (tries >= MOST_NOTES && !isDatabaseAway(error))) throw error;
        this.#report(error);
        await pause(Math.min(100 * 2 ** tries, LONGEST_NOTE_PAUSE_MS));
      }
    }
  }

  async #fail({ pausesInSeconds }: JobKind, job: ClaimedJob, error: unknown): Promise<void> {
    const { queue, attempts } = job;
    const detail = { job: jobNumber(job), queue, attempts, err: error };
    const pauseInSeconds = error instanceof HopelessJob ? undefined : pausesInSeconds[attempts - 1];
    if (pauseInSeconds === undefined) {
      await this.#ask((em) => giveUpJob(em, job, error));
      this.#log.error(detail, 'A job was given up: see `gatehouse jobs`.');
      return;
    }
    await this.#ask((em) => postponeJob(em, job, withJitter(pauseInSeconds), error));
    this.#log.warn(detail, `A job failed and is tried again in ${pauseInSeconds} s.`);
  }

  /** A connection whose other end is gone must not hold up a job for ever. */
  #ask<Result>(statement: (em: Em) => Promise<Result>): Promise<Result> {
    return unlessDatabaseIsSilent(() => statement(this.#em.fork()));
  }

  #report(error: unknown): void {
    this.#log.warn({ err: error }, 'Jobs wait until the database answers.');
  }
}

/** A job that kills the process which does it would otherwise do so for ever. */
function requireHope({ pausesInSeconds }: JobKind, { attempts }: ClaimedJob): void {
  if (attempts <= pausesInSeconds.length + 1) return;
  throw new HopelessJob(`It was begun ${attempts - 1} times, and its process ended each time before it did.`);
}

/** So that what failed together is not tried again together. */
function withJitter(seconds: number): number {
  return seconds * (0.9 + 0.2 * Math.random());
}
