import { type Em, rows, sql } from '../../../database/sql.ts';
import { announcing, recording } from '../../../events/record-event.ts';
import type { FailureKind } from './calendar-provider.ts';

/**
 * How often in a row a calendar may fail before its user is notified. The pauses between the attempts grow (nextReading): a calendar
 * that is too large stays so, and is reported after about two hours; everything else after two days. Where the account does not let
 * us in, account-health.ts notifies the user.
 */
const TIMEOUT: Readonly<Record<FailureKind, number | undefined>> = {
  UNREADABLE: 3,
  GONE: 8,
  UNAVAILABLE: 8,
  REFUSED: undefined,
  REVOKED: undefined,
};

/**
 * Notifies the user that a calendar cannot be read: once, and again only after it could be. Where the whole account has failed for
 * hours, the user hears of the account instead. The event is recorded in the transaction that notes the failure.
 */
export async function notifyOfFailing(
  em: Em,
  { userId, id }: { readonly userId: string; readonly id: string },
  kind: FailureKind,
): Promise<void> {
  const timeout = TIMEOUT[kind];
  if (timeout === undefined) return;
  const event = { type: 'CALENDAR_UNREADABLE', calendarId: id } as const;
  await rows(
    em,
    sql`with notified as (
          update connected_calendars c set notified_at = now() from calendar_connections a
          where c.user_id = ${userId} and c.id = ${id} and c.notified_at is null and c.failures >= ${timeout}
            and a.user_id = c.user_id and a.id = c.connection_id
            and coalesce(a.failing_since > now() - interval '3 hours', true)
          returning c.id
        ), recorded as (${recording(userId, event, sql`notified`)}) ${announcing(sql`notified`)}`,
  );
}
