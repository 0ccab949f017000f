import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { inTime } from '../core/in-time.ts';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import type { Listen, StopListening } from '../database/listen.ts';
import type { Em } from '../database/sql.ts';
import { together } from '../database/together.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';
import { claimJobs, type Room, Turns } from './claim-jobs.ts';
import { AbandonedJobs, type Heartbeat, takeHeartbeat, takeOverJobs } from './heartbeat.ts';
import { HopelessJob, type JobKind, type Note } from './job-kind.ts';
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
  relayEvents,
  ripenJobs,
} from './job-queue.ts';

export interface JobLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/**
 * A message says when to look; this finds what is due later, what a message was lost of, and what a process left that died.
 * So often each process also says that it lives (heartbeat.ts).
 */
const LOOK_EVERY_MS = 2_000;
const EVENTS_AT_ONCE = 500;
const RIPENED_AT_ONCE = 1_000;
/** How many jobs of a line run at once before it is known not to take long. */
const UNPROVEN = 1;
const LONGEST_RUN_MS = 90_000;
const LONGEST_NOTE_PAUSE_MS = 2_000;
/** A statement that fails so often, with a database that answers, is a mistake of ours. */
const MOST_NOTES = 5;
const FAREWELL_MS = 8_000;

interface Running {
  readonly ended: Promise<void>;
  /** It takes long. */
  isLong: boolean;
  /** As it does, it has given its place to others. */
  isSlow: boolean;
}

/** Tells events to their subscribers and does what is due, beside all other processes on the database. */
export class JobRunner {
  readonly #em: Em;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #log: JobLog;
  readonly #clocks: NonNullable<Parameters<typeof takeHeartbeat>[3]>;
  readonly #running = new Map<ClaimedJob, Running>();
  readonly #turns = new Map<string, Turns>();
  /** The lines of which the last job did not take long, where that matters. */
  readonly #quick = new LRUCache<string, true>({ max: 10_000 });
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
    while (this.#looking || this.#running.size > 0) await Promise.all([this.#looking, this.#allEnded()]);
  }

