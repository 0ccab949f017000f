/** The parameters in the address of a page on the way to a booking, so that each of its states has an address. */
export const BOOKING_PARAMETERS = [
  'timeZone',
  'lengthInMinutes',
  'month',
  'date',
  'start',
  'name',
  'email',
  'embed',
] as const;
type BookingParameter = (typeof BOOKING_PARAMETERS)[number];

/** As it stands in the address; what is left out is not there. */
export type BookingQuery = { readonly [Name in BookingParameter]?: string | undefined };

/** The address of a state, with what of it is said. */
export function addressOf(path: string, query: BookingQuery, fragment = ''): string {
  const said = BOOKING_PARAMETERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return `${path}${said.length > 0 ? `?${new URLSearchParams(said)}` : ''}${fragment}`;
}
