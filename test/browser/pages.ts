import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { answerPath } from '../support/answer-links.ts';
import type { TestApp } from '../support/app.ts';
import { hostOf } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { APP, authorizePath } from '../support/oauth-requests.ts';
import { FORM } from '../support/routing-forms.ts';

/** The addresses of pages, by their reader: a demo user, or nobody in particular. */
export type Pages = Readonly<Record<Reader, readonly string[]>>;
export type Reader = keyof typeof ALWAYS;

/** Those that are there with the demo data. */
const ALWAYS = {
  nobody: [
    '/',
    '/auth/login',
    '/auth/signup',
    '/auth/forgotten-password',
    '/book/ada',
    '/book/ada/intro',
    '/book/ada/intro?embed=1',
    '/book/organization/acme',
    '/book/organization/acme/sales',
    '/openapi',
    '/deprecations',
    '/dev',
    '/dev/mails',
    '/dev/oauth',
    '/demo/callback?error=access_denied',
  ],
  'ada@acme.test': [
    '/',
    '/welcome',
    '/bookings',
    '/bookings?show=past',
    '/settings/hours',
    '/settings/event-types',
    '/settings/absences',
    '/settings/schedules',
    '/settings/teams',
    '/settings/calendars',
    '/settings/conferencing',
    '/settings/webhooks',
    '/settings/account',
    '/settings/stopped',
    '/settings/apps',
    '/settings/developer/oauth',
    '/settings/developer/oauth/new',
    '/settings/developer/oauth/demo-narrow',
    '/settings/developer/oauth/demo-narrow/secrets',
    '/settings/developer/oauth/demo-narrow/delete',
    authorizePath(APP, { prompt: 'consent', scope: 'PROFILE_READ BOOKING_WRITE TEAM_BOOKING_READ' }),
    authorizePath(APP, { client_id: 'nobody' }),
    '/auth/logout',
    '/not-there',
  ],
  'admin@gatehouse.test': ['/admin/oauth', '/admin/oauth/demo-narrow', '/admin/oauth/demo-pending'],
} as const;

export const READERS = Object.keys(ALWAYS) as Reader[];

/** Without its database, which says where mails lead, those pages are left out. */
type Served = Pick<TestApp, 'url'> & Partial<Pick<TestApp, 'database'>>;

/**
 * The pages of a service with the demo data, and those of what is made for them: an event type, a booking, a form.
 * @param text stands wherever people write what others read
 */
export async function pagesOf({ url, database }: Served, text = 'Talk'): Promise<Pages> {
  const ada = await hostOf({ url }, 'ada@acme.test', 'ada');
  const question = { label: text, options: [text, 'Other'] };
  const { path, eventTypeId, starts } = await ada.offer({
    title: text,
    description: text,
    locations: [
      { type: 'ADDRESS', address: text },
      { type: 'LINK', url: 'https://meet.example/1', label: text },
    ],
    bookingFields: [
      { slug: 'area', type: 'TEXTAREA', label: text, placeholder: text },
      ...['SELECT', 'CHECKBOX', 'RADIO'].map((type) => ({ slug: type.toLowerCase(), type, ...question })),
    ],
  });
  const [start = '', later = ''] = starts;
  const { booking } = await ada.browser.mutate<{ booking: { uid: string } }>(
    'bookingCreate',
    {
      eventTypeId,
      start,
      attendee: { name: text, email: 'grace@example.test', timeZone: 'UTC' },
      location: { type: 'ADDRESS', address: text },
      notes: text,
      responses: { area: text, select: text, checkbox: [text], radio: text },
    },
    'booking { uid }',
  );
  const asking = await ada.offer({ title: text, confirmation: { type: 'ALWAYS' } });
  const { booking: request } = await ada.browser.mutate<{ booking: { uid: string } }>(
    'bookingCreate',
    {
      eventTypeId: asking.eventTypeId,
      start: asking.starts.at(-1),
      attendee: { name: text, email: 'grace@example.test', timeZone: 'UTC' },
      notes: text,
    },
    'booking { uid }',
  );
  // One that waits, and one that needs no answer.
  const answers = database ? [request, booking].map(({ uid }) => answerPath(database.em.fork(), uid)) : [];
  const { scheduleId } = await ada.browser.mutate<{ scheduleId: string }>(
    'scheduleCreate',
    { name: text },
    'scheduleId',
  );
  const { me } = await ada.browser.ask<{ me: Groups }>(
    '{ me { organizations { nodes { id } } teams { nodes { id memberships { nodes { id role } } } } } }',
  );
  const [team] = me.teams.nodes;
  const member = team?.memberships.nodes.find(({ role }) => role === 'MEMBER');
  const { routingFormId } = await ada.browser.mutate<{ routingFormId: string }>(
    'routingFormCreate',
    { teamId: team?.id, ...FORM, name: text, fields: FORM.fields.map((field) => ({ ...field, label: text })) },
    'routingFormId',
  );
  const { eventTypeId: ofTeam } = await ada.browser.mutate<{ eventTypeId: string }>(
    'teamEventTypeCreate',
    { teamId: team?.id, slug: 'of-team', title: text, durationInMinutes: 30, hosts: [] },
    'eventTypeId',
  );
  const groupPath = `/settings/teams/${team?.id}`;
  const memberPath = `${groupPath}/members/${member?.id}`;
  const made = {
    nobody: [
      `${path}?date=${later.slice(0, 10)}`,
      `${path}?start=${later}`,
      ...['', '/cancel', '/reschedule', `/reschedule?start=${later}`].map((rest) => `/bookings/${booking.uid}${rest}`),
      ...(await Promise.all(answers)),
      `/forms/${routingFormId}`,
    ],
    'ada@acme.test': [
      `/bookings/${idOfUid(booking.uid)}/host`,
      `/settings/event-types/${eventTypeId}`,
      `/settings/event-types/${eventTypeId}/delete`,
      ...['', '/hosts', '/links'].map((rest) => `/settings/event-types/${ofTeam}${rest}`),
      ...['', '/delete'].map((rest) => `/settings/schedules/${scheduleId}${rest}`),
      ...me.organizations.nodes.map(({ id }) => `/settings/teams/${id}`),
      ...['', '/delete', '/event-types', '/webhooks', '/conferencing'].map((rest) => `${groupPath}${rest}`),
      ...['', '/remove', '/owner'].map((rest) => `${memberPath}${rest}`),
    ],
    'admin@gatehouse.test': [],
  };
  return Object.fromEntries(READERS.map((who) => [who, [...ALWAYS[who], ...made[who]]])) as unknown as Pages;
}

interface Groups {
  readonly organizations: { readonly nodes: readonly { readonly id: string }[] };
  readonly teams: {
    readonly nodes: readonly {
      readonly id: string;
      readonly memberships: { readonly nodes: readonly { readonly id: string; readonly role: string }[] };
    }[];
  };
}

/** Signs a demo user in by the form, whatever its language. */
export async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/auth/login`);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(DEMO_PASSWORD);
  await page.locator('main [type=submit]').click();
  await page.waitForURL((address) => address.pathname !== '/auth/login');
}
