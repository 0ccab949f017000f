/** The mails about connected calendars, in English: of each, the subject and the paragraphs before the link. */

/** An account that calendars are connected of. */
export interface MailedAccount {
  /** The name that its provider gives the product. */
  readonly provider: string;
  readonly account: string;
}

/** One of its calendars; of a feed, the provider and the account are empty. */
interface MailedCalendar extends MailedAccount {
  readonly calendar: string;
  /** Why it cannot be read, in English; empty where that is not known. */
  readonly error: string;
}

interface SilentCalendar extends MailedCalendar {
  /** When it was read last, as its user reads times; null: never. */
  readonly readAt: string | null;
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
  'The events we last saw in its calendars still make you busy. We don’t know of newer ones, and your bookings aren’t added there.';

export const CALENDAR_MAIL_EN = {
  see: 'See your calendars:',
  unreadable: (of: MailedCalendar): CalendarMailWords => ({
    subject: 'We can’t read one of your calendars',
    paragraphs: [
      `Events in “${of.calendar}” of ${nameOf(of)} make you busy, but we can’t read it: ${of.error}`,
      'The events we last saw there still make you busy. We don’t know of newer ones.',
      'We’ll keep trying, and won’t write to you about it again until it has worked in between.',
    ],
  }),
  unwritten: (of: MailedCalendar): CalendarMailWords => ({
    subject: 'Bookings are missing from your calendar',
    paragraphs: [
      `For two days, we haven’t been able to add or update one of your bookings in “${of.calendar}” of ${nameOf(of)}. It’s missing or out of date there. The booking itself isn’t affected.`,
      'If the calendar doesn’t take new events, make room there or choose another one for your bookings.',
      'We’ll try again every hour while the account works, and won’t write to you about it again until it has worked in between.',
    ],
  }),
  silent: ({ readAt, ...of }: SilentCalendar): CalendarMailWords => ({
    subject: 'A calendar didn’t answer while you were being booked',
    paragraphs: [
      of.account === ''
        ? `When somebody was about to book you, we asked the calendar at ${of.calendar}, and it didn’t answer in time, or with more than can be read at once.`
        : `When somebody was about to book you, we asked “${of.calendar}” of ${nameOf(of)}, and it didn’t answer in time, or with more than can be read at once.`,
      readAt === null
        ? 'We haven’t been able to read it so far, so its events weren’t considered.'
        : `Nobody is kept waiting for it, so we went by what we had read there last, on ${readAt}.`,
      'If you have added events since then, please check whether a new booking clashes with one of them. If it happens again, we’ll write to you about it once a day at most.',
    ],
  }),
  away: (of: MailedAccount): CalendarMailWords => ({
    subject: 'We can’t reach your calendars',
    paragraphs: [
      `For two days, we haven’t been able to reach the calendars of ${nameOf(of)}.`,
      MEANWHILE,
      'We’ll keep trying. If you no longer use the account, disconnect it.',
    ],
  }),
  refused: (of: MailedAccount): CalendarMailWords => ({
    subject: 'Please reconnect your calendars',
    paragraphs: [
      `We no longer have access to the calendars of ${nameOf(of)}: its password was changed, or the access you gave us has ended.`,
      MEANWHILE,
      'Please connect the account again. We’ve kept your choice of calendars.',
    ],
  }),
  gone: ({ names, wasDestination, destination, ...of }: GoneCalendars): CalendarMailWords => {
    const now =
      destination === null
        ? 'From now on, they aren’t added to any calendar.'
        : `From now on, they’re added to “${destination}”.`;
    return {
      subject: 'A connected calendar is gone',
      paragraphs: [
        `These calendars no longer exist in ${nameOf(of)}: ${names.map((name) => `“${name}”`).join(', ')}.`,
        'Their events no longer make you busy.',
        ...(wasDestination ? [`Your bookings were added to one of them. ${now}`] : []),
      ],
    };
  },
};
