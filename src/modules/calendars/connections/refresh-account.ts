import { selectColumns } from '../../../database/columns.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { Turns } from '../../../limits/owner-turns.ts';
import { own } from '../../levels/reach.ts';
import { lockOwnerAlone } from '../../teams/lock-owner.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { keepCalendars, setFallbackDestination } from './calendar-connection.commands.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  isOpenedBy,
  leaveAlone,
  type StoredAccount,
  serverOf,
} from './calendar-connection.queries.ts';
import type { ListedCalendar } from './calendar-connection.rules.ts';
import { CalendarFailure } from './calendar-provider.ts';

export const LISTED_EVERY_SECONDS = 3_600;
/** A calendar that is missing twice in a row is gone: once may be a hiccup of its provider's. */
const TIMEOUT_IN_SECONDS = LISTED_EVERY_SECONDS / 2;

/** An account whose calendars are listed again and again. */
export interface AccountToRefresh {
  readonly ownerId: string;
  readonly calendarAccountId: string;
}

/**
 * Asks the provider of an account which calendars it has: new ones can be chosen from then on, those that are gone are
 * forgotten, and their user is told if they were in use. `hosts`: turns of the providers.
 * @returns in how many seconds to come back; undefined for an account that is gone
 */
export async function refreshAccount(
  em: Em,
  { ownerId: userId, calendarAccountId: id }: AccountToRefresh,
  accounts: CalendarAccounts,
  hosts: Turns,
): Promise<number | undefined> {
  const account = await row(
    em,
    sql<StoredAccount & { readonly isSuspended: boolean }>`
      select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')}, u.suspended_at is not null as "isSuspended"
      from calendar_connections a join users u on u.id = a.user_id where a.user_id = ${userId} and a.id = ${id}`,
  );
  if (!account) return undefined;
  if (account.isSuspended) return LISTED_EVERY_SECONDS;
  const listed = await hosts.run<readonly ListedCalendar[] | number>(
    serverOf(account),
    () => listOf(em, account, accounts, hosts),
    (seconds) => seconds,
    { account: account.id },
  );
  if (typeof listed === 'number') return listed;
  if (listed.length === 0) return LISTED_EVERY_SECONDS;
  await em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    // Connected anew meanwhile, it has a list that is newer; disconnected, it is to have none.
    const isAsItWas = await row(
      inner,
      selectFrom(CalendarConnection, { userId, id }).where(isOpenedBy(account)).select('id'),
    );
    if (!isAsItWas) return;
    const gone = await keepCalendars(inner, { userId, id }, listed, TIMEOUT_IN_SECONDS);
    const missed = gone.filter(({ selected, isDestination }) => selected || isDestination);
    if (gone.some(({ isDestination }) => isDestination)) await setFallbackDestination(inner, userId);
    if (missed.length > 0)
      await recordEvent(inner, userId, { type: 'CALENDARS_GONE', calendarAccountId: id, calendars: missed });
  });
  return LISTED_EVERY_SECONDS;
}

/** None where it cannot be asked: an account without calendars is taken for a hiccup. */
async function listOf(
  em: Em,
  account: StoredAccount,
  accounts: CalendarAccounts,
  hosts: Turns,
): Promise<readonly ListedCalendar[]> {
  try {
    const found = await accounts.use(em, account, (provider, authorization) => provider.list(authorization));
    return found.calendars;
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    leaveAlone(hosts, account, error);
    return [];
  }
}
