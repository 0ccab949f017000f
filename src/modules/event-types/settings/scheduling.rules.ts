/**
 * settings/ holds the values of an event type and what is wrong with them: locations, booking fields, limits, windows,
 * recurrence. Pure rules; it may import schedules/ only.
 */

import { wholeNumberMistake } from '../../../core/fields.ts';
import type { Mistake } from '../../../core/problem.ts';
import { nameOf, type Path } from '../../../core/text.ts';
import { dateTextMistake, type WeekDay } from '../../schedules/schedule.rules.ts';
import { type BookingLimit, type BookingLimits, isLimited, LIMIT_UNITS } from './booking-limit.rules.ts';
import type { BookingWindow } from './booking-window.rules.ts';
import { MAX_OCCURRENCES, type Recurrence } from './recurrence.rules.ts';

export const SCHEDULING_TYPES = ['ROUND_ROBIN', 'COLLECTIVE', 'MANAGED'] as const;
/**
 * The kind decides which of a team's hosts attend: one in turn and the mandatory ones; all; or nobody, since members
 * have copies of their own.
 */
export type SchedulingType = (typeof SCHEDULING_TYPES)[number];

export const CONFIRMATION_TYPES = ['NEVER', 'ALWAYS', 'SHORT_NOTICE'] as const;
/** Whether a host has to confirm a booking: never, always, or when it is made less than so long before its start. */
export type Confirmation =
  | { readonly type: 'NEVER' }
  | { readonly type: 'ALWAYS' }
  | { readonly type: 'SHORT_NOTICE'; readonly noticeInMinutes: number };

/** How many people can book the same slot one by one, and whether they see each other's names. */
export interface Seats {
  readonly perSlot: number;
  readonly showsAttendees: boolean;
}

export const ATTENDEE_POLICY_TYPES = ['ALWAYS', 'WITH_NOTICE', 'NEVER'] as const;

/** When attendees can do something themselves: always, never, or until so long before the start. */
export type AttendeePolicy =
  | { readonly type: 'ALWAYS' }
  | { readonly type: 'NEVER' }
  | { readonly type: 'WITH_NOTICE'; readonly noticeInMinutes: number };

/** The rules of an event type that decide when and how it can be booked. */
export interface EventTypeRules {
  readonly durationInMinutes: number;
  /** The lengths to choose from, `durationInMinutes` among them; empty when there is no choice. */
  readonly durationInMinutesOptions: readonly number[];
  /** From one slot's start to the next one's; null is the length booked. */
  readonly slotIntervalInMinutes: number | null;
  readonly minimumBookingNoticeInMinutes: number;
  readonly bufferBeforeInMinutes: number;
  readonly bufferAfterInMinutes: number;
  readonly bookingWindow: BookingWindow | null;
  readonly bookingLimits: BookingLimits;
  readonly confirmation: Confirmation;
  readonly recurrence: Recurrence | null;
  readonly seats: Seats | null;
  readonly allowsGuests: boolean;
  readonly cancellationPolicy: AttendeePolicy;
  readonly reschedulingPolicy: AttendeePolicy;
  /** Null for a user's own event type. */
  readonly schedulingType: SchedulingType | null;
  /** The zone in which its dates begin, for window, limits and recurrence: that of its schedule, or of its team. */
  readonly timeZone: string;
  /** The owner's. */
  readonly weekStart: WeekDay;
}

/** The rules of a new event type, where its input has none. */
export const EVENT_TYPE_DEFAULTS = {
  durationInMinutesOptions: [],
  slotIntervalInMinutes: null,
  minimumBookingNoticeInMinutes: 120,
  bufferBeforeInMinutes: 0,
  bufferAfterInMinutes: 0,
  bookingWindow: null,
  bookingLimits: {},
  confirmation: { type: 'NEVER' },
  recurrence: null,
  seats: null,
  allowsGuests: true,
  cancellationPolicy: { type: 'ALWAYS' },
  reschedulingPolicy: { type: 'ALWAYS' },
  schedulingType: null,
} as const satisfies Partial<EventTypeRules>;

export const SCHEDULING_CODES = ['OUT_OF_RANGE', 'TOO_MANY', 'INVALID_DATE', 'INVERTED_RANGE', 'CONFLICT'] as const;

export const DAY_IN_MINUTES = 1_440;
export const YEAR_IN_MINUTES = 366 * DAY_IN_MINUTES;
export const MAX_LENGTHS = 20;
export const MAX_WINDOW_DAYS = 3_660;
export const MAX_LIMIT_COUNT = 100_000;
export const MAX_INTERVAL = 12;
export const MAX_SEATS = 1_000;

type Mistakes = readonly (Mistake | undefined)[];

/** The rules that a caller decides; zone and week are the owner's. */
export type SchedulingInput = Omit<EventTypeRules, 'timeZone' | 'weekStart' | 'schedulingType' | 'allowsGuests'>;

/** A booking window as it is given: its kind says which of the rest belongs to it. */
export interface BookingWindowChoice {
  readonly type: BookingWindow['type'];
  readonly days?: number | null | undefined;
  readonly firstDate?: string | null | undefined;
  readonly lastDate?: string | null | undefined;
}

