/** Accounts and calendars elsewhere, as a user connects and chooses them on a page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { uuidOf } from '../../support/ids.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../support/radicale.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import { hasXandikos, Xandikos } from '../../support/xandikos.ts';

const PATH = '/settings/calendars';
const ACCOUNT = 'dan@icloud.test';

interface Chosen {
  readonly id: string;
  readonly name: string;
  readonly isSelected: boolean;
  readonly isDestination: boolean;
}

let app: TestApp;
let radicale: Radicale;
let dan: TestBrowser;

async function chosen(): Promise<Readonly<Record<string, Chosen>>> {
  const { me } = await dan.ask<{ me: { calendarAccounts: { nodes: { calendars: Chosen[] }[] } } }>(
    '{ me { calendarAccounts { nodes { calendars { id name isSelected isDestination } } } } }',
  );
  return Object.fromEntries(
    me.calendarAccounts.nodes.flatMap(({ calendars }) => calendars).map((one) => [one.name, one]),
  );
}

const unreadable = async () => ({ credentials: 'unreadable', accessId: null });

async function connect(browser: TestBrowser): Promise<ShownPage> {
  return shownPage(await browser.submit(await see(browser, PATH), { username: ACCOUNT, appPassword: PASSWORD }));
}

describe.runIf(hasRadicale)('/settings/calendars (needs Debian’s radicale)', () => {
  beforeAll(async () => {
    radicale = await Radicale.start([ACCOUNT]);
    for (const name of ['Family', 'Work']) await radicale.makeCalendar(ACCOUNT, name);
    app = await startTestApp({ APPLE_CALDAV_URL: radicale.url, ALLOW_PRIVATE_NETWORK: 'on' });
    dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
  });
  afterAll(async () => {
    await app?.close();
    await radicale?.close();
  });

  test('asks those who are not signed in to sign in first', async () => {
    expect((await see(new TestBrowser(app.url), PATH)).address).toContain('/auth/login');
  });

  test('refuses a wrong password, keeps the account that was typed, and shows no password', async () => {
    const sent = { username: ACCOUNT, appPassword: 'a wrong password' };
    const page = shownPage(await dan.submit(await see(dan, PATH), sent));
    expect(page.status).toBe(422);
    expect(mistakesOf(page)).toHaveProperty('appPassword');
    expect(page.html).toContain(ACCOUNT);
    expect(page.html).not.toContain('a wrong password');
    expect(await chosen()).toEqual({});
  });

  test('connects an account, shows its calendars, and saves which make busy and which takes the bookings', async () => {
    const page = await connect(dan);
    expect(page.text).toContain('Account connected.');
    expect(page.text).toContain('Connected.');
    const { Family, Work } = await chosen();
    const form = { [`busy-${Work?.id}`]: 'on', destination: `${Work?.id}` };
    expect(shownPage(await dan.submit(page, form)).text).toContain('Your choice was saved.');
    const after = await chosen();
    expect(after['Work']).toMatchObject({ isSelected: true, isDestination: true });
    // It was ticked before, and the test's browser sends that on.
    expect(after['Family']).toMatchObject({ isSelected: Family?.isSelected, isDestination: false });
  });

  test('says which calendar cannot be read or written', async () => {
    const { Work } = await chosen();
    const change = (values: ReturnType<typeof sql>) =>
      changed(
        app.database.em.fork(),
        sql`update connected_calendars set ${values} where id = ${uuidOf(Work?.id ?? '')}`,
      );
    await change(sql`error = 'It has too many events.', write_failed_at = now()`);
    const { text } = await see(dan, PATH);
    expect(text).toContain('We can’t read it: It has too many events.');
    expect(text).toContain('We couldn’t add bookings to it');
    await change(sql`error = null, write_failed_at = null`);
    expect((await see(dan, PATH)).text).not.toMatch(/cannot be read|could not be written/);
  });

  test('says when each calendar that makes busy was read last, and reads them now if its user wants that', async () => {
    const { Work } = await chosen();
    const id = uuidOf(Work?.id ?? '');
    await changed(
      app.database.em.fork(),
      sql`update connected_calendars set read_at = '2026-11-01T08:30Z', asked_at = null, answered_at = null where id = ${id}`,
    );
    const calendar = `${radicale.url}${ACCOUNT}/work/`;
    await radicale.putEvent(ACCOUNT, calendar, 'x', ['DTSTART:20261207T090000Z', 'DURATION:PT1H']);
    const before = await see(dan, PATH);
    expect(before.text).toContain('Last read: Nov 1, 2026, 19:30');
    const after = shownPage(await dan.submit(before, {}, `${PATH}/read-now`));
    expect(after.text).toContain('We’ve asked your calendars.');
    expect(after.text).toContain('Last read: ');
    expect(after.text).not.toContain('Nov 1, 2026, 19:30');
  });

  test('has no calendar make busy whose box was emptied, and writes bookings nowhere if that is chosen', async () => {
    const { Family, Work } = await chosen();
    const names = [Family, Work].map((calendar) => `shown-${calendar?.id}`);
    const page = await see(dan, PATH);
    const csrf =
      /action="\/settings\/calendars\/choose">\s*<input type="hidden" name="csrf" value="([^"]+)"/.exec(
        page.html,
      )?.[1] ?? '';
    const body = new URLSearchParams({
      csrf,
      destination: '',
      ...Object.fromEntries(names.map((name) => [name, 'yes'])),
    });
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: app.url,
    };
    const answer = await dan.request(`${PATH}/choose`, headers, body.toString());
    expect(answer.status).toBe(303);
    expect(Object.values(await chosen()).map(({ isSelected, isDestination }) => [isSelected, isDestination])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test('changes nothing for a calendar of somebody else, which it does not tell from one that is not there', async () => {
    const before = await chosen();
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const page = await connect(ada);
    const foreign = await ada.submit(page, { destination: `${before['Work']?.id}` });
    const unknown = await ada.submit(page, { destination: 'cal_nothing' });
    expect([foreign, unknown].map((stop) => shownPage(stop).status)).toEqual([404, 404]);
    expect(mistakesOf(shownPage(foreign))).toEqual(mistakesOf(shownPage(unknown)));
    expect(await chosen()).toEqual(before);
  });

  test('disconnects an account after asking once more', async () => {
    const page = await see(dan, PATH);
    const link = linksOf(page).find((href) => href.includes('/disconnect')) ?? '';
    const question = await see(dan, link);
    expect(question.text).toContain(ACCOUNT);
    const account = new URLSearchParams(link.split('?')[1]).get('account') ?? '';
    expect(shownPage(await dan.submit(question, { account })).text).toContain('Account disconnected');
    expect(await chosen()).toEqual({});
    expect((await see(dan, link)).address).toBe(PATH);
  });

  test('saves a hundred calendars at once, also while the destination is set elsewhere', async () => {
    const eve = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const { me } = await eve.ask<{ me: { id: string } }>('{ me { id } }');
    const listed = Array.from({ length: 100 }, (_, index) => ({
      externalId: `https://calendars.example/${index}/`,
      name: `Calendar ${index}`,
      isPrimary: index === 0,
      isReadOnly: false,
    }));
    const account = { userId: uuidOf(me.id), provider: 'APPLE', account: 'eve@icloud.test', listed } as const;
    await connectCalendars(app.database.em.fork(), { ...account, opened: unreadable });
    const page = await see(eve, PATH);
    const ids = [...page.html.matchAll(/name="shown-([^"]+)"/g)].map(([, id = '']) => id);
    expect(ids).toHaveLength(100);
    const all = Object.fromEntries(ids.map((id) => [`busy-${id}`, 'on']));
    const saved = async (destination: string) => shownPage(await eve.submit(page, { ...all, destination })).text;
    const set = async (calendarId: string) =>
      eve.mutate<{ calendarId: string }>('destinationCalendarSet', { calendarId }, 'calendarId');
    const [first = '', second = '', third = ''] = ids;
    for (let n = 0; n < 5; n += 1) {
      const [text, ...others] = await Promise.all([saved(n % 2 === 0 ? first : second), set(third), set(second)]);
      expect(text).toContain('Your choice was saved.');
      expect(others.map(({ calendarId }) => calendarId)).toEqual([third, second]);
    }
  });

  test('adds an address beside one that is added at the same moment, and removes one alone', async () => {
    const server = createServer((request, response) => {
      const delay = request.url === '/slow.ics' ? 300 : 0;
      setTimeout(() => response.end('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n'), delay);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = await see(dan, PATH);
    const added = await Promise.all(['slow', 'quick'].map((name) => dan.submit(page, { url: `${base}/${name}.ics` })));
    expect(added.map((stop) => shownPage(stop).text.includes('Calendar added'))).toEqual([true, true]);
    const feeds = async () =>
      (
        await dan.ask<{ me: { icsFeeds: { nodes: { id: string; ending: string }[] } } }>(
          '{ me { icsFeeds { nodes { id ending } } } }',
        )
      ).me.icsFeeds.nodes;
    const [one, other] = await feeds();
    expect(await feeds()).toHaveLength(2);
    await dan.submit(await see(dan, PATH), { feed: one?.id ?? '' });
    expect(await feeds()).toEqual([other]);
    server.close();
  });

  test('adds as many addresses at the same moment as there is room for, and refuses one more', async () => {
    const text = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n';
    const server = createServer((_request, response) => response.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const em = app.database.em.fork();
    await rows(em, sql`delete from ics_feeds`);
    const page = await see(dan, PATH);
    const urls = Array.from({ length: 12 }, (_, n) => `${base}/${n}.ics`);
    const answers = await Promise.all(urls.map((url) => dan.submit(page, { url })));
    const added = answers.filter((stop) => shownPage(stop).text.includes('Calendar added'));
    const kept = await rows(em, sql`select id from ics_feeds`);
    expect([added.length, kept.length]).toEqual([10, 10]);
    const refused = await dan.submit(page, { url: `${base}/one-more.ics` });
    expect(shownPage(refused).text).toContain('There are already 10 feeds, which is the limit; delete one first.');
    await rows(em, sql`delete from ics_feeds`);
    server.close();
  });

  test('names the events of an address that cannot be read in whole, which no row holds in plain', async () => {
    const events = ['Team <b>lunch</b>', 'Yoga'].map(
      (title, n) =>
        `BEGIN:VEVENT\r\nUID:${n}\r\nDTSTART:20270105T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=${['OFTEN', 'DAILY'][n]};COUNT=2\r\nSUMMARY:${title}\r\nEND:VEVENT`,
    );
    const text = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n');
    const server = createServer((_request, response) => response.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/damaged.ics`;
    const page = shownPage(await dan.submit(await see(dan, PATH), { url }));
    expect(page.text).toContain('We couldn’t fully read 1 event');
    expect(page.text).toContain('Team <b>lunch</b> (Jan 5, 2027): we can’t read how it repeats');
    expect(page.text).not.toContain('Yoga');
    const stored = await rows(
      app.database.em.fork(),
      sql<{ row: string }>`select row_to_json(f)::text as row from ics_feeds f where sealed_unreadable is not null`,
    );
    expect([stored.length, stored[0]?.row.includes('lunch')]).toEqual([1, false]);
    server.close();
  });

  test('says why an address is not added, at its field', async () => {
    const page = shownPage(await dan.submit(await see(dan, PATH), { url: 'ftp://calendar.example/a.ics' }));
    expect(page.status).toBe(422);
    expect(page.html).toContain('id="url-mistake"');
    expect(page.html).not.toContain('value="ftp:');
  });

  test('leads to a provider that is connected by OAuth', async () => {
    const stop = await dan.submit(await see(dan, PATH), { provider: 'GOOGLE' });
    const { pathname, search } = new URL(stop.kind === 'AWAY' ? stop.location : '', app.url);
    const { status, headers } = await dan.request(pathname + search);
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('https://accounts.google.com/')]);
  });
});

/** By the page alone, as a stranger would. */
describe.runIf(hasRadicale)('any CalDAV server on /settings/calendars (needs Debian’s radicale)', () => {
  const USER = 'grace';
  let server: Radicale;
  let service: TestApp;
  let grace: TestBrowser;
  beforeAll(async () => {
    server = await Radicale.start([USER]);
    await server.makeCalendar(USER, 'Research');
    service = await startTestApp({ ALLOW_PRIVATE_NETWORK: 'on' });
    grace = await TestBrowser.signedIn(service.url, 'dan@solo.test');
  });
  afterAll(async () => {
    await service?.close();
    await server?.close();
  });
  const connectTo = async (address: string, password = PASSWORD, username = USER) => {
    const sent = { server: address, caldavUsername: username, caldavPassword: password };
    return shownPage(await grace.submit(await see(grace, PATH), sent));
  };

  test('is refused with a wrong password; the rest of what was typed stays, and the form is open', async () => {
    const page = await connectTo(server.url, 'a wrong password');
    expect(page.status).toBe(422);
    expect(mistakesOf(page)).toHaveProperty('caldavPassword');
    expect(page.html).toContain(`value="${server.url}"`);
    expect(page.html).toContain(`value="${USER}"`);
    expect(page.html).not.toContain('a wrong password');
    expect(page.html).toMatch(/<details open>\s*<summary>Connect another calendar/);
  });

  test('is no server where none is, or where one speaks something else', async () => {
    expect(mistakesOf(await connectTo('http://127.0.0.1:1/'))).toHaveProperty('server');
    const page = await connectTo(service.url);
    expect(mistakesOf(page)).toHaveProperty('server');
    expect(page.text).toContain('There is no CalDAV server at this address');
  });

  test('connects, and shows the server and its calendars', async () => {
    const page = await connectTo(server.url);
    expect(page.text).toContain('Account connected.');
    expect(page.text).toContain(`CalDAV (${new URL(server.url).host}). Connected.`);
    expect(page.text).toContain('Events of Research make me busy');
  });

  test('offers to try a password again that the server has refused, and says how that went', async () => {
    const em = service.database.em.fork();
    const before = await see(grace, PATH);
    expect(before.text).not.toContain('Try again');
    await changed(em, sql`update calendar_connections set refused_at = now(), failing_since = now()`);
    const refused = await server.changePassword(USER);
    const shown = await see(grace, PATH);
    expect(shown.text).toContain('Its server refused your password, so we don’t send it anymore.');
    // Its button belongs to a form of its own, as that of the choice is around it.
    const [, form = ''] = /<button type="submit" form="([^"]+)"[^>]*>Try again</.exec(shown.html) ?? [];
    expect(shown.html).toMatch(new RegExp(`<form method="post" action="${PATH}/reconnect" id="${form}">`));
    const still = shownPage(await grace.submit(shown, {}, `${PATH}/reconnect`));
    expect([still.status, still.text]).toEqual([422, expect.stringContaining('still refuses your password')]);
    expect(still.text).toContain('Try again');
    await refused.back();
    await changed(em, sql`update calendar_connections set asked_at = null, answered_at = null`);
    const mended = shownPage(await grace.submit(still, {}, `${PATH}/reconnect`));
    expect(mended.text).toContain('Connected again.');
    expect(mended.text).toContain(`CalDAV (${new URL(server.url).host}). Connected.`);
    expect(mended.text).not.toContain('Try again');
    await rows(em, sql`delete from counters`);
  });

  test('asks whether another host may have the password, which has to be ticked first', async () => {
    const { port } = new URL(server.url);
    const door = createServer((_request, response) => {
      response.writeHead(301, { location: `http://127.0.0.1:${port}/` }).end();
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    try {
      const typed = `http://127.0.0.1:${(door.address() as AddressInfo).port}/`;
      const page = await connectTo(typed);
      expect(page.status).toBe(422);
      expect(page.text).toContain('Your calendars are on another server');
      expect(page.text).toContain(`Send my password to 127.0.0.1:${port}`);
      expect(page.html).toMatch(/name="acceptedHosts" value="127\.0\.0\.1:\d+"\s*>/);
      const unticked = shownPage(await grace.submit(page, { caldavPassword: PASSWORD }));
      expect(unticked.text).toContain('Your calendars are on another server');
      const accepted = { caldavPassword: PASSWORD, acceptedHosts: `127.0.0.1:${port}` };
      expect(shownPage(await grace.submit(page, accepted)).text).toContain('Account connected.');
    } finally {
      door.close();
    }
  });

  test('speaks German', async () => {
    await changed(service.database.em.fork(), sql`update users set locale = 'de' where email = 'dan@solo.test'`);
    expect((await see(grace, PATH)).text).toContain('Server oder E-Mail-Adresse');
    const refused = await connectTo(server.url, 'a wrong password');
    expect(refused.text).toContain('Mit diesem Benutzernamen und diesem Passwort lässt uns der Server nicht ein.');
    expect((await connectTo(service.url)).text).toContain('Unter dieser Adresse gibt es keinen CalDAV-Server.');
  });
});

describe.runIf(hasXandikos)(
  'Xandikos on /settings/calendars (skipped where Debian’s xandikos is not installed)',
  () => {
    test('is connected by its address, and bookings can be written to its calendar', async () => {
      const server = await Xandikos.start();
      const service = await startTestApp({ ALLOW_PRIVATE_NETWORK: 'on' });
      try {
        const browser = await TestBrowser.signedIn(service.url, 'dan@solo.test');
        const sent = { server: server.url, caldavUsername: 'ada', caldavPassword: PASSWORD };
        const page = shownPage(await browser.submit(await see(browser, PATH), sent));
        expect(page.text).toContain('Account connected.');
        expect(page.text).toContain('make me busy');
        expect(page.html).toMatch(/name="destination" value="cal_[^"]+"\s+checked/);
      } finally {
        await service.close();
        await server.close();
      }
    });
  },
);
