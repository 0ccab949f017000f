/** Strangers are told that a host is away, and who they can book instead. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, linksOf, see } from '../../support/booking-visitor.ts';
import { seeIn } from '../../support/spoken-pages.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/book/ada/intro';
const SECRETS = { reason: 'Surgery', notes: 'Left knee' };

let app: TestApp;
let ada: TestBrowser;
let visitor: TestBrowser;
let bobId: string;
/** The Monday of a week that lies within a month, some months ahead. */
let monday: Temporal.PlainDate;
let month: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  visitor = new TestBrowser(app.url);
  const bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  bobId = (await bob.ask<{ me: { id: string } }>('{ me { id } }')).me.id;
  const eighth = Temporal.Now.plainDateISO('Europe/Berlin').add({ months: 3 }).with({ day: 8 });
  monday = eighth.subtract({ days: eighth.dayOfWeek - 1 });
  month = monday.toPlainYearMonth().toString();
});
beforeEach(() => run(sql`delete from out_of_office`));
afterAll(() => app.close());

function run(statement: ReturnType<typeof sql>): Promise<number> {
  return changed(app.database.em.fork(), statement);
}

function startOf(day: number): string {
  return monday.add({ days: day }).toZonedDateTime('Europe/Berlin').toInstant().toString();
}

/** Ada is away on whole days of Berlin, the first and the last as days from the Monday. */
async function away(first: number, last: number, redirectToUserId: string | null = bobId): Promise<void> {
  const input = { start: startOf(first), end: startOf(last + 1), ...SECRETS, redirectToUserId };
  await ada.mutate('outOfOfficeCreate', input, 'outOfOfficeId');
}

