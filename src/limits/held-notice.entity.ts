import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';
import type { Mail } from '../mail/mailer.ts';
import type { CountedAs } from './mail-limit.ts';

/** The outcome of a notice that was one too many: it is sent in a summary, or never, as nobody wants it or it has waited too long. */
export type HeldNoticeOutcome = 'SUMMARY' | 'NONE' | 'EXPIRED';

/**
 * A mail to somebody about what is theirs (their account, their app, what they administer) that was one too many. Those that say the
 * same are one row, however many they are.
 */
export const HeldNotice = defineEntity({
  name: 'HeldNotice',
  tableName: 'held_notices',
  indexes: [
    {
      name: 'held_notices_due_at_idx',
      expression: 'create index held_notices_due_at_idx on held_notices (due_at) where due_at is not null',
    },
    {
      name: 'held_notices_user_id_idx',
      expression: 'create index held_notices_user_id_idx on held_notices (user_id) where user_id is not null',
    },
    { name: 'held_notices_created_at_idx', properties: ['createdAt'] },
  ],
  properties: {
    /** The mailbox, hashed (mail-receivers.ts). */
    receiver: p.text().primary(),
    /** The topic that it counts by, hashed: notices of the same topic are told together. */
    topic: p.text().primary(),
    /** SHA-256 of what it says; empty for all that there is no row for. */
    digest: p.text().primary(),
    /** Notices are sent in the order of this number. */
    id: p.uuid(),
    subject: p.text(),
    /** As it would have been sent; null once it has ended, and of what there is no row for. */
    mail: p.json<Mail>().nullable(),
    counted: p.json<CountedAs>(),
    /** The user whose address a mail verifies: its link is made when it is sent, so that none lies here. */
    userId: p.uuid().nullable(),
    /** How many notices were to be sent. */
    times: p.integer(),
    outcome: p.text().$type<HeldNoticeOutcome>(),
    /** When to look at it again; null once it has ended. */
    dueAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});
