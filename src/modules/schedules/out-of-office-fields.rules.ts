import type { FieldRules } from '../../core/fields.ts';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, tidyText } from '../../core/text.ts';
import type { OutOfOffice } from './out-of-office.rules.ts';

const EARLIEST = instantOf('2000-01-01T00:00:00Z');
const LATEST = instantOf('3000-01-01T00:00:00Z');

/** How each field is stored, and that its time can be; what depends on two of them is checked of the whole. */
export const OUT_OF_OFFICE_FIELDS: FieldRules<OutOfOffice> = {
  start: { check: eraMistake },
  end: { check: eraMistake },
  reason: { tidy: tidyText },
  notes: { nullable: true, tidy: tidyText },
  redirectToUserId: { nullable: true },
};

/** The same centuries as the dates of a schedule. */
function eraMistake(path: Path, instant: Temporal.Instant): Mistake | undefined {
  const isGood = Temporal.Instant.compare(EARLIEST, instant) <= 0 && Temporal.Instant.compare(instant, LATEST) < 0;
  if (isGood) return undefined;
  const message = `The ${nameOf(path)} ${instant.toString()} is not in the years 2000 to 2999; choose another time.`;
  return { code: 'OUT_OF_RANGE', message, path };
}
