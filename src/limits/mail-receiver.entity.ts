import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/** A mailbox that strangers have had this service write to: whether it has answered, and whether it wants no more of it. */
export const MailReceiver = defineEntity({
  name: 'MailReceiver',
  tableName: 'mail_receivers',
  indexes: [{ name: 'mail_receivers_mailed_at_idx', properties: ['mailedAt'] }],
  properties: {
    /** SHA-256 of the folded address, so that the table is no list of mailboxes. */
    key: p.text().primary(),
    /** When a mail was last sent there. */
    mailedAt: p.type(InstantType),
    /** When somebody who reads it has last pressed a button of a mail, or signed in with it. Null: never. */
    answeredAt: p.type(InstantType).nullable(),
    /** Until then, strangers cause it no mails. Null: they may. */
    silentUntil: p.type(InstantType).nullable(),
  },
});
