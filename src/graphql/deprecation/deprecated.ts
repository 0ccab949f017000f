/**
 * deprecation/ announces what of the schema will go: in the schema, on the answers of operations that use it, and to the
 * operator. The dates stand in the reason of the deprecation, and everything reads them there.
 */

/** From its announcement to its end, at the least. `/deprecations` and docs/graphql.md promise it. */
export const NOTICE_IN_MONTHS = 6;

export interface Deprecation {
  /** The day of the announcement, `2027-01-10` */
  readonly since: string;
  /** The first day on which it may be gone */
  readonly sunset: string;
  /** Names the replacement, as the end of a sentence: "use `title`". */
  readonly instead: string;
}

const REASON = /^Since (\d{4}-\d\d-\d\d), gone from (\d{4}-\d\d-\d\d) on: ([^]+)\.$/;

/**
 * For the options of a field, an argument, an input field or a value of an enum: `...deprecated({ since, sunset, instead })`.
 * @throws TypeError for dates that are none, or too close together
 */
export function deprecated({ since, sunset, instead }: Deprecation): { readonly deprecationReason: string } {
  const deprecationReason = `Since ${since}, gone from ${sunset} on: ${instead}.`;
  const problem = problemOfReason(deprecationReason);
  if (problem !== undefined) throw new TypeError(`${deprecationReason} ${problem}`);
  return { deprecationReason };
}

/** Undefined for a reason that was not written by `deprecated`. */
export function deprecationOf(reason: string): Deprecation | undefined {
  const [, since, sunset, instead] = REASON.exec(reason) ?? [];
  return since !== undefined && sunset !== undefined && instead !== undefined ? { since, sunset, instead } : undefined;
}

/** Why clients could not rely on it; undefined where all is well. */
export function problemOfReason(reason: string): string | undefined {
  const deprecation = deprecationOf(reason);
  if (!deprecation) return 'It has no dates: write it by deprecated({ since, sunset, instead }).';
  const since = dayOf(deprecation.since);
  const sunset = dayOf(deprecation.sunset);
  if (!since || !sunset) return 'It names a day that is in no calendar.';
  const earliest = since.add({ months: NOTICE_IN_MONTHS });
  if (Temporal.PlainDate.compare(sunset, earliest) >= 0) return undefined;
  return `Its notice is short of ${NOTICE_IN_MONTHS} months: it may be gone from ${earliest.toString()} on.`;
}

function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}
