/** A calendar, or a feed, whose events make its user busy. */
export interface BusyCalendar {
  readonly kind: 'CALENDAR' | 'FEED';
  readonly id: string;
  /** How long ago it was asked for what it has answered, in milliseconds; null: it has not answered yet. */
  readonly age: number | null;
}

/**
 * Why a calendar is asked. DUE: it has not been for a quarter of an hour. LOOKED_AT: somebody looks when its user has time. BOOKED:
 * somebody is about to take time of its user's. WANTED: its user says so.
 */
export type Trigger = 'DUE' | 'LOOKED_AT' | 'BOOKED' | 'WANTED';

/** For so long what a calendar has said counts as new. */
export const FRESH_SECONDS: Readonly<Record<Exclude<Trigger, 'DUE'>, number>> = {
  LOOKED_AT: 30,
  BOOKED: 2,
  WANTED: 5,
};
