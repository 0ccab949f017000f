/** When a user cannot be booked, as a list and a form of whole days. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/absences';
let app: TestApp;
let dan: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
  await dan.mutate('profileUpdate', { timeZone: 'America/New_York' }, 'me { id }');
});
afterAll(() => app.close());

interface Stored {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly reason: string;
}

async function stored(): Promise<readonly Stored[]> {
  const document = '{ me { outOfOffice(first: 100) { nodes { id start end reason } } } }';
  return (await dan.ask<{ me: { outOfOffice: { nodes: Stored[] } } }>(document)).me.outOfOffice.nodes;
}

async function added(values: { first: string; last: string; reason?: string }) {
  return shownPage(await dan.submit(await see(dan, PATH), values));
}

describe('/settings/absences', () => {
  test('takes whole days of the user’s zone, also when a clock changes in them, and shows them', async () => {
    const page = await added({ first: '2027-03-13', last: '2027-03-14', reason: 'Family' });
    expect(page.text).toContain('Added.');
    expect(page.text).toContain('Saturday, March 13, 2027 to Sunday, March 14, 2027');
    expect(page.text).toContain('Family');
    expect(await stored()).toMatchObject([
      { start: '2027-03-13T05:00:00Z', end: '2027-03-15T04:00:00Z', reason: 'Family' },
    ]);
  });

  test('takes the username of a colleague who can be booked instead, and shows their name', async () => {
    const cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    const days = { first: '2027-08-02', last: '2027-08-03' };
    const add = async (standIn: string) => shownPage(await cyd.submit(await see(cyd, PATH), { ...days, standIn }));
    expect((await add(' Bob ')).text).toContain('Bob Lindqvist can be booked instead.');
    const document = '{ me { outOfOffice { nodes { redirectTo { username } } } } }';
    const mine = async () =>
      (await cyd.ask<{ me: { outOfOffice: { nodes: unknown[] } } }>(document)).me.outOfOffice.nodes;
    expect(await mine()).toEqual([{ redirectTo: { username: 'bob' } }]);
    // Nobody, somebody elsewhere, and oneself are answered alike.
    for (const standIn of ['nobody', 'dan', 'cyd', '<b>']) {
      const refused = await add(standIn);
      expect([refused.status, mistakesOf(refused)]).toEqual([
        422,
        { standIn: 'No one in your teams and organizations has that username.' },
      ]);
      expect([fieldOf(refused, 'standIn'), fieldOf(refused, 'first')]).toEqual([
        standIn.replace('<b>', '&lt;b&gt;'),
        days.first,
      ]);
    }
    expect(await mine()).toHaveLength(1);
  });

  test('asks for nobody who is in no team', async () => {
    const admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
    expect((await see(admin, PATH)).html).not.toContain('name="standIn"');
    expect((await see(dan, PATH)).html).toContain('name="standIn"');
  });

  test('shows the times of one that is not of whole days', async () => {
    const times = { start: '2027-05-03T14:00:00Z', end: '2027-05-03T16:30:00Z' };
    await dan.mutate('outOfOfficeCreate', { ...times, reason: 'Dentist' }, 'outOfOffice { id }');
    expect((await see(dan, PATH)).text).toMatch(/Monday, May 3, 2027, 10:00\s–\s12:30/);
  });

  test.each([
    ['no day', { first: '', last: '' }, ['first', 'last']],
    ['a day that no month has', { first: '2027-02-30', last: '2027-03-01' }, ['first']],
    ['the last day before the first', { first: '2027-06-02', last: '2027-06-01' }, ['last']],
    ['more than two years', { first: '2027-01-01', last: '2029-06-01' }, ['last']],
    ['a year of another age', { first: '0001-01-01', last: '0001-01-02' }, ['first', 'last']],
    ['a reason that is too long', { first: '2027-06-01', last: '2027-06-01', reason: 'x'.repeat(101) }, ['reason']],
  ])('refuses %s, keeps what was typed and adds nothing', async (_what, values, fields) => {
    const before = await stored();
    const refused = await added(values);
    expect([refused.status, Object.keys(mistakesOf(refused)).toSorted()]).toEqual([422, fields]);
    expect(refused.html).toContain(`value="${values.first}"`);
    expect(await stored()).toEqual(before);
  });

  test('removes one, and not that of somebody else', async () => {
    const page = await added({ first: '2027-08-02', last: '2027-08-02' });
    const [made] = (await stored()).slice(-1);
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    await ada.submit(await see(ada, PATH), { first: '2027-08-02', last: '2027-08-02' });
    const foreign = shownPage(await ada.submit(await see(ada, PATH), { absence: made?.id ?? '' }));
    expect(foreign.status).toBe(404);
    expect((await stored()).map(({ id }) => id)).toContain(made?.id);
    const after = shownPage(await dan.submit(page, { absence: made?.id ?? '' }));
    expect(after.text).toContain('Removed.');
    expect((await stored()).map(({ id }) => id)).not.toContain(made?.id);
  });
});