/** Confirmation as it is given; the notice belongs to SHORT_NOTICE. */
export interface ConfirmationChoice {
  readonly type: Confirmation['type'];
  readonly noticeInMinutes?: number | null | undefined;
}

/** The policy as it is given; the notice belongs to WITH_NOTICE. */
export interface AttendeePolicyChoice {
  readonly type: AttendeePolicy['type'];
  readonly noticeInMinutes?: number | null | undefined;
}

/** Limits to change: an absent period or number stays, null takes it away. */
export type BookingLimitsPatch = {
  readonly [Unit in keyof BookingLimits]?: BookingLimitPatch | null | undefined;
};

interface BookingLimitPatch {
  readonly maxBookings?: number | null | undefined;
  readonly maxMinutes?: number | null | undefined;
}

/** The lengths in which it can be booked. */
export function lengthsOf({
  durationInMinutes,
  durationInMinutesOptions,
}: Pick<EventTypeRules, 'durationInMinutes' | 'durationInMinutesOptions'>): readonly number[] {
  return durationInMinutesOptions.length > 0 ? durationInMinutesOptions : [durationInMinutes];
}

/**
 * Everything that is wrong with the whole: a new event type's rules, or stored ones with changes laid over them. The
 * length itself is checked with the other plain fields.
 */
export function schedulingMistakes(input: SchedulingInput): readonly Mistake[] {
  return [
    ...lengthOptionMistakes(input),
    input.slotIntervalInMinutes === null
      ? undefined
      : wholeNumberMistake(['slotIntervalInMinutes'], input.slotIntervalInMinutes, 1, DAY_IN_MINUTES),
    wholeNumberMistake(['minimumBookingNoticeInMinutes'], input.minimumBookingNoticeInMinutes, 0, YEAR_IN_MINUTES),
    wholeNumberMistake(['bufferBeforeInMinutes'], input.bufferBeforeInMinutes, 0, DAY_IN_MINUTES),
    wholeNumberMistake(['bufferAfterInMinutes'], input.bufferAfterInMinutes, 0, DAY_IN_MINUTES),
    ...windowMistakes(input.bookingWindow),
    ...limitMistakes(input.bookingLimits, Math.min(input.durationInMinutes, ...input.durationInMinutesOptions)),
    noticeMistake('confirmation', input.confirmation),
    ...recurrenceMistakes(input.recurrence),
    input.seats === null ? undefined : wholeNumberMistake(['seats', 'perSlot'], input.seats.perSlot, 1, MAX_SEATS),
    seriesOfSeatsMistake(input),
    noticeMistake('cancellationPolicy', input.cancellationPolicy),
    noticeMistake('reschedulingPolicy', input.reschedulingPolicy),
  ].filter((mistake) => mistake !== undefined);
}

/**
 * Reads the window. A part that the type needs and that is missing becomes a value that the scheduling rules refuse by
 * its path.
 */
export function bookingWindowOf({ type, days, firstDate, lastDate }: BookingWindowChoice): BookingWindow {
  if (type !== 'DATE_RANGE') return { type, days: days ?? 0 };
  return { type, firstDate: firstDate ?? '', lastDate: lastDate ?? '' };
}

export function confirmationOf({ type, noticeInMinutes }: ConfirmationChoice): Confirmation {
  return type === 'SHORT_NOTICE' ? { type, noticeInMinutes: noticeInMinutes ?? 0 } : { type };
}

export function attendeePolicyOf({ type, noticeInMinutes }: AttendeePolicyChoice): AttendeePolicy {
  return type === 'WITH_NOTICE' ? { type, noticeInMinutes: noticeInMinutes ?? 0 } : { type };
}

/** Finds the parts that were given and do not belong to the kind. */
export function strayMistakes(given: {
  readonly bookingWindow?: BookingWindowChoice | null | undefined;
  readonly confirmation?: ConfirmationChoice | null | undefined;
  readonly cancellationPolicy?: AttendeePolicyChoice | null | undefined;
  readonly reschedulingPolicy?: AttendeePolicyChoice | null | undefined;
}): readonly Mistake[] {
  return [
    ...strayIn('bookingWindow', given.bookingWindow, windowFields),
    ...strayIn('confirmation', given.confirmation, noticeFields),
    ...strayIn('cancellationPolicy', given.cancellationPolicy, noticeFields),
    ...strayIn('reschedulingPolicy', given.reschedulingPolicy, noticeFields),
  ];
}

/** The limits with the changes carried out, without periods that have none. */
export function patchedLimits(stored: BookingLimits, patch: BookingLimitsPatch): BookingLimits {
  const limits = LIMIT_UNITS.map((unit) => [unit, patchedLimit(stored[unit], patch[unit])] as const);
  return Object.fromEntries(limits.filter(([, limit]) => isLimited(limit)));
}

