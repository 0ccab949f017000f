import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, slugMistake, TEXT_MISTAKES, textMistake, tidyText, urlMistake } from '../../core/text.ts';
import { phoneMistake, tidyPhone } from './phone.rules.ts';

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

/** `value` is the address, the https link, the phone number or the app's slug; null where the attendee says it. */
export interface Location {
  readonly type: LocationType;
  readonly value: string | null;
}

export const LOCATION_MISTAKES = [...TEXT_MISTAKES, 'INVALID_PHONE', 'NOT_POSSIBLE', 'DUPLICATE'] as const;

export const MAX_ADDRESS_LENGTH = 500;
const MAX_LOCATIONS = 20;

/** The location as it is stored and checked. */
export function tidyLocation({ type, value }: Location): Location {
  if (value === null) return { type, value };
  return { type, value: type === 'PHONE' ? tidyPhone(value) : tidyText(value) };
}

/** Everything that is wrong with an event type's locations, from which the attendee chooses. */
export function locationMistakes(path: Path, locations: readonly Location[]): readonly Mistake[] {
  if (locations.length > MAX_LOCATIONS) {
    const message = `There are ${locations.length} locations; at most ${MAX_LOCATIONS} are possible.`;
    return [{ code: 'TOO_MANY', message, path }];
  }
  return locations
    .map((location, index) => {
      const own: Path = [...path, String(index)];
      const isRepeated = locations.slice(0, index).some((earlier) => isSameLocation(earlier, location));
      return isRepeated ? repeated(own) : locationMistake([...own, 'value'], location);
    })
    .filter((mistake) => mistake !== undefined);
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

function repeated(path: Path): Mistake {
  return { code: 'DUPLICATE', message: 'The location is there twice; leave one of them out.', path };
}
