/** Where a booking takes place, in German. */
import type { BOOKING_LOCATION_EN } from './booking-location-words.en.rules.ts';

export const BOOKING_LOCATION_DE: typeof BOOKING_LOCATION_EN = {
  linkFollows: (app) => `${app} (Link folgt)`,
};
