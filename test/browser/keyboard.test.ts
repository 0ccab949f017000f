/**
 * People do first and most by the keyboard alone and without JavaScript: the Tab key reaches each control, and its
 * focus is seen.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../support/app.ts';
import { hostOf } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { hasChromium, visit } from './chromium.ts';
import { type Step, walk } from './keyboard.ts';
import { signIn } from './pages.ts';

const ADA = 'ada@acme.test';
const DAN = 'dan@solo.test';

/** A calendar without events, at an address. */
let calendar: Server;
const feedUrl = () => `http://127.0.0.1:${(calendar.address() as AddressInfo).port}/secret.ics`;

/** A journey: its user and its first page, its steps, and what the last page says. */
interface Journey {
  readonly who?: string;
  readonly path: string | (() => string);
  readonly steps: readonly Step[];
  readonly says: RegExp;
  /** Whether it needs scripts, as copying does. */
  readonly hasScripts?: boolean;
}

/** The `uid`s of bookings with Dan; a new one for each journey. */
const bookings: Record<'confirmed' | 'declined' | 'moved' | 'cancelled' | 'given up' | 'series', string> = {
  confirmed: '',
  declined: '',
  moved: '',
  cancelled: '',
  'given up': '',
  series: '',
};
const hosted = (name: keyof typeof bookings) => () => `/bookings/${idOfUid(bookings[name])}/host`;
const own = (name: keyof typeof bookings, rest = '') => `/bookings/${bookings[name]}${rest}`;

const JOURNEYS: Readonly<Record<string, Journey>> = {
  'signs up': {
    path: '/auth/signup',
    steps: [
      ['field', 'Name', { type: 'Grace' }],
      ['field', 'Username', { type: 'grace' }],
      ['field', 'E-mail address', { type: 'grace@acme.test' }],
      ['field', 'Password', { type: DEMO_PASSWORD }],
      ['button', 'Create account', 'go'],
      ['link', 'View your booking page', 'go'],
    ],
    says: /Grace.*Meeting/s,
  },
  'confirms a booking': {
    who: DAN,
    path: '/bookings?show=waiting',
    steps: [
      ['link', 'confirmed', 'go'],
      ['button', 'Confirm booking', 'go'],
    ],
    says: /You confirmed/,
  },
  'declines with a reason': {
    who: DAN,
    path: hosted('declined'),
    steps: [
      ['summary', /^Decline/, 'Enter'],
      ['field', /^Reason/, { type: 'I am away.' }],
      ['button', 'Decline booking', 'go'],
    ],
    says: /You declined.*I am away/s,
  },
  'asks for another time': {
    who: DAN,
    path: hosted('moved'),
    steps: [
      ['summary', /^Ask/, 'Enter'],
      ['button', /^Ask/, 'go'],
    ],
    says: /You asked/,
  },
  'cancels as the host': {
    who: DAN,
    path: hosted('cancelled'),
    steps: [
      ['summary', /^Cancel/, 'Enter'],
      ['field', /^Reason/, { type: 'Ill.' }],
      ['button', 'Cancel booking', 'go'],
    ],
    says: /You cancelled/,
  },
  'marks who did not come': {
    who: ADA,
    path: '/bookings?show=past',
    steps: [
      ['link', 'Intro', 'go'],
      ['summary', /^Mark/, 'Enter'],
      ['checkbox', /Grace/, 'Space'],
      ['button', 'Save', 'go'],
    ],
    says: /No-shows saved/,
  },
  'changes the hours': {
    who: DAN,
    path: '/settings/hours',
    steps: [
      ['field', /^Monday.*from/, { type: '10:30' }],
      ['button', 'Save', 'go'],
    ],
    says: /Saved/,
  },
  'adds a schedule': {
    who: DAN,
    path: '/settings/schedules',
    steps: [
      ['field', 'Name', { type: 'Evenings' }],
      ['button', 'Add', 'go'],
    ],
    says: /Evenings/,
  },
  'adds an event type and changes it': {
    who: DAN,
    path: '/settings/event-types',
    steps: [
      ['field', 'Title', { type: 'Walk' }],
      ['button', 'Add', 'go'],
      ['field', 'Length in minutes', { type: '45' }],
      ['button', 'Save', 'go'],
    ],
    says: /Saved/,
  },
  'is away': {
    who: DAN,
    path: '/settings/absences',
    steps: [
      ['field', 'First day', { type: '12242030' }],
      ['field', 'Last day', { type: '12262030' }],
      ['button', 'Add', 'go'],
      ['button', /^Remove/, 'go'],
    ],
    says: /Removed/,
  },
  'makes a team, and invites somebody': {
    who: DAN,
    path: '/settings/teams',
    steps: [
      ['field', 'Name', { type: 'Crew' }],
      ['button', 'Create', 'go'],
      ['field', 'E-mail', { type: ADA }],
      ['button', 'Send invitation', 'go'],
    ],
    says: /ada@acme\.test/,
  },
  'accepts an invitation': {
    who: ADA,
    path: '/settings/teams',
    steps: [['button', /^Accept.*Crew/, 'go']],
    says: /Crew/,
  },
  'adds a webhook and tests it': {
    who: DAN,
    path: '/settings/webhooks',
    steps: [
      ['field', 'Address', { type: 'https://hooks.example.test/bookings' }],
      ['button', 'Add', 'go'],
      ['link', /hooks\.example\.test|copied/, 'go'],
      ['button', 'Send', 'go'],
    ],
    says: /The test is on its way/,
  },
  'adds a calendar by its address': {
    who: DAN,
    path: '/settings/calendars',
    steps: [
      ['field', 'Address', { type: feedUrl }],
      ['button', 'Add', 'go'],
    ],
    says: /127\.0\.0\.1/,
  },
  'registers a client, and makes and deletes a secret': {
    who: DAN,
    hasScripts: true,
    path: '/settings/developer/oauth/new',
    steps: [
      ['field', 'Name', { type: 'Keys' }],
      ['field', 'Redirect URIs', { type: 'https://keys.example.test/cb' }],
      ['field', 'Purpose', { type: 'Tests.' }],
      ['field', / PROFILE_READ$/, 'Space'],
      ['button', 'Register client', 'go'],
      ['button', 'Copy the secret', 'Enter'],
      ['link', 'I have copied it', 'go'],
      ['summary', /^Secrets/, 'Enter'],
      ['link', /^Create a secret/, 'go'],
      ['field', 'Secret name', { type: 'next' }],
      ['button', 'Create the secret', 'go'],
      ['link', 'I have copied it', 'go'],
      ['summary', /^Secrets/, 'Enter'],
      ['link', /^Delete the secret next/, 'go'],
      ['button', /^Delete/, 'go'],
    ],
    says: /Secret deleted/,
  },
  'moves a booking to another time': {
    path: () => own('given up'),
    steps: [
      ['link', 'Choose another time', 'go'],
      ['link', /^Next month/, 'go'],
      ['link', /day, /, 'go'],
      ['link', /^\d+:\d\d/, 'go'],
      ['button', 'Reschedule booking', 'go'],
      ['link', /^Cancel/, 'go'],
      ['field', /^Why/, { type: 'It is settled.' }],
      ['button', /^Cancel/, 'go'],
    ],
    says: /cancelled/,
  },
  'cancels a series': {
    path: () => own('series', '/cancel'),
    steps: [
      ['field', /^Only this one/, 'ArrowDown'],
      ['button', /^Cancel/, 'go'],
    ],
    says: /cancelled/,
  },
};

