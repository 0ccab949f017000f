import { COLOR_FIELD, lineField, linesField } from '../../core/field-rules.ts';
import { checkedFields, checkFields, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import {
  METADATA_CODES,
  metadataMistakes,
  nameOf,
  type Path,
  SLUG_CODES,
  slugMistake,
  URL_CODES,
  urlMistake,
} from '../../core/text.ts';
import { type BookingField, type BookingFieldsPatch, patchedBookingFields } from './settings/booking-field.rules.ts';
import { EMBED_ORIGIN_CODES, EMBED_ORIGINS_FIELD } from './settings/embed-origin.rules.ts';
import {
  type GivenLocation,
  givenLocationMistakes,
  locationMistakes,
  type OfferedLocation,
  patchedLocations,
  seatedLocationsMistake,
} from './settings/location.rules.ts';
import {
  type AttendeePolicyChoice,
  attendeePolicyOf,
  type BookingLimitsPatch,
  type BookingWindowChoice,
  bookingWindowOf,
  type ConfirmationChoice,
  confirmationOf,
  DAY_IN_MINUTES,
  EVENT_TYPE_DEFAULTS,
  patchedLimits,
  type SchedulingInput,
  type SchedulingType,
  schedulingMistakes,
  strayMistakes,
} from './settings/scheduling.rules.ts';

/** The fields that the owner of an event type decides. */
export interface EventTypeFields extends SchedulingInput {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly isHidden: boolean;
  readonly color: string | null;
  /** An update with null takes a key away. */
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly locations: readonly OfferedLocation[];
  readonly bookingFields: readonly BookingField[];
  /**
   * Null is the default schedule of the user who is booked, and all that a team can have. An input names one by its public id.
   */
  readonly scheduleId: string | null;
  readonly requiresBookerEmailVerification: boolean;
  readonly requiresAuthentication: boolean;
  readonly allowsGuests: boolean;
  readonly successRedirectUrl: string | null;
  readonly embedOrigins: readonly string[];
}

/** The fields that a new event type must have. */
type RequiredEventTypeFields = Pick<EventTypeFields, 'slug' | 'title' | 'durationInMinutes'>;

/** Every code that the checks of these fields give. */
export const EVENT_TYPE_CODES = [
  ...METADATA_CODES,
  ...SLUG_CODES,
  ...URL_CODES,
  ...EMBED_ORIGIN_CODES,
  'INVALID_DURATION',
  'INVALID_COLOR',
  'INVALID_PHONE',
  'INVALID_DATE',
  'INVERTED_RANGE',
  'OUT_OF_RANGE',
  'CONFLICT',
  'DUPLICATE',
  'NOT_POSSIBLE',
  'UNKNOWN_FIELD',
  'UNKNOWN_LOCATION',
] as const;

/** The most characters of each text. */
/** A user or a team has this many of their own at most. */
export const MAX_EVENT_TYPES = 1_000;
export const MAX_TEXT = { title: 200, description: 5_000 };

/** Checks each field by itself. `eventTypeChanges` adds what the scheduling rules say of the whole. */
export const EVENT_TYPE_FIELDS: FieldRules<EventTypeFields> = {
  slug: { check: slugMistake },
  title: lineField(MAX_TEXT.title),
  description: linesField(MAX_TEXT.description),
  durationInMinutes: { check: lengthMistake },
  durationInMinutesOptions: {},
  isHidden: {},
  color: COLOR_FIELD,
  metadata: { check: metadataMistakes },
  locations: { check: locationMistakes },
  bookingFields: {},
  scheduleId: { nullable: true },
  slotIntervalInMinutes: { nullable: true },
  minimumBookingNoticeInMinutes: {},
  bufferBeforeInMinutes: {},
  bufferAfterInMinutes: {},
  bookingWindow: { nullable: true },
  bookingLimits: {},
  confirmation: {},
  recurrence: { nullable: true },
  seats: { nullable: true },
  requiresBookerEmailVerification: {},
  requiresAuthentication: {},
  allowsGuests: {},
  cancellationPolicy: {},
  reschedulingPolicy: {},
  successRedirectUrl: { nullable: true, tidy: (url) => url.trim(), check: urlMistake },
  embedOrigins: EMBED_ORIGINS_FIELD,
};

/** The defaults of a new event type. */
export const NEW_EVENT_TYPE: Omit<EventTypeFields, keyof RequiredEventTypeFields> = {
  ...schedulingDefaults(),
  description: null,
  isHidden: false,
  color: null,
  metadata: {},
  locations: [],
  bookingFields: [],
  scheduleId: null,
  requiresBookerEmailVerification: false,
  requiresAuthentication: false,
  successRedirectUrl: null,
  embedOrigins: [],
};

/** Fields that are given in another form than they are stored in. */
interface Choices {
  readonly locations?: readonly GivenLocation[] | null | undefined;
  readonly bookingWindow?: BookingWindowChoice | null | undefined;
  readonly confirmation?: ConfirmationChoice | null | undefined;
  readonly bookingLimits?: BookingLimitsPatch | null | undefined;
  readonly cancellationPolicy?: AttendeePolicyChoice | null | undefined;
  readonly reschedulingPolicy?: AttendeePolicyChoice | null | undefined;
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

/** The settings that only a team's event types have. */
export interface TeamSettings {
  readonly schedulingType: SchedulingType;
  /** Whether every member is a host, also those who join later. */
  readonly assignsAllMembers: boolean;
}

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
  'isHidden',
  'color',
  'metadata',
  'requiresBookerEmailVerification',
  'requiresAuthentication',
  'allowsGuests',
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
  const { slug, title, durationInMinutes } = input;
  const empty = { ...NEW_EVENT_TYPE, slug, title, durationInMinutes };
  const patch = { ...input, bookingFieldsSet: bookingFields };
  return { ...empty, ...checkedChanges(empty, patch, 'bookingFields', newLocationId) };
}

const TEAM_SETTINGS: FieldRules<TeamSettings> = { schedulingType: {}, assignsAllMembers: {} };

/** The given settings as they are stored: none for a user's event type. @throws Problem REQUIRED for null, NOT_POSSIBLE for what belongs to the other kind of owner */
export function teamSettings(isTeam: boolean, given: PatchOf<TeamSettings>): Partial<TeamSettings> {
  Problem.throwIfAny(misplaced(isTeam, given));
  return isTeam ? checkedFields<TeamSettings, PatchOf<TeamSettings>>(given, TEAM_SETTINGS) : {};
}

function lengthMistake(path: Path, minutes: number): Mistake | undefined {
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= DAY_IN_MINUTES) return undefined;
  const message = `A length of ${minutes} minutes is not possible; use 1 to ${DAY_IN_MINUTES}.`;
  return { code: 'INVALID_DURATION', message, path, bounds: { least: 1, most: DAY_IN_MINUTES } };
}

