import type { Part } from '../../../database/selection.ts';
import { sql } from '../../../database/sql.ts';
import type { OwnedTable } from '../../levels/owned.queries.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';

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

/** In the order in which their provider listed them, the primary one first. */
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
