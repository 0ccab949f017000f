import { type Em, rows, sql } from '../../../database/sql.ts';
import { announcing, recording } from '../../../events/record-event.ts';
import type { FailureKind } from './calendar-provider.ts';

/**
 * How often in a row a calendar may fail before its user is told, as the pauses grow (nextReading): what is too large stays so, and is
 * told of after about two hours, all else after two days. Of what the account does not let us do, the account's user is told.
 */
const TIMEOUT: Readonly<Record<FailureKind, number | undefined>> = {
  UNREADABLE: 3,
  GONE: 8,
  UNAVAILABLE: 8,
  REFUSED: undefined,
  REVOKED: undefined,
};

/**
 * Has the user of a calendar told that it cannot be read: once, and again only after it could. Not where its whole account has
 * failed for hours, which is told by itself. In the transaction that notes the failure.
 */
export async function tellOfFailing(
  em: Em,
  { userId, id }: { readonly userId: string; readonly id: string },
  kind: FailureKind,
): Promise<void> {
  const timeout = TIMEOUT[kind];
  if (timeout === undefined) return;
  const event = { type: 'CALENDAR_UNREADABLE', calendarId: id } as const;
  await rows(
    em,
    sql`with told as (
          update connected_calendars c set told_at = now() from calendar_connections a
          where c.user_id = ${userId} and c.id = ${id} and c.told_at is null and c.failures >= ${timeout}
            and a.user_id = c.user_id and a.id = c.connection_id
            and coalesce(a.failing_since > now() - interval '3 hours', true)
          returning c.id
        ), recorded as (${recording(userId, event, sql`told`)}) ${announcing(sql`told`)}`,
  );
}
