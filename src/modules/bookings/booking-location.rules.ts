import { inLanguages } from '../../core/language.ts';
import { phoneMistake, tidyPhone } from '../../core/phone.ts';
import type { Mistake } from '../../core/problem.ts';
import { type Path, shown, TEXT_CODES, textMistake } from '../../core/text.ts';
import {
  isSaidByAttendee,
  isSameLocation,
  type Location,
  type LocationType,
  MAX_ADDRESS_LENGTH,
  misplacedField,
  misplacedMistake,
  type OfferedLocation,
  type Place,
  placeIn,
  placePath,
  valueOf,
} from '../event-types/settings/location.rules.ts';
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

/** One of an event type's locations, by its id or by its type, and what the attendee says where it is for them to say. */
export interface LocationChoice extends Place {
  readonly type: LocationType | null;
  readonly id?: string;
}

export const BOOKING_LOCATION_CODES = [...TEXT_CODES, 'INVALID_PHONE', 'LOCATION_NOT_OFFERED'] as const;

type LocationOutcome =
  | { readonly kind: 'DECIDED'; readonly location: Location | null }
  | { readonly kind: 'REFUSED'; readonly mistake: Mistake };

/**
 * Where a booking takes place. Without a choice, at the first location, and nowhere in particular if there is none. A
 * choice must be one of the offered locations; of those that the host says, the type suffices if only one has it.
 */
export function decideLocation(
  path: Path,
  offered: readonly OfferedLocation[],
  choice: LocationChoice | null,
): LocationOutcome {
  const [first] = offered;
  if (!choice) return first ? decidedFor(path, first, {}) : decided(null);
  const misplaced = misplacedIn(path, choice);
  if (misplaced) return refused(misplaced);
  const chosen = choice.id === undefined ? byType(offered, choice) : offered.find(({ id }) => id === choice.id);
  if (!chosen || contradicts(choice, chosen)) return refused(notOffered(path, choice, chosen));
  return decidedFor(path, chosen, choice);
}

/** Where a host says that a booking takes place: one of the event type's locations, by its id, or anywhere else. */
export function decideHostsLocation(
  path: Path,
  offered: readonly OfferedLocation[],
  choice: LocationChoice,
): LocationOutcome {
  const { id, type } = choice;
  const misplaced = misplacedIn(path, choice);
  if (misplaced) return refused(misplaced);
  if (id === undefined && type !== null) return decided({ type, value: valueOf(type, choice) ?? null });
  const chosen = offered.find((one) => one.id === id);
  return chosen && !contradicts(choice, chosen) ? decided(placeOf(chosen)) : refused(notOffered(path, choice, chosen));
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

/**
 * Checks the location that a booker of a further seat chooses. The message tells only the kind of the location of the
 * others.
 */
export function joinedLocationMistake(
  path: Path,
  joined: Location | null,
  chosen: Location | null,
): Mistake | undefined {
  if (joined === chosen || (joined && chosen && isSameLocation(joined, chosen))) return undefined;
  const where = joined ? KINDS[joined.type] : 'at no particular location';
  const message = `The free seat is in a booking that takes place ${where}, which is not the location given; leave the location out to come there.`;
  return { code: 'LOCATION_NOT_OFFERED', message, path };
}

const KINDS: Readonly<Record<LocationType, string>> = {
  ADDRESS: 'at an address',
  LINK: 'online, by a link',
  PHONE: 'by phone',
  CONFERENCING: 'in a conferencing app',
  ATTENDEE_ADDRESS: 'at an address that an attendee has said',
  ATTENDEE_PHONE: 'by phone',
  ATTENDEE_CHOICE: 'where an attendee has said',
};

function misplacedIn(path: Path, choice: LocationChoice): Mistake | undefined {
  const mistake = choice.type === null ? undefined : misplacedMistake(path, choice.type, choice);
  return mistake && { ...mistake, code: 'LOCATION_NOT_OFFERED' };
}

function byType(offered: readonly OfferedLocation[], choice: LocationChoice): OfferedLocation | undefined {
  const { type } = choice;
  const ofType = offered.filter((one) => one.type === type);
  const [first, second] = ofType;
  const value = (type && valueOf(type, choice)) ?? null;
  if (type === null || isSaidByAttendee(type) || (value === null && !second)) return first;
  return ofType.find((one) => isSameLocation(one, { type, value }));
}

/** Whether more is given than the id, and it is that of another location. */
function contradicts(choice: LocationChoice, chosen: OfferedLocation): boolean {
  if (choice.type !== null && choice.type !== chosen.type) return true;
  if (misplacedField(chosen.type, choice)) return true;
  const value = valueOf(chosen.type, choice) ?? null;
  return value !== null && value !== chosen.value && !isSaidByAttendee(chosen.type);
}

function decidedFor(path: Path, chosen: OfferedLocation, place: Place): LocationOutcome {
  const { type } = chosen;
  if (!isSaidByAttendee(type)) return decided(placeOf(chosen));
  const said = valueOf(type, place);
  const value = type === 'ATTENDEE_PHONE' ? tidyPhone(said ?? '') : (said ?? '');
  const own = placePath(path, type);
  const mistake =
    type === 'ATTENDEE_PHONE'
      ? phoneMistake(own, value)
      : textMistake(own, value, { max: MAX_ADDRESS_LENGTH, multiline: true });
  return mistake ? refused(mistake) : decided({ type, value });
}

/** The booking keeps this part of a location: an id would lead nowhere once the event type has changed. */
function placeOf({ type, value }: OfferedLocation): Location {
  return { type, value };
}

function notOffered(path: Path, { id, type }: LocationChoice, chosen: OfferedLocation | undefined): Mistake {
  const code = 'LOCATION_NOT_OFFERED';
  if (id === undefined) {
    const message =
      type === null
        ? 'The location names neither an id nor a type; give the id of one of those of this event type.'
        : 'The location is none of those of this event type; choose one of them, by its id.';
    return { code, message, path };
  }
  const message = chosen
    ? `The location ${shown(id)} has another type or value than is given with it; give its id alone.`
    : `The location ${shown(id)} is none of those of this event type; choose one of them.`;
  return { code, message, path };
}

function decided(location: Location | null): LocationOutcome {
  return { kind: 'DECIDED', location };
}

function refused(mistake: Mistake): LocationOutcome {
  return { kind: 'REFUSED', mistake };
}
