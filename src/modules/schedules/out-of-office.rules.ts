import type { FieldRules } from '../../core/fields.ts';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, optionalTextMistake, type Path, TEXT_CODES, tidyText } from '../../core/text.ts';

export const OUT_OF_OFFICE_CODES = [...TEXT_CODES, 'INVERTED_RANGE', 'RANGE_TOO_LONG'] as const;

/** Time in which somebody cannot be booked whatever their schedule says. */
export interface TimeAway {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly reason: string | null;
  readonly notes: string | null;
}

/** The same as it is given: guests may be sent to somebody else. */
export interface OutOfOffice extends TimeAway {
  /** As callers write a user's id. */
  readonly redirectToUserId: string | null;
}

/** A user has this many at most. */
export const MAX_ABSENCES = 1_000;
export const MAX_DAYS = 731;
export const MAX_REASON_LENGTH = 100;
export const MAX_NOTES_LENGTH = 2_000;

const EARLIEST = instantOf('2000-01-01T00:00:00Z');
const LATEST = instantOf('3000-01-01T00:00:00Z');

/** How each field is stored, and that its time can be; what depends on two of them is checked of the whole. */
export const OUT_OF_OFFICE_FIELDS: FieldRules<OutOfOffice> = {
  start: { check: eraMistake },
  end: { check: eraMistake },
  reason: { nullable: true, tidy: tidyText },
  notes: { nullable: true, tidy: tidyText },
  redirectToUserId: { nullable: true },
};

/** Everything that is wrong with it. That the redirect leads to a known colleague is for the command to find out. */
export function outOfOfficeMistakes({ start, end, ...texts }: TimeAway): readonly Mistake[] {
  return [rangeMistake(start, end) ?? [], timelessMistakes(texts)].flat();
}

/** Finds the mistakes that have nothing to do with the time of an absence. */
export function timelessMistakes({ reason, notes }: Partial<TimeAway>): readonly Mistake[] {
  return [
    reason == null ? undefined : optionalTextMistake(['reason'], reason, { max: MAX_REASON_LENGTH }),
    notes == null ? undefined : optionalTextMistake(['notes'], notes, { max: MAX_NOTES_LENGTH, multiline: true }),
  ].filter((mistake) => mistake !== undefined);
}

function rangeMistake(start: Temporal.Instant, end: Temporal.Instant): Mistake | undefined {
  if (Temporal.Instant.compare(start, end) >= 0) {
    const message = `The end ${end.toString()} is not after the start ${start.toString()}; choose a later end.`;
    return { code: 'INVERTED_RANGE', message, path: ['end'] };
  }
  if (end.since(start).total('hours') <= MAX_DAYS * 24) return undefined;
  const message = `The end ${end.toString()} is more than ${MAX_DAYS} days after the start ${start.toString()}; choose an earlier end.`;
  return { code: 'RANGE_TOO_LONG', message, path: ['end'], bounds: { most: MAX_DAYS } };
}

/** The same centuries as the dates of a schedule. */
function eraMistake(path: Path, instant: Temporal.Instant): Mistake | undefined {
  const isGood = Temporal.Instant.compare(EARLIEST, instant) <= 0 && Temporal.Instant.compare(instant, LATEST) < 0;
  if (isGood) return undefined;
  const message = `The ${nameOf(path)} ${instant.toString()} is not in the years 2000 to 2999; choose another time.`;
  return { code: 'OUT_OF_RANGE', message, path };
}
