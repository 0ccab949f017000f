/** The schedules of a user beside the default one, as pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf, textOf } from '../../support/html-form.ts';
import { unknownId } from '../../support/ids.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/schedules';
let app: TestApp;
let dan: TestBrowser;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly timeZone: string;
  readonly availability: readonly { days: string[]; start: string; end: string }[];
  readonly overrides: readonly { date: string; start: string | null; end: string | null }[];
}

async function stored(): Promise<readonly Stored[]> {
  const fields = 'id name isDefault timeZone availability { days start end } overrides { date start end }';
  const { me } = await dan.ask<{ me: { schedules: { nodes: Stored[] } } }>(
    `{ me { schedules { nodes { ${fields} } } } }`,
  );
  return me.schedules.nodes;
}

async function storedAs(name: string): Promise<Stored> {
  const found = (await stored()).find((one) => one.name === name);
  if (!found) throw new Error(`There is no schedule ${name}.`);
  return found;
}

/** A new one, by the form. @returns the path of its page */
async function added(name: string): Promise<string> {
  const { address } = shownPage(await dan.submit(await see(dan, PATH), { name }));
  return address.replace(/\?.*/, '');
}

describe('the list', () => {
  test('is for signed-in users', async () => {
    expect((await see(new TestBrowser(app.url), PATH)).address).toContain('/auth/login');
  });

  test('has one more by a form that comes twice, which then leads to its page', async () => {
    const form = formsOf((await see(dan, PATH)).html).find(({ controls }) => controls.includes('name'));
    const body = new URLSearchParams({ ...form?.fields, name: 'Evenings' }).toString();
    const [one, other] = [await dan.request(PATH, OWN_FORM, body), await dan.request(PATH, OWN_FORM, body)];
    expect(one.headers.get('location')).toBe(other.headers.get('location'));
    expect((await stored()).filter(({ name }) => name === 'Evenings')).toHaveLength(1);
    expect((await see(dan, one.headers.get('location') ?? '')).text).toContain('Schedule added.');
    expect(linksOf(await see(dan, '/settings/hours'))).toContain(PATH);
  });

  test('refuses one without a name, at its field', async () => {
    const page = shownPage(await dan.submit(await see(dan, PATH), { name: ' ' }));
    expect([page.status, Object.keys(mistakesOf(page))]).toEqual([422, ['name']]);
    const long = 'x'.repeat(101);
    expect(fieldOf(shownPage(await dan.submit(await see(dan, PATH), { name: long })), 'name')).toBe(long);
  });
});

describe('the page of one', () => {
  test('takes its name, zone, week and dates, and changes no other', async () => {
    const before = (await stored()).filter(({ isDefault }) => isDefault);
    const path = await added('Weekends');
    const values = {
      name: 'Saturdays',
      timeZone: 'Asia/Tokyo',
      'MONDAY-0-start': '',
      'MONDAY-0-end': '',
      'SATURDAY-0-start': '10:00',
      'SATURDAY-0-end': '12:00',
      'date-0-day': '2027-12-24',
    };
    expect(shownPage(await dan.submit(await see(dan, path), values)).text).toContain('Saved.');
    const { timeZone, availability, overrides } = await storedAs('Saturdays');
    expect([timeZone, overrides]).toEqual(['Asia/Tokyo', [{ date: '2027-12-24', start: null, end: null }]]);
    expect(availability).toContainEqual({ days: ['SATURDAY'], start: '10:00', end: '12:00' });
    expect(availability.flatMap(({ days }) => days)).not.toContain('MONDAY');
    expect((await stored()).filter(({ isDefault }) => isDefault)).toEqual(before);
  });

  test('comes back as it was typed, with what is wrong at its fields', async () => {
    const path = await added('Wrong');
    const values = { name: '', 'TUESDAY-0-start': '17:00', 'TUESDAY-0-end': '9:00' };
    const page = shownPage(await dan.submit(await see(dan, path), values));
    expect([page.status, Object.keys(mistakesOf(page)).toSorted()]).toEqual([422, ['TUESDAY-0-end', 'name']]);
    expect([fieldOf(page, 'name'), fieldOf(page, 'TUESDAY-0-start')]).toEqual(['', '17:00']);
  });

  test('makes it the default, also when the form comes twice', async () => {
    const path = await added('Main');
    const page = await see(dan, path);
    const form = formsOf(page.html).find(({ action }) => action.endsWith('/default'));
    const body = new URLSearchParams(form?.fields).toString();
    for (const _ of [1, 2])
      expect((await dan.request(`${path}/default`, OWN_FORM, body)).headers.get('location')).toBe(
        `${path}?done=default`,
      );
    expect((await stored()).filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['Main']);
    expect((await see(dan, '/settings/hours')).text).toContain('Main');
    const stale = await dan.request(`${path}/default`, OWN_FORM, 'csrf=stale');
    expect([stale.status, stale.text.includes('action="' + path)]).toEqual([403, true]);
  });

  test('is what a form of /settings/hours changes that was opened before another schedule became the default', async () => {
    const path = await added('Daytime');
    const makeDefault = async (one: string) => dan.submit(await see(dan, one), {}, `${one}/default`);
    await makeDefault(path);
    const tab = await see(dan, '/settings/hours');
    await makeDefault(await added('Nights'));
    const nights = await storedAs('Nights');
    const refused = shownPage(await dan.submit(tab, { 'MONDAY-0-start': '6:00' }));
    expect([refused.status, fieldOf(refused, 'name')]).toEqual([409, 'Daytime']);
    // It is told, and sends the form again.
    expect(shownPage(await dan.submit(refused, { 'MONDAY-0-start': '6:00' })).address).toBe(`${path}?done=saved`);
    expect((await storedAs('Daytime')).availability).toContainEqual(expect.objectContaining({ start: '06:00' }));
    expect(await storedAs('Nights')).toEqual(nights);
  });

  test.each(['', '/delete'])('is not there for anybody else, nor for a text that is no id%s', async (rest) => {
    const path = await added(`Own${rest}`);
    const seen = await Promise.all(
      [path, `${PATH}/${unknownId('schedule')}`, `${PATH}/nothing`].map((one) => see(ada, `${one}${rest}`)),
    );
    expect(seen.map(({ status }) => status)).toEqual([404, 404, 404]);
    const sent = await ada.request(`${path}${rest}`, OWN_FORM, 'csrf=any');
    expect([sent.status, await storedAs(`Own${rest}`)]).toMatchObject([404, { isDefault: false }]);
  });
});

