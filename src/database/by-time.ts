import { instantOf } from '../core/instant.ts';
import { encodeCursor, noCursor, type PageRequest, type TimeRange } from '../core/page.ts';
import { allOf, inOrder, type SqlPage } from './keyset.ts';
import { type RawBuilder, sql } from './sql.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::\d\d)?)$/;
const FOUR_DIGIT_YEAR = /^[1-9]\d{3}-/;

export interface TimePage extends SqlPage {
  /** The times between which the page lies, the later one included where it is that of a cursor. */
  readonly between: TimeRange;
}

/**
 * A page of a list that is ordered by a time and, within it, by a unique id: a request with two key columns. It differs from
 * `byKey` in two things: a list may be narrowed to a range of its time, which then is one bound together with the cursor's;
 * and a cursor's time can be made up, so it is read before PostgreSQL sees it. @throws Problem BAD_INPUT for a cursor that such a list has not given out
 */
export function byTime(
  order: 'NEWEST_FIRST' | 'OLDEST_FIRST',
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  request: PageRequest,
  { from, to }: TimeRange = {},
): TimePage {
  const isNewestFirst = order === 'NEWEST_FIRST';
  const after = cursorIn(request.after, 'after');
  const before = cursorIn(request.before, 'before');
  const [earliest, latest] = isNewestFirst ? [before, after] : [after, before];
  // One bound on either side: of two, PostgreSQL starts at any, and reads what lies between them for nothing.
  const start =
    earliest && (!from || Temporal.Instant.compare(from, earliest.time) <= 0)
      ? sql`(${time}, ${id}) > (${earliest.text}::timestamptz, ${earliest.id})`
      : from && sql`${time} >= ${from.toString()}::timestamptz`;
  const end =
    latest && (!to || Temporal.Instant.compare(latest.time, to) < 0)
      ? sql`(${time}, ${id}) < (${latest.text}::timestamptz, ${latest.id})`
      : to && sql`${time} < ${to.toString()}::timestamptz`;
  return {
    within: allOf([start, end]),
    between: { from: latestOf(from, earliest?.time), to: earliestOf(to, latest?.time) },
    ...inOrder([time, id], request, isNewestFirst),
  };
}

type Instant = Temporal.Instant | null | undefined;

function latestOf(a: Instant, b: Instant): Instant {
  return a && b ? (Temporal.Instant.compare(a, b) > 0 ? a : b) : (a ?? b);
}

function earliestOf(a: Instant, b: Instant): Instant {
  return a && b ? (Temporal.Instant.compare(a, b) < 0 ? a : b) : (a ?? b);
}

interface Cursor {
  readonly time: Temporal.Instant;
  readonly text: string;
  readonly id: string;
}

/** Cursors can be made up, and PostgreSQL's complaint about a text that is no time would look like a fault of ours. */
function cursorIn(key: readonly string[] | undefined, argument: string): Cursor | undefined {
  if (key === undefined) return undefined;
  const [given = '', id = ''] = key;
  const time = TIMESTAMP.test(given) ? validInstant(given) : undefined;
  // In UTC: PostgreSQL takes neither every offset nor every year that Temporal takes.
  const text = time?.toString() ?? '';
  if (time && FOUR_DIGIT_YEAR.test(text)) return { time, text, id };
  throw noCursor(encodeCursor(key), argument);
}

function validInstant(text: string): Temporal.Instant | undefined {
  try {
    return instantOf(text);
  } catch {
    return undefined;
  }
}