  /** Begins nothing new, waits a while for what runs, and leaves the rest to others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#stopListening?.();
    await this.#looking;
    const farewell = new AbortController();
    await Promise.race([
      this.#allEnded(),
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
        await this.#act(await this.#takeHeartbeat());
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #takeHeartbeat(): Promise<Heartbeat> {
    const beganAt = performance.now();
    const heartbeat = await this.#ask((em) =>
      takeHeartbeat(em, [...this.#kinds.keys()], [...this.#running.keys()], this.#clocks),
    );
    const abandoned = this.#abandoned.watch(heartbeat.others, beganAt, performance.now());
    if ((await this.#ask((em) => takeOverJobs(em, abandoned))) > 0) this.#isToLookAgain = true;
    return heartbeat;
  }

  async #act({ hasEvents, hasRipeJobs, ripe, due }: Heartbeat): Promise<void> {
    if (hasRipeJobs && (await this.#ask((em) => ripenJobs(em, RIPENED_AT_ONCE))) > 0) this.#isToLookAgain = true;
    for (const queue of ripe) {
      const putIn = this.#kinds.get(queue)?.clock?.putIn;
      if (putIn && (await this.#ask(putIn)) > 0) this.#isToLookAgain = true;
    }
    const subscriptions = [...this.#kinds.values()];
    if (hasEvents && (await this.#ask((em) => relayEvents(em, subscriptions, EVENTS_AT_ONCE))) > 0)
      this.#isToLookAgain = true;
    for (const queue of due) {
      const kind = this.#kinds.get(queue);
      const room = kind && this.#roomOf(kind);
      if (room && room.limit > 0) await this.#claim(kind, room);
    }
  }

  async #claim(kind: JobKind, room: Room): Promise<void> {
    const turns = this.#turns.getOrInsertComputed(kind.queue, () => new Turns());
    const { jobs, isMore } = await this.#ask((em) => claimJobs(em, kind.queue, room, turns));
    for (const job of jobs) this.#begin(kind, job);
    if (isMore && jobs.length < room.limit) this.#isToLookAgain = true;
  }

  #roomOf({ queue, atOnce, share = { ofOwner: atOnce, ofLine: atOnce }, slow }: JobKind): Room {
    const running = [...this.#running].filter(([job]) => job.queue === queue);
    const owners = new Map<string, number>();
    const slowOf = this.#countSlow(queue);
    for (const [{ owner }, { isSlow }] of running) {
      const most = slow && (slowOf.get(owner) ?? 0) >= slow.ofOwner ? slow.shareThen : share.ofOwner;
      owners.set(owner, (owners.get(owner) ?? most) - (isSlow ? 0 : 1));
    }
    const lines = new Map<string, readonly [string, string, number]>();
    for (const [job, { isSlow }] of running) {
      const most = slow && !this.#quick.has(lineOf(job)) ? UNPROVEN : share.ofLine;
      const [, , left] = lines.get(lineOf(job)) ?? ['', '', most];
      // One that is waited for is enough to know that the next ones would be, too.
      lines.set(lineOf(job), [job.owner, job.line, isSlow ? 0 : Math.max(left - 1, 0)]);
    }
    const limit = atOnce - running.filter(([, { isSlow }]) => !isSlow).length;
    return {
      limit,
      ofOwner: share.ofOwner,
      ofLine: slow ? UNPROVEN : share.ofLine,
      owners,
      lines: [...lines.values()],
    };
  }

  async #prepareQueues(): Promise<void> {
    if (this.#hasQueues) return;
    await this.#ask((em) => prepareQueues(em, [...this.#kinds.keys()]));
    this.#hasQueues = true;
  }

  #begin(kind: JobKind, job: ClaimedJob): void {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const running: Running = { ended, isLong: false, isSlow: false };
    this.#running.set(job, running);
    void this.#runToItsEnd(kind, job, running).finally(resolve);
  }

  async #runToItsEnd(kind: JobKind, job: ClaimedJob, running: Running): Promise<void> {
    const timer = kind.slow && setTimeout(() => this.#giveWay(kind, job, running), kind.slow.afterMs);
    await this.#do(kind, job);
    clearTimeout(timer);
    if (kind.slow && !running.isLong) this.#quick.set(lineOf(job), true);
    this.#running.delete(job);
    // Its place is free, and the next one of its order may begin.
    this.look();
  }

  /** It takes long: others take its place, while it runs on. */
  #giveWay({ queue, slow }: JobKind, job: ClaimedJob, running: Running): void {
    running.isLong = true;
    this.#quick.delete(lineOf(job));
    const counts = this.#countSlow(queue);
    const inAll = counts.values().reduce((sum, count) => sum + count, 0);
    if (!slow || inAll >= slow.inAll || (counts.get(job.owner) ?? 0) >= slow.ofOwner) return;
    running.isSlow = true;
    this.look();
  }

  /** Counts, by owner, the jobs of a queue that run on without holding one of its places. */
  #countSlow(queue: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [job, { isSlow }] of this.#running)
      if (isSlow && job.queue === queue) counts.set(job.owner, (counts.get(job.owner) ?? 0) + 1);
    return counts;
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Never rejects: what cannot be noted stays claimed, and somebody takes it over once this process is gone. */
  async #do(kind: JobKind, job: ClaimedJob): Promise<void> {
    try {
      const outcome = await this.#outcomeOf(kind, job);
      if ('error' in outcome) return await this.#note(() => this.#fail(kind, job, outcome.error));
      const { done } = outcome;
      const next = typeof done === 'function' ? await this.#note(() => this.#ask(done)) : done;
      await this.#note(() => this.#finish({ job, next }));
    } catch (error) {
      this.#report(error);
    }
  }

  async #outcomeOf(kind: JobKind, job: ClaimedJob): Promise<{ done: readonly NewJob[] | Note } | { error: unknown }> {
    try {
      requireHope(kind, job);
      const work = kind.run(this.#em.fork(), job.data);
      return { done: await inTime(work, LONGEST_RUN_MS, () => new Error('It took too long.')) };
    } catch (error) {
      return { error };
    }
  }

  /**
   * Notes what was done, until it is noted: it must not be done again because the database was away, for however long,
   * or lost a statement.
   */
  async #note<Noted>(note: () => Promise<Noted>): Promise<Noted> {
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

/** A line, among all that there are. */
function lineOf({ queue, owner, line }: ClaimedJob): string {
  return `${queue} ${owner} ${line}`;
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