describe('deleting one', () => {
  test('is asked about once more, and done', async () => {
    const path = await added('Short-lived');
    const question = await see(dan, `${path}/delete`);
    expect(question.text).toContain('No event type uses this schedule.');
    expect(shownPage(await dan.submit(question, {})).text).toContain('Schedule deleted.');
    expect((await stored()).map(({ name }) => name)).not.toContain('Short-lived');
  });

  test('is not offered while an event type uses it, whose page has it, nor of the default', async () => {
    const path = await added('In use');
    const scheduleId = path.split('/').at(-1);
    const talk = { slug: 'in-use', title: 'Talk at night', durationInMinutes: 30 };
    const { eventTypeId } = await dan.mutate<{ eventTypeId: string }>('eventTypeCreate', talk, 'eventTypeId');
    const before = await see(dan, `${path}/delete`);
    // By the select of its page.
    const page = await see(dan, `/settings/event-types/${eventTypeId}`);
    expect(shownPage(await dan.submit(page, { scheduleId: scheduleId ?? '' })).text).toContain('Saved.');
    const question = await see(dan, `${path}/delete`);
    expect(question.text).toContain('Talk at night');
    expect(formsOf(question.html.slice(question.html.indexOf('<main')))).toEqual([]);
    // As in a tab that was opened before.
    expect(shownPage(await dan.submit(before, {})).status).toBe(422);
    expect((await see(dan, PATH)).text).toContain('Used by 1 event type');
    const usual = (await stored()).find(({ isDefault }) => isDefault);
    const ofDefault = await see(dan, `${PATH}/${usual?.id}/delete`);
    expect(ofDefault.text).toContain('Make another schedule the default first.');
  });
});

test('in German, no word is English', async () => {
  const foreign = await foreignTo('de');
  await changed(app.database.em.fork(), sql`update users set locale = 'de' where email = 'dan@solo.test'`);
  const path = await added('Xyz');
  const inUse = await storedAs('In use');
  const said = [
    (await stored()).map(({ name, timeZone }) => [name, timeZone]),
    'Dan Whitlock',
    'Gatehouse',
    'Talk at night',
    'HH:MM',
  ];
  for (const one of [PATH, path, `${path}/delete`, `${PATH}/${inUse.id}/delete`, `${PATH}/nothing`]) {
    const page = await see(dan, one);
    // Zones are called by their cities.
    const text = textOf(page.html.replaceAll(/<select[^]*?<\/select>/g, ''));
    expect([one, foreign(text, said)]).toEqual([one, []]);
    expect(page.html).toContain('<html lang="de">');
  }
});
