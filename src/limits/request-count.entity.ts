import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/**
 * How many requests a grant, a session or an address sent in its current window, as far as the processes have told.
 * Unlogged: it is written all the time, and after a crash every window may begin anew.
 */
export const RequestCount = defineEntity({
  name: 'RequestCount',
  tableName: 'request_counts',
  indexes: [{ name: 'request_counts_ends_at_idx', properties: ['endsAt'] }],
  properties: {
    key: p.text().primary(),
    requests: p.integer(),
    endsAt: p.type(InstantType),
  },
});
