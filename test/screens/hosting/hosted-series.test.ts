/** A booking of a series before its hosts: the page leads to the others that they host. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, type Offered, see } from '../../support/booking-visitor.ts';
import { idOfUid } from '../../support/ids.ts';
import { TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let ada: Host;
beforeAll(async () => {
  app = await startTestApp();
  [dan, ada] = await Promise.all([hostOf(app, 'dan@solo.test', 'dan'), hostOf(app, 'ada@acme.test', 'ada')]);
});
afterAll(() => app.close());

const WEEKLY = { frequency: 'WEEKLY', interval: 1 };
const pathOf = (uid: string) => `/bookings/${idOfUid(uid)}/host`;
const idOf = async (browser: TestBrowser) => (await browser.ask<{ me: { id: string } }>('{ me { id } }')).me.id;

/** Books all of it, from a start on. @returns the uids, in order of the starts */
async function bookAll({ eventTypeId }: Pick<Offered, 'eventTypeId'>, start: string | undefined): Promise<string[]> {
  const input = { eventTypeId, start, attendee: { ...GRACE, timeZone: 'UTC' } };
  const made = await dan.browser.mutate<{ bookings: { uid: string }[] }>('bookingCreate', input, 'bookings { uid }');
  return made.bookings.map(({ uid }) => uid);
}

/** The other bookings on the page of one: their paths and states. */
async function othersOn(browser: TestBrowser, uid: string): Promise<string[]> {
  const { html } = await see(browser, pathOf(uid));
  const list = /<ul class="series">[^]*?<.ul>/.exec(html)?.[0] ?? '';
  return [...list.matchAll(/<li><a href="([^"]+)">.*?<mark[^>]*>([^<]+)</g)].map(
    ([, path, state]) => `${path} ${state}`,
  );
}

test('the page of a booking of a series leads to the others as each is now, wherever it has moved', async () => {
  const series = await dan.offer({ recurrence: { ...WEEKLY, occurrences: 5 } });
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = await bookAll(series, series.starts[0]);
  await dan.browser.mutate('bookingCancel', { uid: second, reason: 'Ill' }, 'booking { uid }');
  await dan.browser.mutate('bookingRescheduleRequest', { bookingId: idOfUid(third) }, 'booking { id }');
  const move = { uid: fourth, start: series.starts.at(-1), reason: 'Ill' };
  const { booking } = await dan.browser.mutate<{ booking: { uid: string } }>(
    'bookingReschedule',
    move,
    'booking { uid }',
  );
  const others = [`${pathOf(second)} Cancelled`, `${pathOf(third)} Asked to reschedule`, `${pathOf(fifth)} Confirmed`];
  const ofFirst = await othersOn(dan.browser, first);
  expect(ofFirst.toSorted()).toEqual([`${pathOf(booking.uid)} Confirmed`, ...others].toSorted());
  expect(await othersOn(dan.browser, second)).toContain(`${pathOf(first)} Confirmed`);
  for (const uid of [fourth, booking.uid]) {
    expect(await othersOn(dan.browser, uid)).toEqual([`${pathOf(first)} Confirmed`, ...others]);
  }
});

test('the page of a booking that stands alone names no series', async () => {
  const talk = await dan.offer();
  const [only = ''] = await bookAll(talk, talk.starts[1]);
  expect((await see(dan.browser, pathOf(only))).text).not.toContain('series');
});

test('a host of a team is led to what they host themselves, and told where others host the rest', async () => {
  const [bob, cyd] = [
    await TestBrowser.signedIn(app.url, 'bob@acme.test'),
    await TestBrowser.signedIn(app.url, 'cyd@acme.test'),
  ];
  const { teamId } = await ada.browser.mutate<{ teamId: string }>(
    'teamCreate',
    { slug: 'rota', name: 'Rota' },
    'teamId',
  );
  for (const member of [bob, cyd]) {
    const invited = { teamId, userId: await idOf(member), role: 'MEMBER' };
    const selection = 'membershipId';
    const { membershipId } = await ada.browser.mutate<{ membershipId: string }>(
      'teamMembershipCreate',
      invited,
      selection,
    );
    await member.mutate('teamMembershipUpdate', { teamId, membershipId, isAccepted: true }, selection);
  }
  const hosts = [
    { userId: await idOf(cyd), priority: 4 },
    { userId: await idOf(ada.browser), priority: 0 },
  ];
  const type = { teamId, slug: 'rota', title: 'Rota', durationInMinutes: 30, schedulingType: 'ROUND_ROBIN', hosts };
  const recurrence = { ...WEEKLY, occurrences: 3 };
  const rota = await ada.browser.mutate<{ eventTypeId: string }>(
    'teamEventTypeCreate',
    { ...type, recurrence },
    'eventTypeId',
  );
  // The end of a day of work of hers is one of both, in summer and in winter.
  const [first = '', second = '', third = ''] = await bookAll(rota, (await ada.offer()).starts.at(-1));
  await cyd.mutate('bookingReassign', { bookingId: idOfUid(second), toUserId: await idOf(ada.browser) }, 'bookingId');

  expect(await othersOn(cyd, first)).toEqual([`${pathOf(third)} Confirmed`]);
  expect(await othersOn(ada.browser, second)).toEqual([]);
  expect((await see(ada.browser, pathOf(second))).text).toContain('Its other bookings have other hosts.');
  // Nobody is a host by owning the team, or by being a member.
  for (const browser of [ada.browser, bob]) expect((await see(browser, pathOf(first))).status).toBe(404);
});
