import type { Em, RawBuilder } from '../database/sql.ts';
import type { DomainEventType } from '../events/record-event.ts';
import type { NewJob } from './job-queue.ts';

/** A kind of background work: one queue of jobs, and how to do one. */
export interface JobKind {
  readonly queue: string;
  /** The domain events that each become a job of this kind, with the event as its data. */
  readonly hears: readonly DomainEventType[];
  /**
   * A kind that goes first gets the events about bookings that meet in an app in place of the others, and puts in their
   * jobs when it is done.
   */
  readonly goesFirst?: boolean;
  /** How many run at once in a process, at most. */
  readonly atOnce: number;
  /** The most of these of one owner and of one of an owner's lines; left out, as many: they only take turns. */
  readonly share?: { readonly ofOwner: number; readonly ofLine: number };
  /** A job that takes long gives its place to others, and runs on beside them; left out, it keeps its place. */
  readonly slow?: SlowPlaces;
  /** The pauses between the attempts; after the last attempt the job is given up. */
  readonly pausesInSeconds: readonly number[];
  /**
   * Jobs that fall due by the clock alone: whether there are any, which each look asks, and the function that puts them
   * in.
   */
  readonly clock?: {
    /** SQL */
    readonly isDue: RawBuilder<boolean>;
    /** @returns how many it has put in */
    readonly putIn: (em: Em) => Promise<number>;
  };
  /**
   * Does it, and says what is to be done next, which is put in as this job is crossed off. It may be done again after a
   * crash. `em` is a fork of its own. @throws HopelessJob when trying again is of no use
   */
  readonly run: (em: Em, data: unknown) => Promise<readonly NewJob[] | Note>;
}

/**
 * Writes what came of a call to others that is done, and says what is to be done next. It is tried until the database
 * takes it, for however long that is away, since the call must not be made again: so it may have been carried out
 * although it failed, and changes nothing then.
 */
export type Note = (em: Em) => Promise<readonly NewJob[]>;

export interface SlowPlaces {
  readonly afterMs: number;
  /** How many slow jobs of one owner, and of all, run on beside the places; a further one keeps its place. */
  readonly ofOwner: number;
  readonly inAll: number;
  /** An owner who has as many as that gets no more of the other places than this. */
  readonly shareThen: number;
}

/**
 * The pauses of kinds that ask nobody but the database, and of those that note elsewhere what others do wrong: about
 * three hours, as it can be overloaded for long. A failure then is a mistake of ours, and later events of the same
 * thing have waited behind it.
 */
export const DATABASE_PAUSES_IN_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 3_600];

/** Thrown by a job that nothing can mend. */
export class HopelessJob extends Error {
  override readonly name = 'HopelessJob';
}
