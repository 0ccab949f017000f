import { newId, newTeamId, newUserId } from '../../src/core/id.ts';
import type { MailContent } from '../../src/core/mail-content.ts';
import { noticesContent } from '../../src/limits/held-notices.ts';
import { CODE_MAIL_DE } from '../../src/modules/bookings/book/code-mail-words.de.rules.ts';
import { CODE_MAIL_EN } from '../../src/modules/bookings/book/code-mail-words.en.rules.ts';
import { bookingMailContent, summaryMailContent } from '../../src/modules/bookings/mails/booking-mail.rules.ts';
import { ours } from '../../src/modules/bookings/mails/mailed-texts.rules.ts';
import { type CalendarNews, calendarMailContent } from '../../src/modules/calendars/connections/calendar-mail.ts';
import { brokenMailContent } from '../../src/modules/conferencing/app-health.ts';
import { mailOfCode } from '../../src/modules/verified-resources/verification-words.rules.ts';
import {
  disabledMailContent,
  type NotifiedPaused,
  pausedMailContent,
} from '../../src/modules/webhooks/webhook-mails.ts';
import { mailTo } from '../../src/modules/workflows/sendings/send-sending.ts';
import { clientNotice, submissionNotice } from '../../src/oauth/clients/notices.ts';
import { USER_NOTICES_DE } from '../../src/oauth/clients/user-notice-words.de.rules.ts';
import { USER_NOTICES_EN } from '../../src/oauth/clients/user-notice-words.en.rules.ts';
import { accountMailSamples } from '../modules/accounts/links/account-mail-samples.ts';
import { bookingMailSamples, LINK, meetingFor, READERS, TIME } from '../modules/bookings/mails/booking-mail-samples.ts';

export const ORIGIN = 'https://gatehouse.example';
const APPS = `${ORIGIN}/settings/apps`;

/** A mail with the file that writes it. */
export interface SampleMail {
  readonly name: string;
  readonly source: string;
  readonly content: MailContent;
}

type Samples = readonly (readonly [name: string, content: MailContent])[];

/** Each kind of mail, for a reader of this language; some are in English alone. */
export function everyMail(locale: 'en' | 'de'): readonly SampleMail[] {
  const words = (name: string): string => `${name}-words.${locale}.rules.ts`;
  const { invitation, ...accounts } = accountMailSamples(locale);
  const notices = { en: USER_NOTICES_EN, de: USER_NOTICES_DE }[locale];
  const code = { en: CODE_MAIL_EN, de: CODE_MAIL_DE }[locale];
  const app = { clientId: 'cli_1', name: 'Quick Calendar' };
  const granted = ['First sentence', 'Second sentence'];
  const bookings: Samples = bookingMailSamples(locale).map(({ name, content }) => [name, content]);
  const bySource: Readonly<Record<string, Samples>> = {
    'modules/bookings/mails/booking-mail.rules.ts': [
      ...bookings,
      ['a series with guests', aSeries(locale)],
      ...summaries(locale),
    ],
    [words('modules/bookings/book/code-mail')]: [['a code to book', { locale, ...code('123456', 15) }]],
    [words('modules/accounts/links/account-mail')]: Object.entries(accounts),
    [words('modules/memberships/invitation')]: [['an invitation', invitation]],

    [words('oauth/clients/user-notice')]: [
      ['an app was disconnected', { locale, ...notices.stolenGrant(app, APPS) }],
      ['an app was given access', { locale, ...notices.newAccess(app, granted, APPS) }],
    ],
    'oauth/clients/notices.ts': clientNotices(),
    'modules/verified-resources/verification-words.rules.ts': [['a code to verify an address', mailOfCode('123456')]],
    'modules/workflows/sendings/send-sending.ts': [['a workflow', workflowMail(WORKFLOW_BODY)]],
    'modules/calendars/connections/calendar-mail.ts': calendarNews(locale),
    'limits/held-notices.ts': [['many notices in one', manyNotices(locale)]],
    'modules/webhooks/webhook-mails.ts': [...webhooksPaused(locale), ['a webhook was disabled', webhookDisabled()]],
    'modules/conferencing/app-health.ts': [['an app was cut off', brokenMailContent('Zoom', 'app_1', true)]],
  };
  return Object.entries(bySource).flatMap(([source, samples]) =>
    samples.map(([name, content]) => ({ name, source: `src/${source}`, content })),
  );
}

const WORKFLOW_BODY = 'Hi {attendee_name},\n\nsee you then.\nOr cancel: {cancel_link}\n\n\nThe team & <b>I</b>';

function clientNotices(): Samples {
  const client = { clientId: 'cli_1', name: 'Quick Calendar' };
  const what = { subject: 'approved', paragraphs: ['It was approved.', 'It is called "Main".'] };
  return [
    ['a client was approved', clientNotice(client, what, `${ORIGIN}/settings/developer/oauth`)],
    ['a client waits for a review', submissionNotice(client, `${ORIGIN}/admin/oauth`)],
  ];
}

function manyNotices(locale: 'en' | 'de'): MailContent {
  const changed = { ...accountMailSamples(locale).passwordChanged, locale };
  const others = [
    { mail: changed, times: 3 },
    { mail: { ...accountMailSamples(locale).emailChanged, locale }, times: 1 },
    { mail: null, times: 4 },
  ];
  return { ...changed, ...noticesContent(others, changed) };
}

