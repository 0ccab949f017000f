import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../../accounts/user.entity.ts';
import type { CalendarProviderName } from './calendar-connection.rules.ts';

/** An account elsewhere whose calendars a user has connected. */
export const CalendarConnection = defineEntity({
  name: 'CalendarConnection',
  tableName: 'calendar_connections',
  uniques: [{ name: 'calendar_connections_account_key', properties: ['user', 'provider', 'account'] }],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    provider: p.text().$type<CalendarProviderName>(),
    /** What its user calls the account, such as the e-mail address. */
    account: p.text(),
    /** What opens the account, sealed. */
    credentials: p.text(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
