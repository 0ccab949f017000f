/** A host's lists of bookings, narrowed to an event type: a form that is sent by GET, and an address to keep. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, type Offered, see } from '../../support/booking-visitor.ts';
import { idOfUid, unknownId } from '../../support/ids.ts';
import { TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let ada: Host;
let dan: Host;
let talk: Offered;
let demo: Offered;
let talks: string[];
let demos: string[];
beforeAll(async () => {
  app = await startTestApp();
  [ada, dan] = await Promise.all([hostOf(app, 'ada@acme.test', 'ada'), hostOf(app, 'dan@solo.test', 'dan')]);
  talk = await dan.offer({ title: 'Talk & more', confirmation: { type: 'ALWAYS' } });
  demo = await dan.offer({ title: 'Demo' });
  talks = [await book(talk, 0), await book(talk, 1, 'lin@example.test')];
  demos = [await book(demo, 2), await book(demo, 3)];
  await dan.browser.mutate('bookingCancel', { uid: demos[1], reason: 'Ill' }, 'booking { uid }');
});
afterAll(() => app.close());

async function book({ eventTypeId, starts }: Offered, index: number, email: string = GRACE.email): Promise<string> {
  const attendee = { ...GRACE, email, timeZone: 'UTC' };
  const input = { eventTypeId, start: starts[index], attendee };
  const browser = new TestBrowser(app.url);
  return (await browser.mutate<{ booking: { uid: string } }>('bookingCreate', input, 'booking { uid }')).booking.uid;
}

const pathOf = (uid = '') => `/bookings/${idOfUid(uid)}/host`;

async function listed(query: Record<string, string>): Promise<string[]> {
  const page = await see(dan.browser, `/bookings?${new URLSearchParams(query)}`);
  return linksOf(page).filter((link) => link.endsWith('/host'));
}

describe('a list that is narrowed to an event type', () => {
  test('has its bookings alone, in each of the lists and for one attendee', async () => {
    const eventType = talk.eventTypeId;
    expect(await listed({ eventType })).toEqual(talks.map(pathOf));
    expect(await listed({ eventType, show: 'waiting' })).toEqual(talks.map(pathOf));
    expect(await listed({ eventType, attendee: 'lin@example.test' })).toEqual([pathOf(talks[1])]);
    expect(await listed({ eventType: demo.eventTypeId })).toEqual([pathOf(demos[0])]);
    expect(await listed({ eventType: demo.eventTypeId, show: 'cancelled' })).toEqual([pathOf(demos[1])]);
    const { text } = await see(dan.browser, `/bookings?eventType=${eventType}&show=cancelled`);
    expect(text).toContain('No bookings of this event type here.');
  });

  test('says so in its form, and keeps to it from list to list', async () => {
    const { eventTypeId } = talk;
    const page = await see(dan.browser, `/bookings?attendee=lin%40example.test&eventType=${eventTypeId}`);
    expect(page.html).toContain(`<option value="${eventTypeId}" selected>Talk &amp; more</option>`);
    expect(page.html).toContain('<form method="get" action="/bookings" class="search" role="search">');
    const links = linksOf(page);
    expect(links).toContain(`/bookings?show=waiting&attendee=lin%40example.test&eventType=${eventTypeId}`);
    expect(links).toContain('/bookings');
  });

  test('is whole for what is no event type of the host’s', async () => {
    const all = await listed({});
    expect(all).toEqual(expect.arrayContaining([...talks.map(pathOf), pathOf(demos[0])]));
    const others = (await ada.offer()).eventTypeId;
    for (const eventType of ['', 'x', unknownId('eventType'), others, talk.eventTypeId.slice(0, -1)]) {
      expect([eventType, await listed({ eventType })]).toEqual([eventType, all]);
    }
  });

  test('can be of a team by which the host was booked, and names it', async () => {
    const { teamId } = await ada.browser.mutate<{ teamId: string }>(
      'teamCreate',
      { slug: 'duo', name: 'Duo' },
      'teamId',
    );
    const { me } = await ada.browser.ask<{ me: { id: string } }>('{ me { id } }');
    const input = { teamId, slug: 'round', title: 'Round', durationInMinutes: 15, hosts: [{ userId: me.id }] };
    const { eventTypeId } = await ada.browser.mutate<{ eventTypeId: string }>(
      'teamEventTypeCreate',
      { ...input, schedulingType: 'ROUND_ROBIN' },
      'eventTypeId',
    );
    const option = `<option value="${eventTypeId}" >Round (Duo)</option>`;
    expect((await see(ada.browser, '/bookings')).html).not.toContain(eventTypeId);
    const from = Temporal.Now.instant().add({ hours: 24 * 8 });
    const variables = { id: eventTypeId, from: from.toString(), to: from.add({ hours: 24 * 7 }).toString() };
    const document =
      'query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
    const { slots } = await ada.browser.ask<{ slots: { start: string }[] }>(document, variables);
    const uid = await book({ path: '', eventTypeId, starts: slots.map(({ start }) => start) }, 0);
    expect((await see(ada.browser, '/bookings')).html).toContain(option);
    const page = await see(ada.browser, `/bookings?eventType=${eventTypeId}`);
    expect(linksOf(page).filter((link) => link.endsWith('/host'))).toEqual([pathOf(uid)]);
  });
});
