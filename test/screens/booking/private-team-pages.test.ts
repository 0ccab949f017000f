import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, see, timesOn } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const PLACE = '/book/organization/acme/sales';

let app: TestApp;
let ada: TestBrowser;
let teamId: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const { me } = await ada.ask<{ me: { teams: { nodes: { id: string; slug: string }[] } } }>(
    '{ me { teams { nodes { id slug } } } }',
  );
  teamId = me.teams.nodes.find(({ slug }) => slug === 'sales')?.id ?? '';
});
afterAll(() => app.close());

const setPrivate = (isPrivate: boolean) => ada.mutate('teamUpdate', { teamId, isPrivate }, 'teamId');

async function statusesFor(email?: string): Promise<number[]> {
  const browser = email === undefined ? new TestBrowser(app.url) : await TestBrowser.signedIn(app.url, email);
  const pages = [PLACE, `${PLACE}/demo`].map(async (path) => (await browser.open(path)).status);
  return Promise.all(pages);
}

describe('the pages of a private team', () => {
  test.each([
    [undefined, 404],
    ['dan@solo.test', 404],
    ['cyd@acme.test', 200],
    ['bob@acme.test', 200],
    ['ada@acme.test', 200],
  ])('are for its members and its organization’s administrators: to %s they are %i', async (email, status) => {
    await setPrivate(true);
    expect(await statusesFor(email)).toEqual([status, status]);
    await setPrivate(false);
    expect(await statusesFor(email)).toEqual([200, 200]);
  });

  test('are to others what never was', async () => {
    await setPrivate(true);
    const stranger = new TestBrowser(app.url);
    const shownAt = async (path: string) => {
      const { status, text } = shownPage(await stranger.open(path));
      return { status, text };
    };
    const closed = await shownAt(`${PLACE}/demo`);
    expect(closed.status).toBe(404);
    expect(closed).toEqual(await shownAt(`${PLACE}/never-was`));
    await setPrivate(false);
  });

  test('are open to a private link, whose booker then sees, moves and cancels the booking', async () => {
    const find = 'query($id: ID!) { team(id: $id) { eventTypes { nodes { id slug } } } }';
    const { team } = await ada.ask<{ team: { eventTypes: { nodes: { id: string; slug: string }[] } } }>(find, {
      id: teamId,
    });
    const eventTypeId = team.eventTypes.nodes.find(({ slug }) => slug === 'demo')?.id ?? '';
    await setPrivate(true);
    const { privateLink } = await ada.mutate<{ privateLink: { url: string } }>(
      'teamPrivateLinkCreate',
      { teamId, eventTypeId },
      'privateLink { url }',
    );
    const visitor = new TestBrowser(app.url);
    const { times } = await timesOn(visitor, new URL(privateLink.url).pathname);
    const form = await see(visitor, times[0] ?? '');
    const booked = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
    expect(booked.address).toMatch(/^\/bookings\/uid_/);
    expect((await see(visitor, `${booked.address}/reschedule`)).html).toContain('Choose a new time');
    const cancel = await see(visitor, `${booked.address}/cancel`);
    const cancelled = shownPage(await visitor.submit(cancel, {}));
    expect(cancelled.html).toContain('The booking was cancelled.');
    await setPrivate(false);
  });
});
