/** The mails about connected calendars, in English: of each, the subject and the paragraphs before the link. */

/** An account that calendars are connected of. */
export interface MailedAccount {
  /** What its provider calls the product. */
  readonly provider: string;
  readonly account: string;
}

/** One of its calendars. */
interface MailedCalendar extends MailedAccount {
  readonly calendar: string;
  /** Why it cannot be read, in English; empty where that is not known. */
  readonly error: string;
}

interface GoneCalendars extends MailedAccount {
  readonly names: readonly string[];
  /** Whether bookings were written to one of them. */
  readonly wasDestination: boolean;
  /** Where they are written from now on; null: nowhere. */
  readonly destination: string | null;
}

interface CalendarMailWords {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

const nameOf = ({ provider, account }: MailedAccount): string => `your ${provider} account ${account}`;
const MEANWHILE =
  'What its calendars said last still keeps you from being booked then. Of newer events we know nothing, and your bookings are not written there.';

export const CALENDAR_MAIL_EN = {
  see: 'See your calendars:',
  unreadable: (of: MailedCalendar): CalendarMailWords => ({
    subject: 'A connected calendar cannot be read',
    paragraphs: [
      `“${of.calendar}” of ${nameOf(of)} makes you busy, but it cannot be read: ${of.error}`,
      'What it said last still keeps you from being booked then. Of newer events we know nothing.',
      'We keep trying, and write no more of it until it could be read.',
    ],
  }),
  unwritten: (of: MailedCalendar): CalendarMailWords => ({
    subject: 'Bookings are missing in a connected calendar',
    paragraphs: [
      `For two days, we could not write a booking of yours to “${of.calendar}” of ${nameOf(of)}. It is missing there, or stands as it was before. The booking itself is not touched.`,
      'If the calendar takes no new entries, make room there, or choose another one for your bookings.',
      'We try it again every hour while the account works, and write no more of it until it was done.',
    ],
  }),
  away: (of: MailedAccount): CalendarMailWords => ({
    subject: 'Your connected calendars do not answer',
    paragraphs: [
      `For two days, we could not reach the calendars of ${nameOf(of)}.`,
      MEANWHILE,
      'We keep trying. If the account is no longer in use, disconnect it.',
    ],
  }),
  refused: (of: MailedAccount): CalendarMailWords => ({
    subject: 'Your calendars have to be connected again',
    paragraphs: [
      `The calendars of ${nameOf(of)} do not let us in any more: the password has changed, or the access that you gave has ended.`,
      MEANWHILE,
      'Connect the account again; what you chose among its calendars is kept.',
    ],
  }),
  gone: ({ names, wasDestination, destination, ...of }: GoneCalendars): CalendarMailWords => {
    const now =
      destination === null
        ? 'They are written nowhere from now on.'
        : `They are written to “${destination}” from now on.`;
    return {
      subject: 'A connected calendar is gone',
      paragraphs: [
        `These calendars are no longer listed by ${nameOf(of)}: ${names.map((name) => `“${name}”`).join(', ')}.`,
        'Their events do not keep you from being booked any more.',
        ...(wasDestination ? [`Your bookings were written to one of them. ${now}`] : []),
      ],
    };
  },
};
