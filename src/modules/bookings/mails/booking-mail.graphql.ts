import { builder } from '../../../graphql/builder.ts';
import { calledFrom } from '../../../graphql/context.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { rowType } from '../../../graphql/row.ts';
import { PUBLIC, reads } from '../../../scopes/declare.ts';
import { callerIdOf } from '../booking-input.graphql.ts';
import { BookingMail as BookingMailEntity } from './booking-mail.entity.ts';
import { type BookedMail, expectedStatus, shownOutcome } from './mail-outcomes.ts';

const data = reads('BOOKING');

const MailStatus = builder.enumType('MailStatus', {
  description: 'Whether a mail is sent, and if not, why.',
  values: describedValues(['SENT', 'WAITING', 'IN_SUMMARY', 'NOT_SENT'], {
    SENT: 'It is sent at once, or was sent after it had waited.',
    WAITING:
      'It waits for its turn: whoever causes it has reached as many new receivers as are allowed in an hour. The soonest meetings come first. It leaves the line if the booking is cancelled or begins first.',
    IN_SUMMARY: 'It will be part of a summary, as the address has had as many mails as are allowed for now.',
    NOT_SENT:
      'No mail is sent: too many are waiting, the recipient has unsubscribed, or the address of the person it would be sent for is not verified. Show the booker the link of the booking.',
  }),
});

const MailReceiverRole = builder.enumType('MailRecipientRole', {
  description: 'The part that a receiver of mails has in a booking.',
  values: describedValues(['HOST', 'ATTENDEE', 'GUEST'], {
    HOST: 'A host of the booking.',
    ATTENDEE: 'The booker, or whoever has a seat.',
    GUEST: 'Somebody who comes along.',
  }),
});

/** The last mail to each mailbox, as hosts see it. */
export const BookingMail = rowType(BookingMailEntity, 'BookingMail', {
  description: 'The last mail about a booking to somebody.',
  fields: (t) => ({
    email: t.column('mailbox', { type: 'EmailAddress', requires: data, description: 'The receiver, in lower case.' }),
    role: t.column('role', {
      type: MailReceiverRole,
      requires: data,
      description: 'The part that the receiver has in the booking.',
    }),
    status: t.from(['outcome'], {
      type: MailStatus,
      requires: data,
      description: 'What became of it.',
      resolve: ({ outcome }) => shownOutcome(outcome),
    }),
    nextAttemptAt: t.column('dueAt', {
      requires: data,
      description: 'When a mail that waits is tried again. Null: it does not wait.',
    }),
  }),
});

/** A mail to somebody whose address the booker has just given. */
export const BookedMailType = builder.objectRef<BookedMail>('PublicBookingMail').implement({
  description: 'The mail about a new booking to the booker, or to a guest.',
  fields: (t) => ({
    email: t.expose('email', {
      type: 'EmailAddress',
      requires: PUBLIC,
      description: 'The receiver, as you have sent it.',
    }),
    status: t.field({
      type: MailStatus,
      requires: PUBLIC,
      description: 'What became of it.',
      resolve: ({ outcome }) => outcome,
    }),
  }),
});

builder.queryField('expectedMailStatus', (t) =>
  t.field({
    type: MailStatus,
    nullable: true,
    description:
      'What would become of the mail about a booking that you made now, to somebody whom this service has not written to before: `SENT`, `WAITING` or `NOT_SENT`. Ask before you book, to tell the booker if no mail will come.',
    requires: PUBLIC,
    resolve: async (_root, _args, context) => {
      const { em, verification } = context;
      return expectedStatus(em, { userId: callerIdOf(context), ...calledFrom(context) }, verification.mailLimit);
    },
  }),
);

export const BOOKED_MAILS =
  'What became of the mails to the booker and to guests. Guests who are invited only once the booker has confirmed are left out, and hosts too.';
