import type { Mistake } from '../../core/problem.ts';
import { type Path, textMistake } from '../../core/text.ts';
import {
  isSameLocation,
  LOCATION_MISTAKES,
  type Location,
  type LocationType,
  MAX_ADDRESS_LENGTH,
} from '../event-types/location.rules.ts';
import { phoneMistake, tidyPhone } from '../event-types/phone.rules.ts';

/** What the attendee chooses of an event type's locations, and says where it is for them to say. */
export interface LocationChoice {
  readonly type: LocationType;
  readonly value: string | null;
}

export const BOOKING_LOCATION_MISTAKES = [...LOCATION_MISTAKES, 'LOCATION_NOT_OFFERED'] as const;

export type LocationOutcome =
  | { readonly kind: 'DECIDED'; readonly location: Location | null }
  | { readonly kind: 'REFUSED'; readonly mistake: Mistake };

const SAID_BY_ATTENDEE: readonly LocationType[] = ['ATTENDEE_ADDRESS', 'ATTENDEE_PHONE', 'ATTENDEE_CHOICE'];

/**
 * Where a booking takes place. Without a choice, at the first location, and nowhere in particular if there is none. A
 * choice must be one of the offered locations; of those that the host says, the type suffices if only one has it.
 */
export function decideLocation(
  path: Path,
  offered: readonly Location[],
  choice: LocationChoice | null,
): LocationOutcome {
  const wanted = choice ?? offered[0];
  if (!wanted) return { kind: 'DECIDED', location: null };
  const ofType = offered.filter(({ type }) => type === wanted.type);
  const [first, second] = ofType;
  if (!first) return notOffered(path);
  if (SAID_BY_ATTENDEE.includes(wanted.type)) return saidByAttendee([...path, 'value'], wanted);
  if (wanted.value === null && !second) return { kind: 'DECIDED', location: first };
  return ofType.some((one) => isSameLocation(one, wanted)) ? { kind: 'DECIDED', location: wanted } : notOffered(path);
}

function saidByAttendee(path: Path, { type, value }: LocationChoice): LocationOutcome {
  const said = type === 'ATTENDEE_PHONE' ? tidyPhone(value ?? '') : (value ?? '');
  const mistake =
    type === 'ATTENDEE_PHONE'
      ? phoneMistake(path, said)
      : textMistake(path, said, { max: MAX_ADDRESS_LENGTH, multiline: true });
  return mistake ? { kind: 'REFUSED', mistake } : { kind: 'DECIDED', location: { type, value: said } };
}

function notOffered(path: Path): LocationOutcome {
  const message = 'The location is none of those of this event type; choose one of them.';
  return { kind: 'REFUSED', mistake: { code: 'LOCATION_NOT_OFFERED', message, path } };
}
