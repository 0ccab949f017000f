import { COLOR_FIELD, lineField, linesField } from '../../core/field-rules.ts';
import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  METADATA_CODES,
  metadataMistakes,
  type Path,
  SLUG_CODES,
  slugMistake,
  URL_CODES,
  urlMistake,
} from '../../core/text.ts';
import type { BookingField } from './settings/booking-field.rules.ts';
import { EMBED_ORIGIN_CODES, EMBED_ORIGINS_FIELD } from './settings/embed-origin.rules.ts';
import { EVENT_TYPE_DEFAULTS } from './settings/event-type-scheduling.rules.ts';
import { locationMistakes, type OfferedLocation } from './settings/location.rules.ts';
import type { SchedulingInput } from './settings/scheduling-input.rules.ts';
import { DAY_IN_MINUTES } from './settings/scheduling-input.rules.ts';

/** The fields that the owner of an event type decides. */
export interface EventTypeFields extends SchedulingInput {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly hidden: boolean;
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
  readonly disableGuests: boolean;
  readonly successRedirectUrl: string | null;
  readonly embedOrigins: readonly string[];
}

/** The fields that a new event type must have. */
export type RequiredEventTypeFields = Pick<EventTypeFields, 'slug' | 'title' | 'lengthInMinutes'>;

/** Every code that the checks of these fields give. */
export const EVENT_TYPE_CODES = [
  ...METADATA_CODES,
  ...SLUG_CODES,
  ...URL_CODES,
  ...EMBED_ORIGIN_CODES,
  'INVALID_LENGTH',
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
export const MAX_TEXT = { title: 200, description: 5_000 };

/** Checks each field by itself. `eventTypeChanges` adds what the scheduling rules say of the whole. */
export const EVENT_TYPE_FIELDS: FieldRules<EventTypeFields> = {
  slug: { check: slugMistake },
  title: lineField(MAX_TEXT.title),
  description: linesField(MAX_TEXT.description),
  lengthInMinutes: { check: lengthMistake },
  lengthInMinutesOptions: {},
  hidden: {},
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
  disableGuests: {},
  disableCancelling: { nullable: true },
  disableRescheduling: { nullable: true },
  successRedirectUrl: { nullable: true, tidy: (url) => url.trim(), check: urlMistake },
  embedOrigins: EMBED_ORIGINS_FIELD,
};

/** The defaults of a new event type. */
export const NEW_EVENT_TYPE: Omit<EventTypeFields, keyof RequiredEventTypeFields> = {
  ...schedulingDefaults(),
  description: null,
  hidden: false,
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

function schedulingDefaults(): Omit<typeof EVENT_TYPE_DEFAULTS, 'schedulingType'> {
  const { schedulingType: _, ...defaults } = EVENT_TYPE_DEFAULTS;
  return defaults;
}

function lengthMistake(path: Path, minutes: number): Mistake | undefined {
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= DAY_IN_MINUTES) return undefined;
  const message = `A length of ${minutes} minutes is not possible; use 1 to ${DAY_IN_MINUTES}.`;
  return { code: 'INVALID_LENGTH', message, path, bounds: { least: 1, most: DAY_IN_MINUTES } };
}
