import { checkFields, type PatchOf } from '../../core/fields.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import {
  EVENT_TYPE_FIELDS,
  type EventTypeFields,
  NEW_EVENT_TYPE,
  type RequiredEventTypeFields,
} from './event-type.rules.ts';
import { type BookingFieldsPatch, patchedBookingFields } from './settings/booking-field-patch.rules.ts';
import {
  type GivenLocation,
  locationNameMistakes,
  patchedLocations,
  seatedLocationsMistake,
} from './settings/location.rules.ts';
import {
  type BookingLimitsPatch,
  type BookingWindowChoice,
  bookingWindowOf,
  type ConfirmationChoice,
  confirmationOf,
  patchedLimits,
  strayMistakes,
} from './settings/scheduling-choice.rules.ts';
import { schedulingMistakes } from './settings/scheduling-input.rules.ts';

interface CutOffChoice {
  readonly minutesBefore?: number | null | undefined;
}

/** Fields that are given in another form than they are stored in. */
interface Choices {
  readonly locations?: readonly GivenLocation[] | null | undefined;
  readonly bookingWindow?: BookingWindowChoice | null | undefined;
  readonly confirmation?: ConfirmationChoice | null | undefined;
  readonly bookingLimits?: BookingLimitsPatch | null | undefined;
  readonly disableCancelling?: CutOffChoice | null | undefined;
  readonly disableRescheduling?: CutOffChoice | null | undefined;
}

type Plain = Omit<EventTypeFields, keyof Choices | 'bookingFields'>;

/** A change of an event type. Fields that are left out stay; null empties those that can be empty. */
export type EventTypePatch = PatchOf<Plain> & Choices & BookingFieldsPatch;

/** A new event type. */
export type EventTypeInput = PatchOf<Plain> &
  RequiredEventTypeFields &
  Choices & { readonly bookingFields?: BookingFieldsPatch['bookingFieldsSet'] };

/** Makes the id of a new location. */
type NewLocationId = () => string;

/** The changes as they are stored, checked together with what stays. @throws Problem with every mistake at once */
export function eventTypeChanges(
  stored: EventTypeFields,
  patch: EventTypePatch,
  newLocationId: NewLocationId,
): Partial<EventTypeFields> {
  return checkedChanges(stored, patch, 'bookingFieldsSet', newLocationId);
}

/** Fields whose rules are about each of them by itself, and not about the whole. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'slug',
  'title',
  'description',
  'hidden',
  'color',
  'metadata',
  'requiresBookerEmailVerification',
  'requiresAuthentication',
  'disableGuests',
  'successRedirectUrl',
  'embedOrigins',
] satisfies (keyof EventTypeFields)[]);

/** The changes as they are stored, if they can be checked without what stays and are good; undefined otherwise. */
export function independentChanges(patch: EventTypePatch): Partial<EventTypeFields> | undefined {
  const isIndependent = Object.entries(patch).every(([name, value]) => value === undefined || INDEPENDENT.has(name));
  if (!isIndependent) return undefined;
  const { values, mistakes } = checkFields<EventTypeFields, PatchOf<EventTypeFields>>(
    patch as PatchOf<EventTypeFields>,
    EVENT_TYPE_FIELDS,
  );
  return mistakes.length === 0 ? values : undefined;
}

/** A new event type with all its fields. @throws Problem with every mistake at once */
export function newEventType(
  { bookingFields, ...input }: EventTypeInput,
  newLocationId: NewLocationId,
): EventTypeFields {
  const { slug, title, lengthInMinutes } = input;
  const empty = { ...NEW_EVENT_TYPE, slug, title, lengthInMinutes };
  const patch = { ...input, bookingFieldsSet: bookingFields };
  return { ...empty, ...checkedChanges(empty, patch, 'bookingFields', newLocationId) };
}

function checkedChanges(
  stored: EventTypeFields,
  patch: EventTypePatch,
  setName: 'bookingFields' | 'bookingFieldsSet',
  newLocationId: NewLocationId,
): Partial<EventTypeFields> {
  const { values, mistakes } = checkFields<EventTypeFields, PatchOf<EventTypeFields>>(
    inStoredForm(stored, patch, newLocationId),
    EVENT_TYPE_FIELDS,
  );
  const { fields, mistakes: fieldMistakes } = patchedBookingFields(stored.bookingFields, patch, [setName]);
  Problem.throwIfAny([
    ...mistakes,
    ...locationNameMistakes(['locations'], stored.locations, patch.locations ?? []),
    ...strayMistakes(patch.bookingWindow, patch.confirmation),
    ...schedulingMistakes({ ...stored, ...values }),
    ...seatedLocationsMistakes(stored, values),
    ...fieldMistakes,
  ]);
  return { ...values, ...(namesFields(patch) && { bookingFields: fields }) };
}

/** The patch with its choices as they are stored; what is absent stays absent, and null stays null. */
function inStoredForm(
  stored: EventTypeFields,
  patch: EventTypePatch,
  newLocationId: NewLocationId,
): PatchOf<EventTypeFields> {
  const { locations, bookingWindow, confirmation, bookingLimits, disableCancelling, disableRescheduling } = patch;
  return {
    ...patch,
    locations: locations && patchedLocations(stored.locations, locations, newLocationId),
    bookingWindow: bookingWindow && bookingWindowOf(bookingWindow),
    confirmation: confirmation && confirmationOf(confirmation),
    // Null takes all of them away.
    bookingLimits: bookingLimits === null ? {} : bookingLimits && patchedLimits(stored.bookingLimits, bookingLimits),
    disableCancelling: disableCancelling && { minutesBefore: disableCancelling.minutesBefore ?? null },
    disableRescheduling: disableRescheduling && { minutesBefore: disableRescheduling.minutesBefore ?? null },
  };
}

/** Only of a patch that names one of them: those who have both since both were possible can change everything else. */
function seatedLocationsMistakes(stored: EventTypeFields, values: Partial<EventTypeFields>): readonly Mistake[] {
  if (values.locations === undefined && values.seats == null) return [];
  const mistake = seatedLocationsMistake([values.locations ? 'locations' : 'seats'], { ...stored, ...values });
  return mistake ? [mistake] : [];
}

function namesFields({ bookingFieldsSet, bookingFieldsRemove, bookingFieldsOrder }: BookingFieldsPatch): boolean {
  return bookingFieldsSet != null || bookingFieldsRemove != null || bookingFieldsOrder != null;
}
