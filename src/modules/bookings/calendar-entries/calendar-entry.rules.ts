import { instantOf } from '../../../core/instant.ts';
import type { NewEntry } from '../../calendars/connections/calendar-connection.rules.ts';
import { placeText } from '../booking-location.rules.ts';
import { type CalendarNote, icsOfNote } from '../ics.rules.ts';

/** The parts of a booking that its calendar entry is made of. Instants are as the database writes them. */
export interface NotedBooking extends CalendarNote {
  readonly attendees: readonly { readonly name: string; readonly email: string }[];
  readonly guestEmails: readonly string[];
  /** The guests who are not invited yet. */
  readonly heldGuestEmails: readonly string[];
}

/** Makes the entry that a host reads in their own calendar. */
export function entryOf(booking: NotedBooking): NewEntry {
  const { title, description, attendees, guestEmails, heldGuestEmails, location, start, end } = booking;
  const { icsId, icsSequence, createdAt, updatedAt } = booking;
  const guests = guestEmails.filter((email) => !heldGuestEmails.includes(email));
  const people = [...attendees.map(({ name, email }) => `${name} <${email}>`), ...guests];
  const [first, ...others] = attendees;
  const names = first && (others.length > 0 ? `${first.name} + ${others.length}` : first.name);
  const note: CalendarNote = {
    // A host's calendar is full of the same title.
    title: names === undefined ? title : `${title} with ${names}`,
    description: [description, ...people].filter(Boolean).join('\n'),
    location,
    start,
    end,
    icsId,
    icsSequence,
    createdAt: instantOf(createdAt).toString(),
    updatedAt: instantOf(updatedAt).toString(),
  };
  const event = { ...note, description: note.description ?? '', place: location && placeText(location) };
  return { icsId, version: note.updatedAt, ics: icsOfNote(note), event };
}
