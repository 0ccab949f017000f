import type { Mistake } from '../../../core/problem.ts';
import type { Path } from '../../../core/text.ts';
import { dateTextMistake } from '../../schedules/schedule-input.rules.ts';
import { type BookingLimits, LIMIT_UNITS } from './booking-limit.rules.ts';
import type { BookingWindow } from './booking-window.rules.ts';
import type { Confirmation, EventTypeRules } from './event-type-scheduling.rules.ts';
import { MAX_OCCURRENCES, type Recurrence } from './recurrence.rules.ts';
import { wholeNumberMistake } from './whole-number.rules.ts';

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
