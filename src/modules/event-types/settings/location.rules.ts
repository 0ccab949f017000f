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

/** A location's value, in a field of its own for what it is. */
const PLACE_FIELDS = ['address', 'url', 'phone', 'app'] as const;
type PlaceField = (typeof PLACE_FIELDS)[number];
export type Place = { readonly [Field in PlaceField]?: string | null | undefined };

const FIELD_OF_TYPE: Readonly<Record<LocationType, PlaceField>> = {
  ADDRESS: 'address',
  LINK: 'url',
  PHONE: 'phone',
  CONFERENCING: 'app',
  ATTENDEE_ADDRESS: 'address',
  ATTENDEE_PHONE: 'phone',
  ATTENDEE_CHOICE: 'address',
};

/** Whether a path that ends so leads to a location's value. */
export function isPlaceField(name: string | undefined): boolean {
  return PLACE_FIELDS.some((field) => field === name);
}

/** Says where a location is, in the field of its type. */
export function placeIn(type: LocationType, value: string | null | undefined): Place {
  return { [FIELD_OF_TYPE[type]]: value };
}

/** The value of a location of this type; undefined where it is left out. */
export function valueOf(type: LocationType, place: Place): string | null | undefined {
  return place[FIELD_OF_TYPE[type]];
}

/** The path of a location's value. */
export function placePath(path: Path, type: LocationType): Path {
  return [...path, FIELD_OF_TYPE[type]];
}

/** The field that has a value, and that locations of this type do not have. */
export function misplacedField(type: LocationType, place: Place): PlaceField | undefined {
  return PLACE_FIELDS.find((field) => field !== FIELD_OF_TYPE[type] && place[field] != null);
}

/** A value in a field that locations of this type do not have. */
export function misplacedMistake(path: Path, type: LocationType, place: Place): Mistake | undefined {
  const [own, misplaced] = [FIELD_OF_TYPE[type], misplacedField(type, place)];
  if (misplaced === undefined) return undefined;
  const message = `A location of type ${type} has no ${misplaced}; ${isSaidByAttendee(type) ? 'leave it out' : `give its ${own}`}.`;
  return { code: 'NOT_POSSIBLE', message, path: [...path, misplaced] };
}

/** One of an event type's locations. By its id, people who may not see its value can choose it. */
export interface OfferedLocation extends Location {
  readonly id: string;
  /** The text that everybody sees of it, such as `Zoom` or `Office Berlin`. */
  readonly label: string | null;
}

/** A location as it is given: without a place where the attendee says it. A part that is absent stays what it was. */
export interface GivenLocation extends Place {
  readonly id?: string | null | undefined;
  readonly type: LocationType;
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
    const said = valueOf(one.type, one);
    const { type, value } = tidyLocation({ type: one.type, value: said ?? null });
    const known =
      one.id == null
        ? stored.find((other) => !named.has(other.id) && isSameLocation(other, { type, value }))
        : stored.find(({ id }) => id === one.id);
    const isSilent = said === undefined && known?.type === type;
    return {
      id: one.id ?? known?.id ?? newLocationId(),
      type,
      value: isSilent ? known.value : value,
      label: one.label === undefined ? (known?.label ?? null) : tidyText(one.label ?? '') || null,
    };
  });
}

/** Checks the parts of an event type's locations that are not stored as they are given; ids are `stored` ones, or new. */
export function givenLocationMistakes(
  path: Path,
  stored: readonly OfferedLocation[],
  given: readonly GivenLocation[],
): readonly Mistake[] {
  if (given.length > MAX_LOCATIONS) return [];
  return given.flatMap((one, index) => {
    const { id, label, type } = one;
    const own: Path = [...path, String(index)];
    const isRepeated = id != null && given.slice(0, index).some((earlier) => earlier.id === id);
    const labelPath: Path = [...own, 'label'];
    return [
      id == null || stored.some((one) => one.id === id) ? undefined : unknownId([...own, 'id'], id),
      isRepeated ? repeated([...own, 'id']) : undefined,
      misplacedMistake(own, type, one),
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
      return isRepeated ? repeated(own) : locationMistake(placePath(own, location.type), location);
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
