import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../../accounts/user.entity.ts';
import { Connection } from '../../connections/connection.entity.ts';
import type { CalendarProviderName } from './calendar-connection.rules.ts';

/** An account elsewhere whose calendars a user has connected. */
export const CalendarConnection = defineEntity({
  name: 'CalendarConnection',
  tableName: 'calendar_connections',
  indexes: [
    {
      name: 'calendar_connections_account_key',
      expression:
        "create unique index calendar_connections_account_key on calendar_connections (user_id, provider, coalesce(server, ''), account)",
    },
    {
      name: 'calendar_connections_access_key',
      expression:
        'create unique index calendar_connections_access_key on calendar_connections (user_id, access_id) where access_id is not null',
    },
  ],
  checks: [{ name: 'calendar_connections_opened_check', expression: 'num_nonnulls(credentials, access_id) = 1' }],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    provider: p.text().$type<CalendarProviderName>(),
    /** The host that keeps it, of a provider that may be anybody. */
    server: p.text().nullable(),
    /** The user knows the account by this, such as the e-mail address. */
    account: p.text(),
    /** A password that opens the account, sealed. Null: `access` opens it. */
    credentials: p.text().nullable(),
    /** The tokens that open it. */
    access: () =>
      p.manyToOne(Connection).joinColumns('user_id', 'access_id').deleteRule('cascade').nullable().index(false),
    accessId: p.uuid().nullable(),
    /** When its server refused the password, which is not sent again. */
    refusedAt: p.type(InstantType).nullable(),
    /** When its user last had that password tried once more, and when the server answered; null: not yet, or it is not refused. */
    askedAt: p.type(InstantType).nullable(),
    answeredAt: p.type(InstantType).nullable(),
    /** Since when it does not work. */
    failingSince: p.type(InstantType).nullable(),
    /** When its user was notified of that. */
    notifiedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** A calendar of a connected account. */
export const ConnectedCalendar = defineEntity({
  name: 'ConnectedCalendar',
  tableName: 'connected_calendars',
  uniques: [{ name: 'connected_calendars_external_key', properties: ['userId', 'connectionId', 'externalId'] }],
  indexes: [
    {
      name: 'connected_calendars_destination_key',
      expression:
        'create unique index connected_calendars_destination_key on connected_calendars (user_id) where is_destination',
    },
  ],
  properties: {
    userId: p.uuid().primary(),
    id: p.uuid().primary(),
    connection: () =>
      p.manyToOne(CalendarConnection).joinColumns('user_id', 'connection_id').deleteRule('cascade').index(false),
    connectionId: p.uuid(),
    /** The provider knows it by this, within the account. */
    externalId: p.text(),
    name: p.text(),
    isPrimary: p.boolean(),
    isReadOnly: p.boolean(),
    /** Whether its events make their user busy. */
    selected: p.boolean(),
    /** Whether bookings are written to it: one of a user's. */
    isDestination: p.boolean(),
    /** Its readings have this name while it is selected; those of another name have ended. */
    readingId: p.uuid().nullable(),
    /** When its events were last turned into busy times, which reach a fixed time ahead from then. */
    expandedAt: p.type(InstantType).nullable(),
    /** The state in which it was read last, as far as the provider names one that is trusted. */
    readState: p.text().nullable(),
    /** The digests and busy times of its objects (kept-objects.ts); null where none are kept. */
    keptObjects: p.text().nullable(),
    unreadableEventCount: p.integer().defaultRaw('0'),
    /** The first of them, as their owner knows them: encrypted, as their titles are. Null: there are none. */
    sealedUnreadable: p.text().nullable(),
    readAt: p.type(InstantType).nullable(),
    nextReadAt: p.type(InstantType),
    /** When its server was last asked, and when it was known what came of that (turn-to-ask.ts). */
    askedAt: p.type(InstantType).nullable(),
    answeredAt: p.type(InstantType).nullable(),
    /** Which time was asked about, where a visitor was the reason. Null: all, in the background or with nothing new. */
    askedDuring: p.string().columnType('tstzrange').nullable(),
    /** Until when its server wants to be left alone. */
    restingUntil: p.type(InstantType).nullable(),
    /** When its user was last notified that it did not answer while somebody booked. */
    silenceNotifiedAt: p.type(InstantType).nullable(),
    /** Readings in a row that have failed. */
    failures: p.integer().defaultRaw('0'),
    /** Why it could not be read the last time; null: it could. */
    error: p.text().nullable(),
    /** When its user was notified that it cannot be read. */
    notifiedAt: p.type(InstantType).nullable(),
    /** Since when it does not follow bookings, though that was tried for long; its user is notified. */
    writeFailedAt: p.type(InstantType).nullable(),
    /** Since when its provider does not list it. */
    missingSince: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
