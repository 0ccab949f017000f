import type { PageRequest } from '../core/page.ts';
import { Problem } from '../core/problem.ts';
import { type RawBuilder, sql } from './sql.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::\d\d)?)$/;
const FOUR_DIGIT_YEAR = /^[1-9]\d{3}-/;

/** The bounds of a page (`and …`), and its `order by … limit …`. */
export interface TimePage {
  readonly and: RawBuilder<unknown>;
  readonly orderAndLimit: RawBuilder<unknown>;
}

/**
 * A page of a list that is ordered by a time and, within it, by a unique id: a request with two key columns.
 * @throws Problem BAD_INPUT for a cursor that such a list has not given out
 */
export function byTime(
  order: 'NEWEST_FIRST' | 'OLDEST_FIRST',
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  request: PageRequest,
): TimePage {
  const { backward, limit } = request;
  const isNewestFirst = order === 'NEWEST_FIRST';
  const bound = (key: readonly string[] | undefined, argument: string, isUpper: boolean): RawBuilder<unknown> =>
    key === undefined
      ? sql``
      : sql`and (${time}, ${id}) ${isUpper ? sql`<` : sql`>`} (${instantIn(key, argument)}::timestamptz, ${key[1]})`;
  const direction = isNewestFirst === backward ? sql`asc` : sql`desc`;
  return {
    and: sql`${bound(request.after, 'after', isNewestFirst)} ${bound(request.before, 'before', !isNewestFirst)}`,
    orderAndLimit: sql`order by ${time} ${direction}, ${id} ${direction} limit ${limit + 1}::int`,
  };
}

/** Cursors can be made up, and PostgreSQL's complaint about a text that is no time would look like a fault of ours. */
function instantIn([time = '']: readonly string[], argument: string): string {
  const instant = TIMESTAMP.test(time) ? instantOf(time) : undefined;
  // In UTC: PostgreSQL takes neither every offset nor every year that Temporal takes.
  const text = instant?.toString() ?? '';
  if (FOUR_DIGIT_YEAR.test(text)) return text;
  throw new Problem('BAD_INPUT', `${argument} is not a cursor of this list; use one that it gave you.`, [argument]);
}

function instantOf(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}
