import { defineEntity, p } from '@mikro-orm/core';

/**
 * How often something was guessed in the current window, for all processes. The columns are those that
 * rate-limiter-flexible writes, in its order; `expire` is the end of the window in milliseconds since 1970.
 */
export const GuessCount = defineEntity({
  name: 'GuessCount',
  tableName: 'guess_counts',
  indexes: [{ name: 'guess_counts_expire_idx', properties: ['expire'] }],
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    expire: p.bigint().nullable(),
  },
});