function schedulingDefaults(): Omit<typeof EVENT_TYPE_DEFAULTS, 'schedulingType'> {
  const { schedulingType: _, ...defaults } = EVENT_TYPE_DEFAULTS;
  return defaults;
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
    ...givenLocationMistakes(['locations'], stored.locations, patch.locations ?? []),
    ...strayMistakes(patch),
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
  const { locations, bookingWindow, confirmation, bookingLimits, cancellationPolicy, reschedulingPolicy } = patch;
  return {
    ...patch,
    locations: locations && patchedLocations(stored.locations, locations, newLocationId),
    bookingWindow: bookingWindow && bookingWindowOf(bookingWindow),
    confirmation: confirmation && confirmationOf(confirmation),
    // Null takes all of them away.
    bookingLimits: bookingLimits === null ? {} : bookingLimits && patchedLimits(stored.bookingLimits, bookingLimits),
    cancellationPolicy: cancellationPolicy && attendeePolicyOf(cancellationPolicy),
    reschedulingPolicy: reschedulingPolicy && attendeePolicyOf(reschedulingPolicy),
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

/** Settings that a user's event type does not have. */
const TEAM_ONLY = ['schedulingType', 'assignsAllMembers', 'hosts', 'hostsSet', 'hostsRemove'];
const USER_ONLY = ['scheduleId'];

function misplaced(isTeam: boolean, given: object): Mistake[] {
  const others = isTeam ? USER_ONLY : TEAM_ONLY;
  const message = isTeam
    ? 'hosts of a team’s event type are booked by their own default schedules; leave it out'
    : 'only a team’s event type can have it; leave it out';
  return Object.entries(given).flatMap(([name, value]) => {
    const path: Path = [name];
    if (value == null || !others.includes(name)) return [];
    return [{ code: 'NOT_POSSIBLE', message: `The ${nameOf(path)} is not possible here: ${message}.`, path }];
  });
}
