import { changed, type Em, NOW, rows, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { announcing, recording } from '../../../events/record-event.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { isOpenedBy, type StoredAccount } from './calendar-connection.queries.ts';
import type { CalendarFailure, FailureKind } from './calendar-provider.ts';

/** Faults of one calendar alone: the account has let us in. */
type CalendarsOwn = 'GONE' | 'UNREADABLE';

/** A password that a server refuses is not sent to it again, so it stays refused. */
export async function noteRefusal(em: Em, account: StoredAccount): Promise<void> {
  const { userId, id } = account;
  const refused = updateTable(CalendarConnection, { userId, id }).set({ refusedAt: NOW });
  await changed(em, refused.where(isOpenedBy(account)).where('refusedAt', 'is', null));
}

/**
 * For how long an account may fail before its user is notified. What is revoked stays so, as does a password that is refused; a server
 * that refuses a token may mean it for a moment; one that does not answer is back on another day.
 */
const TIMEOUT_IN_SECONDS: Readonly<Record<Exclude<FailureKind, CalendarsOwn>, number>> = {
  REVOKED: 0,
  REFUSED: 3_600,
  UNAVAILABLE: 2 * 86_400,
};

/** How it went to use an account. */
interface Used {
  /** How many seconds ago the use of the account began. */
  readonly secondsAgo: number;
  readonly failure?: CalendarFailure;
}

/**
 * Notes how it went to use an account. However many callers find out that it does not work, one of them records the event by which
 * its user is notified, and the next one is recorded only after the account has worked again.
 */
export async function noteHealth(em: Em, account: StoredAccount, { secondsAgo, failure }: Used): Promise<void> {
  const { userId, id } = account;
  if (!failure || failure.kind === 'GONE' || failure.kind === 'UNREADABLE') {
    // A failure since this use began is newer than what the use has shown.
    const isNoted = sql<boolean>`greatest(failing_since, notified_at) <= now() - make_interval(secs => ${secondsAgo})`;
    const healthy = updateTable(CalendarConnection, { userId, id }).set({ failingSince: null, notifiedAt: null });
    await changed(em, healthy.where(isOpenedBy(account)).where(isNoted));
    return;
  }
  const failing = updateTable(CalendarConnection, { userId, id }).set({ failingSince: NOW });
  await changed(em, failing.where(isOpenedBy(account)).where('failingSince', 'is', null));
  // The column has milliseconds: rounded up, it may be later than now.
  const kind = failure.kind === 'REFUSED' && account.accessId === null ? 'REVOKED' : failure.kind;
  const timeout = sql`make_interval(secs => ${TIMEOUT_IN_SECONDS[kind]}) - interval '1 millisecond'`;
  const isAway = failure.kind === 'UNAVAILABLE';
  const event = { type: 'CALENDAR_ACCOUNT_FAILING', calendarAccountId: id, isAway } as const;
  await rows(
    em,
    sql`with notified as (
          update calendar_connections set notified_at = now()
          where user_id = ${userId} and id = ${id} and ${isOpenedBy(account)} and notified_at is null
            and failing_since <= now() - (${timeout})
          returning id
        ), recorded as (${recording(userId, event, sql`notified`)}) ${announcing(sql`notified`)}`,
  );
}

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
