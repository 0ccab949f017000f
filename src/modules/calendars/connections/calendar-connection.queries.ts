import type { Part } from '../../../database/columns.ts';
import { type RawBuilder, sql } from '../../../database/sql.ts';
import type { Turns } from '../../../limits/owner-turns.ts';
import type { OwnedTable } from '../../levels/owned.queries.ts';
import { CalendarConnection, ConnectedCalendar } from './calendar-connection.entity.ts';
import type { CalendarProviderName } from './calendar-connection.rules.ts';
import type { CalendarFailure } from './calendar-provider.ts';

export const CALENDAR_CONNECTIONS: OwnedTable<typeof CalendarConnection> = {
  entity: CalendarConnection,
  kind: 'calendarAccount',
  owner: 'userId',
};

export const CONNECTED_CALENDARS: OwnedTable<typeof ConnectedCalendar> = {
  entity: ConnectedCalendar,
  kind: 'calendar',
  owner: 'userId',
};

/** The calendars of an account, in the order in which its provider listed them, the primary one first. */
export const CALENDARS: Part<'calendars', typeof ConnectedCalendar, 'MANY'> = {
  name: 'calendars',
  holds: 'MANY',
  entity: ConnectedCalendar,
  from: (alias, of) =>
    of.jsonArray(
      'c',
      sql`from connected_calendars c
        where c.user_id = ${sql.ref(`${alias}.user_id`)} and c.connection_id = ${sql.ref(`${alias}.id`)}
        order by c.is_primary desc, c.id`,
    ),
};

/** The credentials of an account, as its row holds them. */
export interface StoredAccount {
  readonly userId: string;
  readonly id: string;
  readonly provider: CalendarProviderName;
  /** The host that keeps it; null: its provider has one alone. */
  readonly server: string | null;
  /** A password, sealed. Null: `accessId` names the tokens. */
  readonly credentials: string | null;
  readonly accessId: string | null;
  /** When its server refused the password. Null: it has not. */
  readonly refusedAt: string | null;
}

/** The columns of that. */
export const ACCOUNT_COLUMNS = ['userId', 'id', 'provider', 'server', 'credentials', 'accessId', 'refusedAt'] as const;

/** The server whose turns it takes: one that is slow holds up the accounts there alone. */
export function serverOf({ provider, server }: Pick<StoredAccount, 'provider' | 'server'>): string {
  return server ?? provider;
}

/**
 * Leaves alone who has asked for that: the server, or the account alone where a provider has one server for everybody, unless that
 * says it of itself. `hosts`: turns of the servers.
 */
export function leaveAlone(
  hosts: Turns,
  account: StoredAccount,
  { isOfServer, retryInSeconds = 0 }: Pick<CalendarFailure, 'isOfServer' | 'retryInSeconds'>,
): void {
  const isServer = isOfServer || account.server !== null;
  hosts.rest?.(isServer ? serverOf(account) : account.id, retryInSeconds);
}

/** SQL: connected anew meanwhile, an account is another one, of which nothing is known. */
export function isOpenedBy({ credentials, accessId }: StoredAccount): RawBuilder<boolean> {
  return sql<boolean>`(credentials, access_id) is not distinct from (${credentials}::text, ${accessId}::uuid)`;
}
