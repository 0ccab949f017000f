/** The most events that a calendar may have, and the most times that they may come to once they are merged. */
export const MAX_EVENTS = 20_000;
export const MAX_PERIODS = 5_000;
