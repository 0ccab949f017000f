import type { Mistake } from '../../../core/problem.ts';
import { nameOf, type Path } from '../../../core/text.ts';
import { type BookingLimit, type BookingLimits, isLimited, LIMIT_UNITS } from './booking-limit.rules.ts';
import type { BookingWindow } from './booking-window.rules.ts';
import type { Confirmation } from './event-type-scheduling.rules.ts';

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

function patchedLimit(
  stored: BookingLimit | null | undefined,
  patch: BookingLimitPatch | null | undefined,
): BookingLimit | null | undefined {
  if (patch == null) return patch === null ? null : stored;
  const count = patch.count === undefined ? stored?.count : patch.count;
  const minutes = patch.minutes === undefined ? stored?.minutes : patch.minutes;
  return { ...(count != null && { count }), ...(minutes != null && { minutes }) };
}

function windowFields(kind: BookingWindow['kind']): readonly string[] {
  return kind === 'DATE_RANGE' ? ['from', 'to'] : ['days'];
}

function noticeFields(kind: Confirmation['kind']): readonly string[] {
  return kind === 'SHORT_NOTICE' ? ['noticeInMinutes'] : [];
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
