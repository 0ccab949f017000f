/** Where a booking takes place, in English. */
export const BOOKING_LOCATION_EN = {
  linkFollows: (app: string) => `${app} (link to follow)`,
};
