/** A host says where a booking takes place. */

import { type Mistake, Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, json } from '../../../database/sql.ts';
import { type LastSeen, throwIfNotAsSeen } from '../../../database/updates.ts';
import { recordEvent } from '../../../events/record-event.ts';
import {
  isSaidByAttendee,
  isSameLocation,
  LOCATION_CODES,
  type Location,
  locationMistakes,
  type OfferedLocation,
} from '../../event-types/settings/location.rules.ts';
import type { BookedLocation } from '../booking-location.rules.ts';
import { BOOKING_LOCATION_CODES, decideHostsLocation, type LocationChoice } from '../booking-request.rules.ts';
import { requireStanding, STANDING_CODES } from '../booking-transitions.rules.ts';
import { byHost, type HostedBooking, lockHostedBooking } from '../locked-booking.ts';
import { factsOf, inApp, saveBooking } from '../stored-booking.ts';

export const UPDATE_LOCATION_CODES = [
  'CONFLICT',
  ...STANDING_CODES,
  ...LOCATION_CODES,
  ...BOOKING_LOCATION_CODES,
] as const;

/**
 * Says where it is: one of the `offered` locations of its event type, by its id, or anywhere else.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, CONFLICT, LOCATION_NOT_OFFERED, and every mistake of the location
 */
export async function updateLocation(
  em: Em,
  hosted: HostedBooking,
  offered: readonly OfferedLocation[],
  choice: LocationChoice,
  ifUpdatedAt?: LastSeen,
): Promise<void> {
  const place = decideHostsLocation(['location'], offered, choice);
  Problem.throwIfAny(place.kind === 'REFUSED' ? [place.mistake] : hostsLocationMistakes(place.location));
  const said = place.kind === 'DECIDED' ? place.location : null;
  const location = said && { ...said, saidBy: hosted.hostId };
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    requireStanding(booking, await databaseNow(inner));
    throwIfNotAsSeen(booking.updatedAt, ifUpdatedAt);
    const { ownerId, location: before } = booking;
    const isTheSame = location && before && isSameLocation(location, before);
    const url = isTheSame ? before.url : undefined;
    const kept = location && url !== undefined ? { ...location, url } : location;
    // Said again, a place in an app gets the link that it has missed.
    const isNews = !isTheSame || (location.type === 'CONFERENCING' && url === undefined);
    const entry = isNews ? ({ kind: 'LOCATION_CHANGED', by: hosted.hostId } as const) : undefined;
    await saveBooking(inner, booking, { location: json<BookedLocation | null>(kept) }, entry);
    if (!isNews) return;
    const facts = { ...factsOf(booking), ...inApp(before, location) };
    await recordEvent(inner, ownerId, { type: 'BOOKING_LOCATION_CHANGED', booking: facts, by: byHost(hosted) });
  });
}

function hostsLocationMistakes(location: Location | null): readonly Mistake[] {
  if (!location) return [];
  // There is one, so where it would stand in a list is left out of the path.
  const mistakes = locationMistakes(['location'], [location]).map(({ path = [], ...mistake }) => ({
    ...mistake,
    path: path.filter((_, index) => index !== 1),
  }));
  return [...mistakes, ...notForHosts(location)];
}

function notForHosts({ type }: Location): readonly Mistake[] {
  if (!isSaidByAttendee(type)) return [];
  const message = `A location of type ${type} is for the attendee to say; use ADDRESS, LINK, PHONE or CONFERENCING.`;
  return [{ code: 'NOT_POSSIBLE', message, path: ['location', 'type'] }];
}
