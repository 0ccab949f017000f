import { phoneMistake, tidyPhone } from '../../../core/phone.ts';
import type { Mistake } from '../../../core/problem.ts';
import {
  nameOf,
  optionalTextMistake,
  type Path,
  SLUG_CODES,
  shown,
  slugMistake,
  TEXT_CODES,
  textMistake,
  tidyText,
  URL_CODES,
  urlMistake,
} from '../../../core/text.ts';

/** Where a meeting takes place: said by the host, by the attendee, or made by a conferencing app. */
export const LOCATION_TYPES = [
  'ADDRESS',
  'LINK',
  'PHONE',
  'CONFERENCING',
  'ATTENDEE_ADDRESS',
  'ATTENDEE_PHONE',
  'ATTENDEE_CHOICE',
] as const;
export type LocationType = (typeof LOCATION_TYPES)[number];

const SAID_BY_ATTENDEE: readonly LocationType[] = ['ATTENDEE_ADDRESS', 'ATTENDEE_PHONE', 'ATTENDEE_CHOICE'];

/** Whether where it is, is for the attendee to say. */
export function isSaidByAttendee(type: LocationType): boolean {
  return SAID_BY_ATTENDEE.includes(type);
}

/** `value` is the address, the https link, the phone number or the app's slug; null where the attendee says it. */
export interface Location {
  readonly type: LocationType;
  readonly value: string | null;
}

/** One of an event type's locations. By its id, people who may not see its value can choose it. */
export interface OfferedLocation extends Location {
  readonly id: string;
  /** The text that everybody sees of it, such as `Zoom` or `Office Berlin`. */
  readonly label: string | null;
}

/** A location as it is given: without a value where the attendee says it. A part that is absent stays what it was. */
export interface GivenLocation {
  readonly id?: string | null | undefined;
  readonly type: LocationType;
  readonly value?: string | null | undefined;
  readonly label?: string | null | undefined;
}

export const LOCATION_CODES = [
  ...TEXT_CODES,
  ...SLUG_CODES,
  ...URL_CODES,
  'TOO_MANY',
  'INVALID_PHONE',
  'NOT_POSSIBLE',
  'DUPLICATE',
] as const;

export const MAX_ADDRESS_LENGTH = 500;
export const MAX_LOCATIONS = 20;
export const MAX_LABEL_LENGTH = 100;

/**
 * Locations as they are stored and checked. One that names the id of a stored one, or has its type and value, is that one
 * and keeps its id; `newLocationId` makes those of the others.
 */
export function patchedLocations(
  stored: readonly OfferedLocation[],
  given: readonly GivenLocation[],
  newLocationId: () => string,
): readonly OfferedLocation[] {
  const named = new Set(given.map(({ id }) => id));
  return given.map((one) => {
    const { type, value } = tidyLocation({ type: one.type, value: one.value ?? null });
    const known =
      one.id == null
        ? stored.find((other) => !named.has(other.id) && isSameLocation(other, { type, value }))
        : stored.find(({ id }) => id === one.id);
    const isSilent = one.value === undefined && known?.type === type;
    return {
      id: one.id ?? known?.id ?? newLocationId(),
      type,
      value: isSilent ? known.value : value,
      label: one.label === undefined ? (known?.label ?? null) : tidyText(one.label ?? '') || null,
    };
  });
}

/** Checks the ids and labels of an event type's locations; ids are `stored` ones, or new. */
export function locationNameMistakes(
  path: Path,
  stored: readonly OfferedLocation[],
  given: readonly GivenLocation[],
): readonly Mistake[] {
  if (given.length > MAX_LOCATIONS) return [];
  return given.flatMap(({ id, label }, index) => {
    const own: Path = [...path, String(index)];
    const isRepeated = id != null && given.slice(0, index).some((earlier) => earlier.id === id);
    const labelPath: Path = [...own, 'label'];
    return [
      id == null || stored.some((one) => one.id === id) ? undefined : unknownId([...own, 'id'], id),
      isRepeated ? repeated([...own, 'id']) : undefined,
      label == null ? undefined : optionalTextMistake(labelPath, tidyText(label), { max: MAX_LABEL_LENGTH }),
    ].filter((mistake) => mistake !== undefined);
  });
}

/** The location as it is stored and checked. */
function tidyLocation({ type, value }: Location): Location {
  if (value === null) return { type, value };
  return { type, value: type === 'PHONE' ? tidyPhone(value) : tidyText(value) };
}

/** Everything that is wrong with an event type's locations, from which the attendee chooses. */
export function locationMistakes(path: Path, locations: readonly Location[]): readonly Mistake[] {
  if (locations.length > MAX_LOCATIONS) {
    const message = `There are ${locations.length} locations; at most ${MAX_LOCATIONS} are possible.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: locations.length, most: MAX_LOCATIONS } }];
  }
  return locations
    .map((location, index) => {
      const own: Path = [...path, String(index)];
      const isRepeated = locations.slice(0, index).some((earlier) => isSameLocation(earlier, location));
      return isRepeated ? repeated(own) : locationMistake([...own, 'value'], location);
    })
    .filter((mistake) => mistake !== undefined);
}

/** The locations from which a booker chooses. With seats, one of several people cannot say where they all meet. */
export function offeredLocations(
  locations: readonly OfferedLocation[],
  seats: object | null,
): readonly OfferedLocation[] {
  return seats === null ? locations : locations.filter(({ type }) => !isSaidByAttendee(type));
}

/** Checks locations together with seats, at the `path` of whichever of the two was given. */
export function seatedLocationsMistake(
  path: Path,
  { locations, seats }: { readonly locations: readonly OfferedLocation[]; readonly seats: object | null },
): Mistake | undefined {
  const unfit = locations.find((one) => !offeredLocations(locations, seats).includes(one));
  if (!unfit) return undefined;
  const message = `With seats, several people meet in one place, so that a location of type ${unfit.type} is not possible; take it or the seats away.`;
  return { code: 'CONFLICT', message, path };
}

export function isSameLocation(a: Location, b: Location): boolean {
  return a.type === b.type && a.value === b.value;
}

function locationMistake(path: Path, { type, value }: Location): Mistake | undefined {
  switch (type) {
    case 'ADDRESS':
      return textMistake(path, value ?? '', { max: MAX_ADDRESS_LENGTH, multiline: true });
    case 'LINK':
      return urlMistake(path, value ?? '');
    case 'PHONE':
      return phoneMistake(path, value ?? '');
    case 'CONFERENCING':
      return slugMistake(path, value ?? '');
    default:
      return value === null ? undefined : saidByAttendee(path);
  }
}

function saidByAttendee(path: Path): Mistake {
  const message = `The ${nameOf(path)} is what the attendee says when booking; leave it out here.`;
  return { code: 'NOT_POSSIBLE', message, path };
}

function unknownId(path: Path, id: string): Mistake {
  const message = `${shown(id)} is no location of this event type; leave the id out, and it is a new one.`;
  return { code: 'UNKNOWN_LOCATION', message, path };
}

function repeated(path: Path): Mistake {
  return { code: 'DUPLICATE', message: 'The location is there twice; leave one of them out.', path };
}