function lengthOptionMistakes({ durationInMinutes, durationInMinutesOptions: options }: SchedulingInput): Mistakes {
  const path: Path = ['durationInMinutesOptions'];
  if (options.length === 0) return [];
  if (options.length > MAX_LENGTHS) {
    const message = `There are ${options.length} lengths to choose from; at most ${MAX_LENGTHS} are possible.`;
    return [{ code: 'TOO_MANY', message, path }];
  }
  const conflict = (message: string): Mistake => ({ code: 'CONFLICT', message, path });
  return [
    ...options.map((length, index) => wholeNumberMistake([...path, String(index)], length, 1, DAY_IN_MINUTES)),
    new Set(options).size < options.length ? conflict('A length is named twice; name each once.') : undefined,
    options.includes(durationInMinutes)
      ? undefined
      : conflict(`The lengths to choose from lack the length itself, ${durationInMinutes} minutes; add it.`),
  ];
}

function windowMistakes(window: BookingWindow | null): Mistakes {
  if (window === null) return [];
  if (window.type !== 'DATE_RANGE') {
    return [wholeNumberMistake(['bookingWindow', 'days'], window.days, 1, MAX_WINDOW_DAYS)];
  }
  const { firstDate, lastDate } = window;
  const mistakes = [
    dateTextMistake(['bookingWindow', 'firstDate'], firstDate),
    dateTextMistake(['bookingWindow', 'lastDate'], lastDate),
  ].filter((mistake) => mistake !== undefined);
  if (mistakes.length > 0 || firstDate <= lastDate) return mistakes;
  const message = `The last date ${lastDate} is before the first date ${firstDate}; choose a later one.`;
  return [{ code: 'INVERTED_RANGE', message, path: ['bookingWindow', 'lastDate'] }];
}

function limitMistakes(limits: BookingLimits, shortest: number): Mistakes {
  return LIMIT_UNITS.flatMap((unit) => {
    const { maxBookings, maxMinutes } = limits[unit] ?? {};
    const path: Path = ['bookingLimits', unit];
    const ofMinutes: Path = [...path, 'maxMinutes'];
    return [
      maxBookings == null ? undefined : wholeNumberMistake([...path, 'maxBookings'], maxBookings, 1, MAX_LIMIT_COUNT),
      maxMinutes == null ? undefined : wholeNumberMistake(ofMinutes, maxMinutes, 1, YEAR_IN_MINUTES),
      maxMinutes == null || maxMinutes >= shortest ? undefined : unreachable(ofMinutes, maxMinutes, shortest),
    ];
  });
}

function unreachable(path: Path, minutes: number, shortest: number): Mistake {
  const message = `A limit of ${minutes} minutes is shorter than one booking of ${shortest} minutes; raise it.`;
  return { code: 'CONFLICT', message, path };
}

function noticeMistake(name: string, rule: Confirmation | AttendeePolicy): Mistake | undefined {
  if (!('noticeInMinutes' in rule)) return undefined;
  return wholeNumberMistake([name, 'noticeInMinutes'], rule.noticeInMinutes, 1, YEAR_IN_MINUTES);
}

function recurrenceMistakes(recurrence: Recurrence | null): Mistakes {
  if (recurrence === null) return [];
  return [
    wholeNumberMistake(['recurrence', 'interval'], recurrence.interval, 1, MAX_INTERVAL),
    wholeNumberMistake(['recurrence', 'occurrences'], recurrence.occurrences, 2, MAX_OCCURRENCES),
  ];
}

/** A seat belongs to one booking, so seats and recurrence exclude each other. */
function seriesOfSeatsMistake({ recurrence, seats }: SchedulingInput): Mistake | undefined {
  if (recurrence === null || seats === null) return undefined;
  const message = 'An event type cannot both recur and have seats; choose one of them.';
  return { code: 'CONFLICT', message, path: ['seats'] };
}

function strayIn<Type extends string>(
  name: string,
  choice: { readonly type: Type } | null | undefined,
  fieldsOf: (type: Type) => readonly string[],
): Mistake[] {
  if (!choice) return [];
  const { type, ...rest } = choice;
  const stray = Object.entries(rest).filter(([field, value]) => value != null && !fieldsOf(type).includes(field));
  return stray.map(([field]) => {
    const path: Path = [name, field];
    const message = `The ${nameOf(path)} does not belong to ${type}; leave it out, or choose another type.`;
    return { code: 'NOT_POSSIBLE', message, path };
  });
}

function windowFields(type: BookingWindow['type']): readonly string[] {
  return type === 'DATE_RANGE' ? ['firstDate', 'lastDate'] : ['days'];
}

function noticeFields(type: (Confirmation | AttendeePolicy)['type']): readonly string[] {
  return type === 'SHORT_NOTICE' || type === 'WITH_NOTICE' ? ['noticeInMinutes'] : [];
}

function patchedLimit(
  stored: BookingLimit | null | undefined,
  patch: BookingLimitPatch | null | undefined,
): BookingLimit | null | undefined {
  if (patch == null) return patch === null ? null : stored;
  const maxBookings = patch.maxBookings === undefined ? stored?.maxBookings : patch.maxBookings;
  const maxMinutes = patch.maxMinutes === undefined ? stored?.maxMinutes : patch.maxMinutes;
  return { ...(maxBookings != null && { maxBookings }), ...(maxMinutes != null && { maxMinutes }) };
}
