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
