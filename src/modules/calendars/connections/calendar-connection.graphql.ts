import type { RowOf, Selection } from '../../../database/columns.ts';
import { read } from '../../../database/lanes.ts';
import { sql } from '../../../database/sql.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { reads, writes } from '../../../scopes/declare.ts';
import { Viewer } from '../../accounts/accounts.graphql.ts';
import type { Connections } from '../../connections/connections.ts';
import { resource } from '../../levels/resource.graphql.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarConnection, ConnectedCalendar as ConnectedCalendarEntity } from './calendar-connection.entity.ts';
import { ACCOUNT_COLUMNS, CALENDAR_CONNECTIONS, CALENDARS } from './calendar-connection.queries.ts';
import { CALENDAR_PROVIDERS, CONNECTION_STATUSES, MAX_CALENDARS } from './calendar-connection.rules.ts';

declare module '../../../graphql/context.ts' {
  interface ModuleContext {
    readonly calendarAccounts: CalendarAccounts;
    /** Begins connections by OAuth. */
    readonly connections: Connections;
    /** Counts passwords of accounts elsewhere. */
    readonly calendarAccountTries: GuessLimit;
  }
}

const data = reads('APPS', ['USER']);

export const CalendarProvider = builder.enumType('CalendarProvider', {
  description: 'A provider of accounts with calendars.',
  values: describedValues(CALENDAR_PROVIDERS, {
    APPLE: 'Apple’s iCloud, by CalDAV and an app-specific password.',
    CALDAV: 'Any other server that speaks CalDAV, such as Nextcloud, by a password.',
    GOOGLE: 'Google Calendar, by OAuth and CalDAV.',
    OFFICE365: 'Microsoft 365 and Outlook.com, by OAuth and Microsoft Graph.',
  }),
});

export const ConnectedAccountStatus = builder.enumType('ConnectedAccountStatus', {
  description: 'Whether a connected account can be used.',
  values: describedValues(CONNECTION_STATUSES, {
    CONNECTED: 'Its server lets us in.',
    BROKEN: 'Its server refuses what it was connected with: connect it again.',
    UNREACHABLE: 'Its server does not answer, or not as it should; it is tried again.',
  }),
});

export const ConnectedCalendar = rowType(ConnectedCalendarEntity, 'ConnectedCalendar', {
  description: 'A calendar of a connected account.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'calendar', { requires: data }),
    calendarAccountId: t.ownedId(['userId', 'connectionId'], 'calendarAccount', {
      requires: data,
      description: 'The id of the account that it belongs to.',
    }),
    name: t.column('name', { requires: data, description: 'The name that its owner gave it.' }),
    isPrimary: t.column('isPrimary', {
      requires: data,
      description: 'Whether it is the account’s main one; of an account by CalDAV, the first that can be written to.',
    }),
    isReadOnly: t.column('isReadOnly', {
      requires: data,
      description: 'Whether the calendar can only be read, so that no bookings are written to it.',
    }),
    isSelected: t.column('selected', {
      requires: data,
      description: 'Whether its events make you busy, so that nobody books you then.',
    }),
    isDestination: t.column('isDestination', {
      requires: data,
      description: 'Whether your bookings are written to it: one of yours at most.',
    }),
    lastReadAt: t.column('readAt', {
      requires: data,
      description: 'When its events were last read. Null: not yet, or it is not selected.',
    }),
    lastError: t.column('error', {
      requires: data,
      description:
        'Why its events could not be read the last time, for instance because there are too many. Events read before still make you busy. Null: they could be read, or it is not selected.',
    }),
    unreadableEventCount: t.column('unreadableEventCount', {
      requires: data,
      description:
        'How many of its events could not be read in whole. Of each, what is certain blocks your time, and the rest is left out. The page of calendars names them.',
    }),
    writeFailedAt: t.column('writeFailedAt', {
      requires: data,
      description:
        'Since when a booking of yours has been missing or outdated in it, after two days of attempts. It is retried every hour while the account works. Null: all are up to date.',
    }),
  }),
});

export const CalendarAccount = rowType(CalendarConnection, 'CalendarAccount', {
  description: 'An account elsewhere whose calendars you have connected.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'calendarAccount', { requires: data }),
    provider: t.column('provider', {
      type: CalendarProvider,
      requires: data,
      description: 'The provider of the account.',
    }),
    host: t.column('server', {
      requires: data,
      description: 'The host that keeps the account, such as `cloud.example`. Null: that of its provider.',
    }),
    username: t.column('account', { requires: data, description: 'Whom you sign in as there.' }),
    status: t.from(ACCOUNT_COLUMNS, {
      type: ConnectedAccountStatus,
      // Each of them calls somebody else's server.
      price: { weight: 100 },
      requires: data,
      description: 'Whether it works. Its server is asked now, or was asked a few seconds ago.',
      resolve: (account, _args, { em, calendarAccounts }) => calendarAccounts.statusOf(em, account),
    }),
    calendars: t.part(CALENDARS, {
      type: [ConnectedCalendar],
      price: { max: MAX_CALENDARS },
      requires: data,
      description: `Its calendars, the primary one first; ${MAX_CALENDARS} at most.`,
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: CalendarAccount,
  owned: CALENDAR_CONNECTIONS,
  belongsTo: 'PERSON',
  reads: data,
  writes: writes('APPS', ['USER']),
  list: {
    name: 'calendarAccounts',
    describes: { user: 'The accounts whose calendars you have connected, in the order in which you did.' },
  },
});

const findDestinations = batched(
  async ({ em }: GraphQLContext, userIds: readonly string[], selection: Selection<typeof ConnectedCalendarEntity>) => {
    const found = await read(
      em,
      sql<RowOf<typeof ConnectedCalendarEntity>>`select ${selection.with('userId', 'id').from('c')}
        from connected_calendars c where c.user_id = any(${userIds}::uuid[]) and c.is_destination`,
    );
    return new Map(found.map((calendar) => [calendar.userId, calendar]));
  },
);

builder.objectField(Viewer, 'destinationCalendar', (t) =>
  t.field({
    type: ConnectedCalendar,
    nullable: true,
    description: 'The calendar that your bookings are written to. Null: none.',
    requires: data,
    resolve: ({ id }, _args, context, info) =>
      findDestinations(context, id, selectionOf(info, ConnectedCalendarEntity)),
  }),
);
