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

export const CONFIRMATION_KINDS = ['NONE', 'ALWAYS', 'SHORT_NOTICE'] as const;
/** Whether a host has to confirm a booking: never, always, or when it is made less than so long before its start. */
export type Confirmation =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'ALWAYS' }
  | { readonly kind: 'SHORT_NOTICE'; readonly noticeInMinutes: number };

/** How many people can book the same slot one by one, and whether they see each other's names. */
export interface Seats {
  readonly perSlot: number;
  readonly showAttendees: boolean;
}

/** Attendees can do something no longer: at all, or in the last minutes before the start. */
export interface CutOff {
  readonly minutesBefore: number | null;
}

/** The rules of an event type that decide when and how it can be booked. */
export interface EventTypeRules {
  readonly lengthInMinutes: number;
  /** The lengths to choose from, `lengthInMinutes` among them; empty when there is no choice. */
  readonly lengthInMinutesOptions: readonly number[];
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
  readonly disableGuests: boolean;
  readonly disableCancelling: CutOff | null;
  readonly disableRescheduling: CutOff | null;
  /** Null for a user's own event type. */
  readonly schedulingType: SchedulingType | null;
  /** The zone in which its dates begin, for window, limits and recurrence: that of its schedule, or of its team. */
  readonly timeZone: string;
  /** The owner's. */
  readonly weekStart: WeekDay;
}

