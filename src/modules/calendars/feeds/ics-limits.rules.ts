/** The most events that a calendar may have, and the most times that they may come to once they are merged. */
export const MAX_EVENTS = 20_000;
export const MAX_PERIODS = 5_000;
/** So many events of one UID are read; where there are more, all of these are left out. */
export const MAX_EVENTS_OF_UID = 1_000;
/** Where the times of all events are too many, those of a UID that come to more than this are left out. */
export const MAX_PERIODS_OF_UID = 1_000;
/** How often an event may begin (each hour of a year); one that does so more often is left out. */
export const MAX_STARTS_OF_EVENT = 10_000;
/** How many days and times of a rule are looked at for that, which takes some milliseconds. */
export const MAX_STEPS_OF_EVENT = 200_000;
/** So many of the events that could not be read are named. */
export const MAX_UNREADABLE = 10;
