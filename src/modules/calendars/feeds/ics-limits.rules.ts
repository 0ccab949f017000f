/** The most events that a calendar may have, and the most times that they may come to once they are merged. */
export const MAX_EVENTS = 20_000;
export const MAX_PERIODS = 5_000;
/** The same of one event, and how often it may begin (each hour of a year), where those with more are left out. */
export const MAX_PERIODS_OF_EVENT = 1_000;
export const MAX_STARTS_OF_EVENT = 10_000;
/** How many times are looked at for that. */
export const MAX_STEPS_OF_EVENT = 50_000;
