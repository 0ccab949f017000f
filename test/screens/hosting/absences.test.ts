/** When a user cannot be booked, as a list and a form of whole days. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { mistakesOf, see } from '../../support/booking-visitor.ts';
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
    expect(page.text).toContain('Saturday, 13 March 2027 to Sunday, 14 March 2027');
    expect(page.text).toContain('Family');
    expect(await stored()).toMatchObject([
      { start: '2027-03-13T05:00:00Z', end: '2027-03-15T04:00:00Z', reason: 'Family' },
    ]);
  });

  test('shows the times of one that is not of whole days', async () => {
    const times = { start: '2027-05-03T14:00:00Z', end: '2027-05-03T16:30:00Z' };
    await dan.mutate('outOfOfficeCreate', { ...times, reason: 'Dentist' }, 'outOfOffice { id }');
    expect((await see(dan, PATH)).text).toMatch(/Monday, 3 May 2027, 10:00–12:30/);
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
    expect(after.text).toContain('The absence is removed.');
    expect((await stored()).map(({ id }) => id)).not.toContain(made?.id);
  });
});
