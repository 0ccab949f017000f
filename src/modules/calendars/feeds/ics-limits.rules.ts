/** The most events that a calendar may have, and the most times that they may come to once they are merged. */
export const MAX_EVENTS = 20_000;
export const MAX_PERIODS = 5_000;
/** The most events of one UID that are read; if there are more, all of them are left out. */
export const MAX_EVENTS_OF_UID = 1_000;
/** Where the times of all events are too many, those UIDs are left out that come to most, down to as many times as this. */
export const MAX_PERIODS_OF_UID = 100;
/** How often an event may begin (each hour of a year); one that does so more often is left out. */
export const MAX_STARTS_OF_EVENT = 10_000;
/**
 * How many days, times and dates are looked at, of each UID and of all; ten million take about a second. First come all that are done
 * soon, as a daily event is; of those that take longer, as many as there is room for.
 */
export const ROUNDS = [
  { ofUid: 5_000, ofAll: 15_000_000 },
  { ofUid: 200_000, ofAll: 4_000_000 },
] as const;
/** A time that is kept counts as so many, as it takes memory. */
export const STEPS_OF_START = 8;
/** How many of the events that could not be read are named. */
export const MAX_UNREADABLE = 10;

/** A rule with more times than anybody goes through. */
export class TooManyOccurrences extends Error {
  override readonly name = 'TooManyOccurrences';
}

/** How many days, times and dates may still be looked at. */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** @throws {TooManyOccurrences} */
  take(some = 1): void {
    this.#left -= some;
    if (this.#left < 0) throw new TooManyOccurrences();
  }
}
