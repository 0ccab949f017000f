import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/** How many mails were sent in the current hour to a receiver, from a network and so on: one row for each that is counted. */
export const MailCount = defineEntity({
  name: 'MailCount',
  tableName: 'mail_counts',
  indexes: [{ name: 'mail_counts_ends_at_idx', properties: ['endsAt'] }],
  properties: {
    /** SHA-256 of what is counted, so that the table is no list of who writes to whom. */
    key: p.text().primary(),
    mails: p.integer(),
    /** Mails that were not sent because of it. */
    refused: p.integer(),
    endsAt: p.type(InstantType),
  },
});