describe.runIf(hasChromium)('with the keyboard alone, somebody', () => {
  let app: TestApp;
  beforeAll(async () => {
    calendar = createServer((_, response) => response.end('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'));
    await once(calendar.listen(0, '127.0.0.1'), 'listening');
    app = await startTestApp({ ALLOW_PRIVATE_NETWORK: 'on' });
    const dan = await hostOf(app, DAN, 'dan');
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 3 };
    for (const [index, name] of Object.keys(bookings).entries()) {
      const waits = ['confirmed', 'declined'].includes(name);
      const { eventTypeId, starts } = await dan.offer({
        title: name,
        ...(waits && { confirmation: { type: 'ALWAYS' } }),
        ...(name === 'series' && { recurrence }),
      });
      const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
      const { booking } = await dan.browser.mutate<{ booking: { uid: string } }>(
        'bookingCreate',
        { eventTypeId, start: starts[index], attendee },
        'booking { uid }',
      );
      bookings[name as keyof typeof bookings] = booking.uid;
    }
  });
  afterAll(async () => {
    await app.close();
    calendar.close();
  });

  test.each(Object.entries(JOURNEYS))('%s', async (_, { who, path, steps, says, hasScripts = false }) => {
    await using visitor = await visit({ javaScriptEnabled: hasScripts });
    const { page, complaints } = visitor;
    if (who) await signIn(page, app.url, who);
    await page.goto(app.url + (typeof path === 'string' ? path : path()));
    await walk(page, steps);
    expect(await page.getByRole('main').textContent()).toMatch(says);
    expect(complaints).toEqual([]);
  });
});
