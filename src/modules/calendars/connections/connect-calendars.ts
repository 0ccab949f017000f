import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { Connection } from '../../connections/connection.entity.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { type CalendarProviderName, type ListedCalendar, MAX_CONNECTIONS } from './calendar-connection.rules.ts';
import { setFallbackDestination } from './destination-calendar.ts';
import { keepCalendars } from './keep-calendars.ts';
import { lockCalendars } from './lock-calendars.ts';
import { readAnew } from './select-calendar.ts';
import { isOpenedBy, type StoredAccount } from './stored-account.ts';

/** An account elsewhere: no two connections of a user have the same. */
export interface AccountName {
  readonly userId: string;
  readonly provider: CalendarProviderName;
  /** The host that keeps it. Null or left out: its provider has one alone. */
  readonly server?: string | null;
  readonly account: string;
}

/** The secret that opens an account; exactly one of the two is null. */
interface OpenedBy {
  /** The sealed password. */
  readonly credentials: string | null;
  /** The id of the tokens, which are stored already. */
  readonly accessId: string | null;
}

/** An account that has let us in, with what it has. */
export interface NewConnection extends AccountName {
  readonly listed: readonly ListedCalendar[];
  /** The credentials of the account, as the row of this id is to hold them. */
  readonly opened: (id: string) => Promise<OpenedBy>;
}

const HEALTHY = { failingSince: null, notifiedAt: null, refusedAt: null, askedAt: null, answeredAt: null };

/**
 * Keeps a connection with its calendars. Connected again, an account gets its new credentials and keeps what was chosen among
 * its calendars. Of the first account, the primary calendar becomes the destination of bookings.
 * @returns the connection's id. @throws Problem NOT_FOUND, TOO_MANY, NO_CALENDARS
 */
export async function connectCalendars(em: Em, connection: NewConnection): Promise<string> {
  const { userId, provider, server = null, account, listed, opened } = connection;
  if (listed.length === 0)
    throw new Problem(
      'NO_CALENDARS',
      `The account ${JSON.stringify(account)} has no calendars; create one there first.`,
    );
  return em.transactional(async (inner) => {
    const hasOthers = await lockCalendars(inner, userId);
    const known = await row(
      inner,
      selectFrom(CalendarConnection, { userId, provider, server, account }).select(['id', 'accessId']),
    );
    const id = known?.id ?? newId();
    const by = await opened(id);
    if (known) {
      await changed(
        inner,
        updateTable(CalendarConnection, { userId, id }).set({ ...by, ...HEALTHY, updatedAt: LATER }),
      );
      if (known.accessId !== null)
        await changed(inner, deleteFrom(Connection, { ownerId: userId, id: known.accessId }));
      await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_RECONNECTED', calendarAccountId: id });
    } else {
      await requireRoom(inner, connection);
      const made = { userId, id, provider, server, account, ...by, createdAt: NOW, updatedAt: NOW };
      await changed(inner, insertInto(CalendarConnection).values(made));
      await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_CONNECTED', calendarAccountId: id });
    }
    await keepCalendars(inner, { userId, id }, listed, 0);
    await readAnew(inner, userId, id);
    if (!hasOthers) await setFallbackDestination(inner, userId);
    return id;
  });
}

/** An account has let us in again by the password that it had refused: it is read, and what waits for it is written. */
export async function reviveConnection(em: Em, account: StoredAccount): Promise<void> {
  const { userId, id } = account;
  await em.transactional(async (inner) => {
    await lockCalendars(inner, userId);
    const healthy = updateTable(CalendarConnection, { userId, id }).set({ ...HEALTHY, updatedAt: LATER });
    // Connected anew meanwhile, it is another one, and disconnected, it is to stay so.
    if ((await changed(inner, healthy.where(isOpenedBy(account)).where('refusedAt', 'is not', null))) === 0) return;
    await readAnew(inner, userId, id);
    await recordEvent(inner, userId, { type: 'CALENDAR_ACCOUNT_RECONNECTED', calendarAccountId: id });
  });
}

/** Whether there is room for this account among a user's, if it is a new one. @throws Problem TOO_MANY */
export async function requireRoom(em: Em, { userId, provider, server = null, account }: AccountName): Promise<void> {
  const others = await row(
    em,
    selectFrom(CalendarConnection, { userId })
      .where(sql<boolean>`(provider, server, account) is distinct from (${provider}, ${server}::text, ${account})`)
      .select(sql<number>`count(*)::int`.as('count')),
  );
  if ((others?.count ?? 0) < MAX_CONNECTIONS) return;
  throw new Problem(
    'TOO_MANY',
    `There are already ${MAX_CONNECTIONS} connected accounts, which is the limit; disconnect one first.`,
  );
}