/** Her hours, from Monday to Friday. */
async function open(start: string, end: string): Promise<void> {
  const hours = JSON.stringify([{ days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'], start, end }]);
  await run(
    sql`update schedules set availability = ${hours} where user_id = (select id from users where username = 'ada')`,
  );
}

const dateOf = (day: number): string => monday.add({ days: day }).toString();
const calendar = (query = ''): Promise<ShownPage> => see(visitor, `${PATH}?month=${month}${query}`);

const onDay = (day: number, query = ''): Promise<ShownPage> => see(visitor, `${PATH}?date=${dateOf(day)}${query}`);

/** The days of the month that are marked. */
function markedOn({ html }: { readonly html: string }): number[] {
  return [...html.matchAll(/<span class="day away">(\d+)</g)].map(([, day]) => Number(day) - monday.day);
}

function linkToBob({ html }: ShownPage): string | undefined {
  return /<a href="\/book\/bob"[^>]*>/.exec(html)?.[0];
}

const HAS_BOB = /Ada Okafor is out of office: [^.]+\. You can book Bob Lindqvist instead\./;

describe('the calendar of an event type of a user who is away', () => {
  test('marks the days, says until when, and leads to the colleague', async () => {
    expect(markedOn(await calendar())).toEqual([]);
    await away(0, 3);
    const page = await calendar();
    expect(markedOn(page)).toEqual([0, 1, 2, 3]);
    expect(page.html).toContain(
      `<span class="day away">${monday.day}<span class="unseen"> (out of office)</span></span>`,
    );
    expect(page.text).toMatch(HAS_BOB);
    expect(page.text).toMatch(new RegExp(`is out of office: ${monday.day}\\s–\\s${monday.day + 3} \\p{L}+ ?\\.`, 'u'));
    expect(linksOf(page)).toContain('/book/bob');
    expect(linksOf(page)).toContain(`${PATH}?date=${dateOf(4)}#times`);
    expect((await see(visitor, '/book/bob')).text).toContain('Bob Lindqvist');
  });

  test('says on such a day that the host is away, and on another one that nothing is free', async () => {
    await away(0, 3);
    expect((await onDay(2)).text).toContain(
      'Ada Okafor is out of office on this day. You can book Bob Lindqvist instead.',
    );
    expect((await onDay(5)).text).toContain('No free times on this day. Choose another day.');
  });

  test('tells nobody why, nor by which ids', async () => {
    await away(0, 3);
    for (const page of [await calendar(), await onDay(2)]) {
      expect(page.text).toMatch(HAS_BOB);
      for (const secret of [...Object.values(SECRETS), 'usr_', 'ooo_']) expect(page.html).not.toContain(secret);
    }
  });

  test('speaks German, and in a frame leads out of it', async () => {
    await away(0, 3);
    const german = await seeIn(visitor, 'de', `${PATH}?month=${month}`);
    expect(german.text).toMatch(/Ada Okafor ist abwesend: [^:]+\. Stattdessen können Sie bei Bob Lindqvist buchen\./);
    expect(german.html).toContain('<span class="unseen"> (abwesend)</span>');
    expect(linkToBob(await calendar())).toBe('<a href="/book/bob">');
    expect(linkToBob(await calendar('&embed=1'))).toBe(
      '<a href="/book/bob" target="_blank" rel="noopener noreferrer">',
    );
  });

  test('marks the days in the reader’s time zone: in Auckland, the end of Thursday in Berlin is on Friday', async () => {
    await away(0, 3);
    await open('11:00', '15:00');
    // From 21:00, 22:00 or 23:00 to four hours later, as the clocks stand there.
    expect(markedOn(await calendar('&timeZone=Pacific/Auckland'))).toEqual([0, 1, 2, 3]);
    const page = await onDay(4, '&timeZone=Pacific/Auckland');
    const [hours] = /\d{2}:\d{2}/.exec(page.text.slice(page.text.indexOf('Bob Lindqvist instead'))) ?? [];
    expect(Number(hours?.slice(0, 2))).toBeGreaterThanOrEqual(21);
    await open('09:00', '17:00');
  });

  test('tells of the months that it passes over, since nothing is free in them', async () => {
    await run(sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, redirect_to_id, created_at, updated_at)
      select a.id, gen_random_uuid(), now() - interval '1 day', now() + interval '40 days', '', b.id, now(), now()
      from users a, users b where a.username = 'ada' and b.username = 'bob'`);
    const page = await see(visitor, PATH);
    expect(page.text).toMatch(HAS_BOB);
    expect(linksOf(page).some((link) => link.includes('date='))).toBe(true);
  });

  test('is not that of a team’s event type, whose host is away', async () => {
    await away(0, 30);
    for (const slug of ['demo', 'panel']) {
      const page = await see(visitor, `/book/organization/acme/sales/${slug}?month=${month}`);
      expect([page.status, markedOn(page)]).toEqual([200, []]);
      expect(page.text).not.toMatch(/away|Okafor|Lindqvist/);
    }
  });
});

const BOB = sql`(select id from users where username = 'bob')`;

describe('nobody is offered instead', () => {
  test('where the host has named nobody', async () => {
    await away(0, 3, null);
    const page = await calendar();
    expect(markedOn(page)).toEqual([0, 1, 2, 3]);
    expect(page.text).not.toContain('instead');
  });

  test.each([
    [
      'who is no colleague any more',
      sql`with t as (update team_memberships set accepted = false where user_id = ${BOB})
          update organization_memberships set accepted = false where user_id = ${BOB}`,
      sql`with t as (update team_memberships set accepted = true where user_id = ${BOB})
          update organization_memberships set accepted = true where user_id = ${BOB}`,
    ],
    [
      'who is suspended',
      sql`update users set suspended_at = now() where username = 'bob'`,
      sql`update users set suspended_at = null where username = 'bob'`,
    ],
    [
      'all of whose event types are hidden',
      sql`update event_types set is_hidden = true where owner_id = ${BOB} and slug <> 'hidden-review'`,
      sql`update event_types set is_hidden = false where owner_id = ${BOB} and slug <> 'hidden-review'`,
    ],
    [
      'whose name begins the addresses of teams',
      sql`update users set username = 'team' where username = 'bob'`,
      sql`update users set username = 'bob' where username = 'team'`,
    ],
  ])('%s; the host is away all the same', async (_who, change, back) => {
    await away(0, 3);
    expect(await run(change)).toBeGreaterThan(0);
    const page = await calendar();
    expect(markedOn(page)).toEqual([0, 1, 2, 3]);
    expect(page.text).toMatch(/Ada Okafor is out of office: [^.]+\./);
    expect(page.html).not.toMatch(/instead|Lindqvist|\/book\/(?:bob|team)/);
    await run(back);
    expect((await calendar()).text).toMatch(HAS_BOB);
  });

  test('to a booker who moves a booking: it stays with its host, and is made and mailed as ever', async () => {
    await away(0, 3);
    const day = await onDay(4);
    const form = await see(visitor, linksOf(day).find((link) => link.includes('start=')) ?? '');
    expect(form.text).not.toMatch(/away|instead/);
    const booked = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
    expect(booked.text).toContain('Confirmed');
    expect(booked.text).not.toMatch(/away|Lindqvist/);
    const moving = await see(visitor, `${booked.address}/reschedule?month=${month}`);
    expect(markedOn(moving)).toEqual([0, 1, 2, 3]);
    expect(moving.text).not.toContain('instead');
  });
});
