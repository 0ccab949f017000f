/** Where a booking takes place, as it is stored and as people are shown it. */
import { inLanguages } from '../../core/language.ts';
import { isSaidByAttendee, type Location, type Place, placeIn } from '../event-types/settings/location.rules.ts';
import { BOOKING_LOCATION_DE } from './booking-words.de.rules.ts';
import { BOOKING_LOCATION_EN } from './booking-words.en.rules.ts';

/** Where a booking takes place. */
export interface BookedLocation extends Location {
  /** The host who has said so since it was booked. */
  readonly saidBy?: string;
  /** In a conferencing app: the link of its meeting, once that is there. */
  readonly url?: string;
  /** The name that people know of the app that has not made the link yet, and is asked for it again. */
  readonly awaits?: string;
}

/** Where to go: what was said, or the link that a conferencing app has for it. */
export function placeText({ url, value }: BookedLocation): string | null {
  return url ?? value;
}

/** The same in the field of its type; the link of an app is in `url`. */
export function bookedPlace({ type, value, url }: BookedLocation): Place {
  return { ...placeIn(type, value), ...(url !== undefined && { url }) };
}

/** The same for people, who are told of a link that is to come. */
export function placeWords(location: BookedLocation): string | null {
  return awaitedLink(location) ?? placeText(location);
}

const wordsFor = inLanguages(BOOKING_LOCATION_EN, { de: BOOKING_LOCATION_DE });

/** Says that a link is to come, as in `Zoom: the link follows`. `locale` is the reader's. */
export function awaitedLink({ url, awaits }: BookedLocation, locale = 'en'): string | undefined {
  return url === undefined && awaits !== undefined ? wordsFor(locale).linkFollows(awaits) : undefined;
}

/** The same place for another booking, which gets a link of its own. */
export function withoutLink(location: BookedLocation | null): BookedLocation | null {
  if (location?.url === undefined) return location;
  const { url: _, ...place } = location;
  return place;
}

/**
 * A booking's location, as those who come may know it. A meeting that is not agreed on has no place yet, and one that is
 * cancelled has lost it. What one attendee of several said, the others may not know.
 */
export function sharedLocation({
  status,
  location,
  seats,
}: {
  readonly status: string;
  readonly location: BookedLocation | null;
  readonly seats: object | null;
}): BookedLocation | null {
  if (status !== 'ACCEPTED') return null;
  return seats !== null && location && isSaidByAttendee(location.type) ? null : location;
}
