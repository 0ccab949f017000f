import type { GraphQLResolveInfo } from 'graphql';
import { type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { MAX_URL_LENGTH } from '../../../core/text.ts';
import type { Entity, RowOf } from '../../../database/columns.ts';
import { type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { requireOwnId } from '../../levels/change-owned.ts';
import { EVERYBODYS_OWN, findOwned, type OwnedTable } from '../../levels/owned.queries.ts';
import { beginCalendarAccess, CONNECT_CALENDAR_CODES } from './calendar-access.ts';
import {
  DISCONNECT_CODES,
  disconnectCalendars,
  SELECT_CALENDAR_CODES,
  SET_DESTINATION_CODES,
  selectCalendar,
  setDestinationCalendar,
} from './calendar-connection.commands.ts';
import { CalendarAccount, CalendarProvider, ConnectedCalendar } from './calendar-connection.graphql.ts';
import { CALENDAR_CONNECTIONS, CONNECTED_CALENDARS } from './calendar-connection.queries.ts';
import {
  MAX_ACCEPTED_HOSTS,
  MAX_ACCOUNT_LENGTH,
  MAX_APP_PASSWORD_LENGTH,
  MAX_CONNECTIONS,
} from './calendar-connection.rules.ts';
import {
  CONNECT_APPLE_CODES,
  CONNECT_CALDAV_CODES,
  connectAppleCalendar,
  connectCaldav,
  RECONNECT_CODES,
  reconnectCalendars,
} from './connect-caldav.ts';

const data = reads('APPS', ['USER']);
const requires = entering('USER', writes('APPS', ['USER']));

mutation('appleCalendarAccountConnect', {
  description: `Connects the calendars of an Apple account: its server is asked for them before anything is stored. An account that is connected gets its new password. You can have ${MAX_CONNECTIONS} accounts.`,
  requires,
  single: true,
  errors: CONNECT_APPLE_CODES,
  input: (t) => ({
    username: t.string({
      required: true,
      description: `The e-mail address of the account, such as \`ada@icloud.com\`: at most ${MAX_ACCOUNT_LENGTH} characters.`,
    }),
    appPassword: t.string({
      required: true,
      description: `An app-specific password, which Apple makes for you: at most ${MAX_APP_PASSWORD_LENGTH} characters. It is kept encrypted, and shown by nothing.`,
    }),
  }),
  resolve: async (input, context) => {
    const ownerId = requireUserId(context);
    const { em, calendarAccounts: accounts, calendarAccountTries: tries } = context;
    return { done: { ownerId, id: await connectAppleCalendar(em, ownerId, input, { accounts, tries }) } };
  },
  payload: accountPayload,
});

mutation('caldavCalendarAccountConnect', {
  description: `Connects the calendars of an account at any CalDAV server, such as Nextcloud: the server is found and asked for them before anything is stored. The password goes to the host that you give, and by https alone. If the calendars are at another one, \`HOST_NOT_ACCEPTED\` names it: call again, with it in \`acceptedHosts\`. An account that is connected gets its new password. You can have ${MAX_CONNECTIONS} accounts.`,
  requires,
  single: true,
  errors: CONNECT_CALDAV_CODES,
  input: (t) => ({
    server: t.string({
      required: true,
      description: `Where the account is: an address such as \`https://cloud.example\`, a host such as \`cloud.example\`, or an e-mail address, whose domain says where its calendars are (RFC 6764). At most ${MAX_URL_LENGTH} characters.`,
    }),
    username: t.string({
      required: true,
      description: `The user’s name there, often the e-mail address, such as \`ada@example.com\`: at most ${MAX_ACCOUNT_LENGTH} characters.`,
    }),
    appPassword: t.string({
      required: true,
      description: `The password, best one that the server makes for an app; with two-factor authentication no other one works. At most ${MAX_APP_PASSWORD_LENGTH} characters. It is kept encrypted, and shown by nothing.`,
    }),
    acceptedHosts: t.stringList({
      defaultValue: [],
      description: `Hosts that the password may go to besides the one that you give, such as \`p42-caldav.icloud.com\`: at most ${MAX_ACCEPTED_HOSTS}.`,
    }),
  }),
  resolve: async (input, context) => {
    const ownerId = requireUserId(context);
    const { em, calendarAccounts: accounts, calendarAccountTries: tries } = context;
    const account = { ...input, acceptedHosts: input.acceptedHosts ?? [] };
    return { done: { ownerId, id: await connectCaldav(em, ownerId, account, { accounts, tries }) } };
  },
  payload: accountPayload,
});

mutation('calendarAccountConnect', {
  description: `Begins to connect the calendars of an account by OAuth 2.0. You open \`authorizationUrl\` in a browser in which you are signed in here, within ten minutes: it leads to the provider, who asks you, and back; then the account is among \`calendarAccounts\`. An account that is connected gets new access. You can have ${MAX_CONNECTIONS} accounts.`,
  requires,
  single: true,
  errors: CONNECT_CALENDAR_CODES,
  input: (t) => ({
    provider: t.field({
      type: CalendarProvider,
      required: true,
      description: 'The provider of the account: one whose accounts are connected by OAuth.',
    }),
  }),
  resolve: async ({ provider }, context) => {
    const userId = requireUserId(context);
    return { authorizationUrl: await beginCalendarAccess(context.em, { userId, provider }, context.connections) };
  },
  payload: (t) => ({
    authorizationUrl: t.field({
      type: 'URL',
      nullable: true,
      requires: INHERIT,
      description: 'The address to open in your browser. It works once, and only for you. Null: see `userErrors`.',
      resolve: ({ authorizationUrl }) => authorizationUrl,
    }),
  }),
});

mutation('calendarAccountReconnect', {
  description:
    'Sends the stored password of an account once more to its server, which has refused it, for instance by mistake. If the server takes it, the calendars are read again and the bookings that are missing there are written. If it refuses it again (`WRONG_CREDENTIALS`), the account stays `BROKEN`. It counts as an attempt to connect. An account whose password is not refused stays as it is.',
  requires,
  single: true,
  errors: RECONNECT_CODES,
  input: (t) => ({ calendarAccountId: t.id({ required: true }) }),
  resolve: async ({ calendarAccountId }, context) => {
    const ownerId = requireUserId(context);
    const { em, calendarAccounts: accounts, calendarAccountTries: tries } = context;
    const done = { ownerId, id: requireOwnId('calendarAccount', calendarAccountId, ownerId) };
    await reconnectCalendars(em, done, { accounts, tries });
    return { done };
  },
  payload: accountPayload,
});

mutation('calendarAccountDisconnect', {
  description:
    'Forgets an account with its password or tokens, its calendars and their busy times. Bookings that were written to them stay there. If one of them was the destination of bookings, the primary calendar of your oldest other connection is from now on.',
  requires,
  errors: DISCONNECT_CODES,
  input: (t) => ({ calendarAccountId: t.id({ required: true }) }),
  resolve: async ({ calendarAccountId }, context) => {
    const userId = requireUserId(context);
    await disconnectCalendars(context.em, userId, requireOwnId('calendarAccount', calendarAccountId, userId));
    return { calendarAccountId };
  },
  payload: (t) => ({ calendarAccountId: t.exposeID('calendarAccountId', { nullable: true, requires: INHERIT }) }),
});

for (const [verb, selected, description] of [
  ['Add', true, 'Makes the events of a calendar count as busy time. They are read in the background.'],
  ['Remove', false, 'Stops the events of a calendar from counting as busy time.'],
] as const) {
  mutation(`selectedCalendar${verb}`, {
    description,
    requires,
    errors: SELECT_CALENDAR_CODES,
    input: (t) => ({ calendarId: t.id({ required: true }) }),
    resolve: async ({ calendarId }, context) => {
      const ownerId = requireUserId(context);
      const id = requireOwnId('calendar', calendarId, ownerId);
      await selectCalendar(context.em, ownerId, id, selected);
      return { calendarId, done: { ownerId, id } };
    },
    payload: calendarPayload,
  });
}

mutation('destinationCalendarSet', {
  description:
    'Chooses the calendar to which your bookings are written, once they are accepted or change. Bookings already written to another calendar stay there.',
  requires,
  errors: SET_DESTINATION_CODES,
  input: (t) => ({
    calendarId: t.id({
      description: 'A calendar of yours that is not `isReadOnly` (`cal_…`). Null or left out: none.',
    }),
  }),
  resolve: async ({ calendarId = null }, context) => {
    const ownerId = requireUserId(context);
    const id = calendarId === null ? null : requireOwnId('calendar', calendarId, ownerId);
    await setDestinationCalendar(context.em, ownerId, id);
    return { calendarId: calendarId ?? undefined, done: id === null ? undefined : { ownerId, id } };
  },
  payload: calendarPayload,
});

function accountPayload(t: Parameters<PayloadFields<{ readonly done?: OwnedId | undefined }>>[0]) {
  return {
    calendarAccountId: t.id({
      nullable: true,
      requires: INHERIT,
      resolve: ({ done }) => done && publicOwnedId('calendarAccount', done),
    }),
    calendarAccount: t.field({
      type: CalendarAccount,
      nullable: true,
      requires: data,
      resolve: ({ done }, _args, context, info) => done && readAgain(CALENDAR_CONNECTIONS, done, context, info),
    }),
  };
}

interface ChosenCalendar {
  readonly calendarId?: string | undefined;
  readonly done?: OwnedId | undefined;
}

function calendarPayload(t: Parameters<PayloadFields<ChosenCalendar>>[0]) {
  return {
    calendarId: t.exposeID('calendarId', { nullable: true, requires: INHERIT }),
    calendar: t.field({
      type: ConnectedCalendar,
      nullable: true,
      requires: data,
      description: 'The calendar, as it is now.',
      resolve: ({ done }, _args, context, info) => done && readAgain(CONNECTED_CALENDARS, done, context, info),
    }),
  };
}

async function readAgain<E extends Entity>(
  owned: OwnedTable<E>,
  { ownerId, id }: OwnedId,
  { em }: GraphQLContext,
  info: GraphQLResolveInfo,
): Promise<RowOf<E> | undefined> {
  const lookUp = { parentId: ownerId, ownerId, id };
  const [found] = await findOwned(em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, owned.entity));
  return found;
}