/** The rules of a new event type, where its input has none. */
export const EVENT_TYPE_DEFAULTS = {
  lengthInMinutesOptions: [],
  slotIntervalInMinutes: null,
  minimumBookingNoticeInMinutes: 120,
  bufferBeforeInMinutes: 0,
  bufferAfterInMinutes: 0,
  bookingWindow: null,
  bookingLimits: {},
  confirmation: { kind: 'NONE' },
  recurrence: null,
  seats: null,
  disableGuests: false,
  disableCancelling: null,
  disableRescheduling: null,
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
export type SchedulingInput = Omit<EventTypeRules, 'timeZone' | 'weekStart' | 'schedulingType' | 'disableGuests'>;

/** A booking window as it is given: its kind says which of the rest belongs to it. */
export interface BookingWindowChoice {
  readonly kind: BookingWindow['kind'];
  readonly days?: number | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Confirmation as it is given; the notice belongs to SHORT_NOTICE. */
export interface ConfirmationChoice {
  readonly kind: Confirmation['kind'];
  readonly noticeInMinutes?: number | null | undefined;
}

/** Limits to change: an absent period or number stays, null takes it away. */
export type BookingLimitsPatch = {
  readonly [Unit in keyof BookingLimits]?: BookingLimitPatch | null | undefined;
};

interface BookingLimitPatch {
  readonly count?: number | null | undefined;
  readonly minutes?: number | null | undefined;
}

/** The lengths in which it can be booked. */
export function lengthsOf({
  lengthInMinutes,
  lengthInMinutesOptions,
}: Pick<EventTypeRules, 'lengthInMinutes' | 'lengthInMinutesOptions'>): readonly number[] {
  return lengthInMinutesOptions.length > 0 ? lengthInMinutesOptions : [lengthInMinutes];
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
    ...limitMistakes(input.bookingLimits, Math.min(input.lengthInMinutes, ...input.lengthInMinutesOptions)),
    confirmationMistake(input.confirmation),
    ...recurrenceMistakes(input.recurrence),
    input.seats === null ? undefined : wholeNumberMistake(['seats', 'perSlot'], input.seats.perSlot, 1, MAX_SEATS),
    seriesOfSeatsMistake(input),
    cutOffMistake(['disableCancelling', 'minutesBefore'], input.disableCancelling?.minutesBefore),
    cutOffMistake(['disableRescheduling', 'minutesBefore'], input.disableRescheduling?.minutesBefore),
  ].filter((mistake) => mistake !== undefined);
}

/**
 * Reads the window. A part that the kind needs and that is missing becomes a value that the scheduling rules refuse by
 * its path.
 */
export function bookingWindowOf({ kind, days, from, to }: BookingWindowChoice): BookingWindow {
  return kind === 'DATE_RANGE' ? { kind, from: from ?? '', to: to ?? '' } : { kind, days: days ?? 0 };
}

export function confirmationOf({ kind, noticeInMinutes }: ConfirmationChoice): Confirmation {
  return kind === 'SHORT_NOTICE' ? { kind, noticeInMinutes: noticeInMinutes ?? 0 } : { kind };
}

/** Finds the parts that were given and do not belong to the kind. */
export function strayMistakes(
  bookingWindow: BookingWindowChoice | null | undefined,
  confirmation: ConfirmationChoice | null | undefined,
): readonly Mistake[] {
  return [
    ...strayIn('bookingWindow', bookingWindow, windowFields),
    ...strayIn('confirmation', confirmation, noticeFields),
  ];
}

/** The limits with the changes carried out, without periods that have none. */
export function patchedLimits(stored: BookingLimits, patch: BookingLimitsPatch): BookingLimits {
  const limits = LIMIT_UNITS.map((unit) => [unit, patchedLimit(stored[unit], patch[unit])] as const);
  return Object.fromEntries(limits.filter(([, limit]) => isLimited(limit)));
}

function lengthOptionMistakes({ lengthInMinutes, lengthInMinutesOptions: options }: SchedulingInput): Mistakes {
  const path: Path = ['lengthInMinutesOptions'];
  if (options.length === 0) return [];
  if (options.length > MAX_LENGTHS) {
    const message = `There are ${options.length} lengths to choose from; at most ${MAX_LENGTHS} are possible.`;
    return [{ code: 'TOO_MANY', message, path }];
  }
  const conflict = (message: string): Mistake => ({ code: 'CONFLICT', message, path });
  return [
    ...options.map((length, index) => wholeNumberMistake([...path, String(index)], length, 1, DAY_IN_MINUTES)),
    new Set(options).size < options.length ? conflict('A length is named twice; name each once.') : undefined,
    options.includes(lengthInMinutes)
      ? undefined
      : conflict(`The lengths to choose from lack the length itself, ${lengthInMinutes} minutes; add it.`),
  ];
}

function windowMistakes(window: BookingWindow | null): Mistakes {
  if (window === null) return [];
  if (window.kind !== 'DATE_RANGE') {
    return [wholeNumberMistake(['bookingWindow', 'days'], window.days, 1, MAX_WINDOW_DAYS)];
  }
  const { from, to } = window;
  const mistakes = [
    dateTextMistake(['bookingWindow', 'from'], from),
    dateTextMistake(['bookingWindow', 'to'], to),
  ].filter((mistake) => mistake !== undefined);
  if (mistakes.length > 0 || from <= to) return mistakes;
  const message = `The last date ${to} is before the first date ${from}; choose a later one.`;
  return [{ code: 'INVERTED_RANGE', message, path: ['bookingWindow', 'to'] }];
}

function limitMistakes(limits: BookingLimits, shortest: number): Mistakes {
  return LIMIT_UNITS.flatMap((unit) => {
    const { count, minutes } = limits[unit] ?? {};
    const path: Path = ['bookingLimits', unit];
    return [
      count == null ? undefined : wholeNumberMistake([...path, 'count'], count, 1, MAX_LIMIT_COUNT),
      minutes == null ? undefined : wholeNumberMistake([...path, 'minutes'], minutes, 1, YEAR_IN_MINUTES),
      minutes == null || minutes >= shortest ? undefined : unreachable([...path, 'minutes'], minutes, shortest),
    ];
  });
}

function unreachable(path: Path, minutes: number, shortest: number): Mistake {
  const message = `A limit of ${minutes} minutes is shorter than one booking of ${shortest} minutes; raise it.`;
  return { code: 'CONFLICT', message, path };
}

function confirmationMistake(confirmation: Confirmation): Mistake | undefined {
  if (confirmation.kind !== 'SHORT_NOTICE') return undefined;
  return wholeNumberMistake(['confirmation', 'noticeInMinutes'], confirmation.noticeInMinutes, 1, YEAR_IN_MINUTES);
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

function cutOffMistake(path: Path, minutesBefore: number | null | undefined): Mistake | undefined {
  return minutesBefore == null ? undefined : wholeNumberMistake(path, minutesBefore, 1, YEAR_IN_MINUTES);
}

function strayIn<Kind extends string>(
  name: string,
  choice: { readonly kind: Kind } | null | undefined,
  fieldsOf: (kind: Kind) => readonly string[],
): Mistake[] {
  if (!choice) return [];
  const { kind, ...rest } = choice;
  const stray = Object.entries(rest).filter(([field, value]) => value != null && !fieldsOf(kind).includes(field));
  return stray.map(([field]) => {
    const path: Path = [name, field];
    const message = `The ${nameOf(path)} does not belong to ${kind}; leave it out, or choose another kind.`;
    return { code: 'NOT_POSSIBLE', message, path };
  });
}

function windowFields(kind: BookingWindow['kind']): readonly string[] {
  return kind === 'DATE_RANGE' ? ['from', 'to'] : ['days'];
}

function noticeFields(kind: Confirmation['kind']): readonly string[] {
  return kind === 'SHORT_NOTICE' ? ['noticeInMinutes'] : [];
}

function patchedLimit(
  stored: BookingLimit | null | undefined,
  patch: BookingLimitPatch | null | undefined,
): BookingLimit | null | undefined {
  if (patch == null) return patch === null ? null : stored;
  const count = patch.count === undefined ? stored?.count : patch.count;
  const minutes = patch.minutes === undefined ? stored?.minutes : patch.minutes;
  return { ...(count != null && { count }), ...(minutes != null && { minutes }) };
}
