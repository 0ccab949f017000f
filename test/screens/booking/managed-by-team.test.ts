import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, linksOf, see, timesOn } from '../../support/booking-visitor.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const TEAM = 'the team Sales, Acme';
const REDIRECT = 'https://xn--mnchen-3ya.example/thanks?from=team';

let app: TestApp;
let ada: TestBrowser;
let cyd: TestBrowser;
let teamId: string;
let visitor: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
  const { me } = await ada.ask<{ me: { teams: { nodes: { id: string; slug: string }[] } } }>(
    '{ me { teams { nodes { id slug } } } }',
  );
  teamId = me.teams.nodes.find(({ slug }) => slug === 'sales')?.id ?? '';
  const { me: member } = await cyd.ask<{ me: { id: string } }>('{ me { id } }');
  const offer = (slug: string, fields: object) =>
    ada.mutate(
      'teamEventTypeCreate',
      {
        teamId,
        slug,
        title: 'Buy now',
        description: 'Only today',
        durationInMinutes: 30,
        schedulingType: 'MANAGED',
        hosts: [{ userId: member.id }],
        locations: [{ type: 'ADDRESS', address: 'Main Street 1' }],
        ...fields,
      },
      'eventTypeId',
    );
  await offer('managed', {});
  await offer('managed-away', { successRedirectUrl: REDIRECT });
  visitor = new TestBrowser(app.url);
});
afterAll(() => app.close());

const setPrivate = (isPrivate: boolean) => ada.mutate('teamUpdate', { teamId, isPrivate }, 'teamId');

/** The form of a time that is free. */
async function formOf(slug: string): Promise<ShownPage> {
  const { times } = await timesOn(visitor, `/book/cyd/${slug}`);
  return see(visitor, times[0] ?? '');
}

/** The text of a page, without the gaps that marked-up names leave before full stops and commas. */
const textOf = ({ text }: ShownPage): string => text.replaceAll(/ (?=[.,])/g, '');

describe('text that a team writes on a member’s page', () => {
  test('is said to be the team’s where it is offered, in the form, and once it is booked', async () => {
    const form = await formOf('managed');
    const booked = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
    expect(booked.address).toMatch(/^\/bookings\//);
    expect(textOf(await see(visitor, '/book/cyd'))).toContain(`Buy now 30 minutes By ${TEAM} Only today`);
    for (const page of [await see(visitor, '/book/cyd/managed'), form, booked]) {
      expect(textOf(page)).toContain(`The text, questions, locations and links on this page are by ${TEAM}.`);
    }
    const google = linksOf(booked).find((href) => href.includes('calendar.google.com')) ?? '';
    expect(new URL(google).searchParams.get('details')).toContain(`are by ${TEAM}.`);
    const file = linksOf(booked).find((href) => href.endsWith('.ics')) ?? '';
    const ics = await (await fetch(file)).text();
    expect(ics.replaceAll('\r\n ', '')).toContain(
      String.raw`Only today\n\nTitle\, text\, location and links are by the team Sales\, Acme.`,
    );
  });

  test('leads to the site that the team has chosen, which the form says in letters that look like no others', async () => {
    const form = await formOf('managed-away');
    expect(textOf(form)).toContain(`After you book, you’ll be taken to xn--mnchen-3ya.example, chosen by ${TEAM}.`);
    const left = await visitor.submit(form, { ...GRACE, step: 'book' });
    expect(left).toMatchObject({ kind: 'AWAY', location: REDIRECT });
  });

  test('is told to apps: of what is offered, and of what is booked', async () => {
    const managedBy = { name: 'Sales', organizationName: 'Acme' };
    const document = `{ publicEventTypes(username: "cyd", first: 100) { nodes { slug managedBy { name organizationName } } }
      publicEventType(by: { ofUser: { username: "cyd", slug: "managed" } }) { managedBy { name organizationName } } }`;
    const { publicEventTypes, publicEventType } = await visitor.ask<{
      publicEventTypes: { nodes: { slug: string; managedBy: object | null }[] };
      publicEventType: object;
    }>(document);
    expect(publicEventType).toEqual({ managedBy });
    const bySlug = new Map(publicEventTypes.nodes.map((one) => [one.slug, one.managedBy]));
    expect(bySlug.get('managed')).toEqual(managedBy);
    expect(bySlug.get('intro')).toBeNull();
    const booked = shownPage(await visitor.submit(await formOf('managed'), { ...GRACE, step: 'book' }));
    const uid = booked.address.split('/').at(-1);
    const look = `{ publicBooking(uid: "${uid}") { managedBy { name organizationName } } }`;
    expect(await visitor.ask(look)).toEqual({ publicBooking: { managedBy } });
    // The team is renamed: what was said to the booker stays.
    await ada.mutate('teamUpdate', { teamId, name: 'Somebody else' }, 'teamId');
    expect(await visitor.ask(look)).toEqual({ publicBooking: { managedBy } });
    await ada.mutate('teamUpdate', { teamId, name: 'Sales' }, 'teamId');
  });

  test('is said to be that of a private team without its name, or its members would be known by it', async () => {
    await setPrivate(true);
    const page = await see(visitor, '/book/cyd/managed');
    expect(textOf(page)).toContain('The text, questions, locations and links on this page are by a private team.');
    expect(page.text).not.toContain('Sales');
    const document =
      '{ publicEventType(by: { ofUser: { username: "cyd", slug: "managed" } }) { managedBy { name organizationName } } }';
    const managedBy = { name: null, organizationName: null };
    expect(await visitor.ask(document)).toEqual({ publicEventType: { managedBy } });
    await setPrivate(false);
  });

  test('and what a member writes is theirs', async () => {
    for (const path of ['/book/cyd/intro', '/book/ada']) {
      expect((await see(visitor, path)).text).not.toContain('are those of');
    }
  });
});
