import { LOCALE_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { LONG_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { personFields } from '../../accounts/person.graphql.ts';
import { PERSON } from '../../accounts/person.queries.ts';
import { User } from '../../accounts/user.entity.ts';
import { BookingAttendee as BookingAttendeeEntity } from '../booking-attendee.entity.ts';
import { BookingHost as BookingHostEntity } from '../booking-host.entity.ts';
import { uidOf } from '../booking-key.rules.ts';

const data = reads('BOOKING');

const BookingHostUser = rowType(User, 'BookingHostUser', {
  description: 'The user who hosts a booking.',
  fields: (t) => personFields(t, data),
});

export const BookingHost = rowType(BookingHostEntity, 'BookingHost', {
  description: 'A user who hosts the booking.',
  fields: (t) => ({
    id: t.id('userId', 'user', { requires: data }),
    name: t.fromPart(
      [],
      { part: PERSON, columns: ['name'] },
      { type: 'String', requires: data, description: 'What people call them.', resolve: ({ user }) => user.name },
    ),
    username: t.fromPart(
      [],
      { part: PERSON, columns: ['username'] },
      {
        type: 'String',
        requires: data,
        description: 'Their name in the addresses of their booking pages.',
        resolve: ({ user }) => user.username,
      },
    ),
    user: t.part(PERSON, { type: BookingHostUser, requires: data, description: 'Who it is.' }),
    absent: t.column('absent', { requires: data, description: 'Whether a host has marked that they did not come.' }),
  }),
});

export const BookingAttendee = rowType(BookingAttendeeEntity, 'BookingAttendee', {
  description: 'An attendee of a booking, by the details that were given when it was made.',
  fields: (t) => ({
    name: t.column('name', { requires: data, description: 'What people call them.' }),
    email: t.column('email', {
      type: 'EmailAddress',
      requires: data,
      description: 'Where mails about the booking go; see `verified`.',
    }),
    verified: t.column('verified', {
      requires: data,
      description:
        'Whether the address is known to be theirs: they have used a code or a link from a mail, or were named by somebody signed in with a verified address.',
    }),
    timeZone: t.column('timeZone', {
      type: 'TimeZone',
      requires: data,
      description: `The time zone of times in mails: ${TIME_ZONE_IN_WORDS}.`,
    }),
    locale: t.column('locale', {
      requires: data,
      description: `The language of mails to them: ${LOCALE_IN_WORDS}. Null: they have not said.`,
    }),
    phone: t.column('phone', {
      requires: data,
      description: 'A number with its country code, such as `+4930123456`. Null: they have not said.',
    }),
    notes: t.column('notes', {
      price: LONG_TEXT,
      requires: data,
      description: 'What they wrote to the hosts. Null: nothing.',
    }),
    responses: t.from(['responses'], {
      type: 'BookingResponses',
      requires: data,
      description: 'Their answers to the booking fields; empty when there are none.',
      resolve: ({ responses }) => responses ?? {},
    }),
    absent: t.column('absent', { requires: data, description: 'Whether a host has marked that they did not come.' }),
    seatUid: t.from(['ownerId', 'seatId'], {
      type: 'String',
      nullable: true,
      requires: data,
      description: 'With seats: the uid of their seat.',
      resolve: ({ ownerId, seatId }) => (seatId === null ? null : uidOf({ ownerId, id: seatId, isSeat: true })),
    }),
  }),
});

interface Guest {
  readonly email: string;
  readonly invited: boolean;
}

export const BookingGuest = builder.objectRef<Guest>('BookingGuest').implement({
  description: 'Somebody who comes along.',
  fields: (t) => ({
    email: t.expose('email', { type: 'EmailAddress', requires: data, description: 'Where they are invited.' }),
    invited: t.exposeBoolean('invited', {
      requires: data,
      description:
        'False until the booker has followed the link in the mail to them: before that, this address gets no mail.',
    }),
  }),
});

export function guestsOf({
  guestEmails,
  heldGuestEmails,
}: {
  readonly guestEmails: readonly string[] | null;
  readonly heldGuestEmails: readonly string[] | null;
}): Guest[] {
  return (guestEmails ?? []).map((email) => ({ email, invited: !heldGuestEmails?.includes(email) }));
}