function webhookDisabled(): MailContent {
  const reason = 'The last attempt was answered with the HTTP status 503.';
  return disabledMailContent('whk_1', 'https://hooks.test/key', reason, `${ORIGIN}/settings/webhooks/whk_1`);
}

const pausedOf = (groupKind: 'team' | 'organization', groupName: string, url: string): NotifiedPaused => {
  const groupId = groupKind === 'team' ? newTeamId() : newId();
  return { url, groupKind, groupId, groupName };
};

function webhooksPaused(locale: string): Samples {
  const one = pausedOf('team', 'Team', 'https://hooks.test/key');
  const many = Array.from({ length: 30 }, (_, n) =>
    pausedOf('organization', `Team ${n}`, `https://hooks${n}.test/key`),
  );
  return [
    ['a webhook is paused', pausedMailContent([one], locale, ORIGIN)],
    ['many webhooks are paused', pausedMailContent([one, ...many], locale, ORIGIN)],
  ];
}

function calendarNews(locale: string): Samples {
  const told = {
    name: 'Ada',
    email: 'ada@acme.test',
    locale,
    provider: 'GOOGLE',
    account: 'ada@calendars.test',
    isFailing: true,
    destination: 'Team',
    calendar: 'Work',
    error: 'It holds too many events.',
    timeZone: 'Europe/Berlin',
    readAt: '2026-12-07T14:00:00Z',
  } as const;
  const event = { id: newId(), ownerId: newUserId(), occurredAt: '2026-12-07T15:00:00Z' };
  const account = { ...event, calendarAccountId: newId() };
  const calendar = { ...event, calendarId: newId() };
  const calendars = [{ name: 'Work', isDestination: true }];
  const all: readonly CalendarNews[] = [
    { type: 'CALENDAR_ACCOUNT_FAILING', isAway: true, ...account },
    { type: 'CALENDAR_ACCOUNT_FAILING', isAway: false, ...account },
    { type: 'CALENDAR_UNREADABLE', ...calendar },
    { type: 'CALENDAR_UNWRITTEN', ...calendar },
    { type: 'CALENDAR_SILENT', ...calendar },
    { type: 'CALENDARS_GONE', calendars, ...account },
  ];
  const feed = { type: 'ICS_FEED_SILENT', feedId: newId(), ...event } as const;
  const ofFeed = { ...told, provider: null, account: null, calendar: 'calendars.test … ic.ics' };
  return [
    ...all.map((news, index) => [news, told, index] as const),
    [feed, ofFeed, 'read'] as const,
    [feed, { ...ofFeed, readAt: null }, 'unread'] as const,
  ].map(([news, about, which]) => [
    `${news.type} ${which}`,
    calendarMailContent(news, about, `${ORIGIN}/settings/calendars`),
  ]);
}

function summaries(locale: string): Samples {
  const news = [{ kind: 'BOOKED' }, { kind: 'REQUESTED' }, { kind: 'CANCELLED', reason: null, by: null }] as const;
  return READERS.map((one) => {
    const reader = { ...one, locale };
    const guestsToInvite = one.role === 'ATTENDEE' ? { count: 2, link: `${LINK}/guests/abc` } : null;
    const [first, ...others] = news.map((told) => ({
      news: told,
      reader,
      meeting: meetingFor(reader, { links: [`${LINK}1`], guestsToInvite }),
    }));
    if (!first) throw new Error('There is no news.');
    return [`a summary for a ${one.role}`, summaryMailContent([first, ...others])];
  });
}

function aSeries(locale: string): MailContent {
  const [attendee] = READERS;
  const reader = { ...attendee, locale };
  const second = { start: '2026-12-14T15:00:00Z', end: '2026-12-14T15:30:00Z' };
  return bookingMailContent(
    { kind: 'BOOKED' },
    reader,
    meetingFor(reader, {
      times: [TIME, second],
      links: [`${LINK}1`, `${LINK}2`],
      place: ours('https://meet.example/a-room/0123456789012345678901234567890123456789012345678901234567890123456789'),
      guestsToInvite: { count: 2, link: `${LINK}/guests/abc` },
    }),
  );
}

/** A mail of a team with a text of its own. */
export function workflowMail(body: string, subject = 'Tomorrow: {event_name}') {
  const step = {
    id: 'step',
    action: 'EMAIL_ATTENDEE',
    subject,
    body,
    sendTo: null,
    senderName: 'Sales',
    includesCalendarEvent: false,
  } as const;
  const byName = { attendee_name: 'Grace Hopper', event_name: 'Intro', cancel_link: LINK };
  return mailTo(
    step,
    {
      by: 'EMAIL',
      to: 'grace@example.test',
      name: 'Grace Hopper',
      isKnown: true,
      isExpected: false,
      userId: null,
      network: null,
      look: { isUnbranded: true, color: '#ffee00' },
      valuesFor: () => ({ about: 'BOOKING', byName }) as never,
      calendarsFor: () => ({}),
    },
    'Sales',
    { publicUrl: ORIGIN, code: () => 'uid_…', mailFrom: 'us@gatehouse.example' },
  );
}
