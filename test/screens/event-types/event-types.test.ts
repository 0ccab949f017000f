/** A user's event types, as pages of lists and forms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/event-types';
let app: TestApp;
let dan: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
});
afterAll(() => app.close());

interface Stored {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly durationInMinutes: number;
}

async function stored(): Promise<readonly Stored[]> {
  const document = '{ me { eventTypes(first: 100) { nodes { id title slug durationInMinutes } } } }';
  return (await dan.ask<{ me: { eventTypes: { nodes: Stored[] } } }>(document)).me.eventTypes.nodes;
}

async function added(title: string, durationInMinutes = '30', slug = '') {
  return shownPage(await dan.submit(await see(dan, PATH), { title, durationInMinutes, slug }));
}

describe('the list', () => {
  test('leads to each and to its booking page, and takes another one', async () => {
    const page = await added('Café & Code', '45');
    expect(page.text).toContain('Event type added.');
    const [made] = (await stored()).filter(({ title }) => title === 'Café & Code');
    expect(made).toMatchObject({ slug: 'cafe-code', durationInMinutes: 45 });
    const links = linksOf(await see(dan, PATH));
    expect(links).toContain(`${PATH}/${made?.id}`);
    expect(links).toContainEqual(expect.stringMatching(/\/book\/dan\/cafe-code$/));
    expect((await dan.request('/book/dan/cafe-code')).status).toBe(200);
  });

  test.each([
    ['an empty title', '', '30', '', ['title']],
    ['no number', 'Lunch', 'an hour', '', ['durationInMinutes']],
    ['no length', 'Lunch', '0', '', ['durationInMinutes']],
    ['an address that is taken', 'Lunch', '30', 'cafe-code', ['slug']],
    ['no address that can be', 'Lunch', '30', 'Café!', ['slug']],
    ['a title of which no address can be made', '昼食', '30', '', ['slug']],
  ])('refuses %s, keeps what was typed and adds nothing', async (_what, title, length, slug, fields) => {
    const before = await stored();
    const refused = await added(title, length, slug);
    expect([refused.status >= 400, Object.keys(mistakesOf(refused)).toSorted()]).toEqual([true, fields]);
    expect(refused.html).toContain(`value="${length}"`);
    expect(await stored()).toEqual(before);
  });
});

describe('the page of one', () => {
  test('saves what the form says, on the booking page as well', async () => {
    const page = await added('Review');
    const values = {
      title: 'Code review',
      slug: 'code-review',
      description: 'Bring a **diff**.',
      durationInMinutes: '50',
      minimumBookingNoticeInMinutes: '60',
      bufferAfterInMinutes: '10',
      confirmation: 'ALWAYS',
    };
    const after = shownPage(await dan.submit(page, values));
    expect(after.text).toContain('Saved.');
    const document = `{ me { eventTypes(first: 100) { nodes {
      title slug description durationInMinutes isHidden minimumBookingNoticeInMinutes bufferAfterInMinutes confirmation { type } } } } }`;
    const { me } = await dan.ask<{ me: { eventTypes: { nodes: unknown[] } } }>(document);
    expect(me.eventTypes.nodes).toContainEqual({
      ...values,
      isHidden: false,
      durationInMinutes: 50,
      minimumBookingNoticeInMinutes: 60,
      bufferAfterInMinutes: 10,
      confirmation: { type: 'ALWAYS' },
    });
    expect((await dan.request('/book/dan/code-review')).text).toContain('Code review');
  });

  test('keeps a confirmation at short notice, which only the API sets', async () => {
    const page = await added('Short');
    const [made] = (await stored()).filter(({ title }) => title === 'Short');
    const confirmation = { type: 'SHORT_NOTICE', noticeInMinutes: 90 };
    await dan.mutate('eventTypeUpdate', { eventTypeId: made?.id, confirmation }, 'eventType { id }');
    expect(page.html).not.toContain('SHORT_NOTICE');
    await dan.submit(await see(dan, `${PATH}/${made?.id}`), { title: 'Shorter' });
    const document = '{ me { eventTypes(first: 100) { nodes { title confirmation { type noticeInMinutes } } } } }';
    const { me } = await dan.ask<{ me: { eventTypes: { nodes: unknown[] } } }>(document);
    expect(me.eventTypes.nodes).toContainEqual({ title: 'Shorter', confirmation });
  });

  test('says what is wrong at its field, and saves nothing', async () => {
    const page = await added('Whole');
    const before = await stored();
    const values = { title: 'Half', slug: 'Half!', bufferBeforeInMinutes: '-5' };
    const number = shownPage(await dan.submit(page, values));
    expect([number.status, Object.keys(mistakesOf(number))]).toEqual([422, ['bufferBeforeInMinutes']]);
    const slug = shownPage(await dan.submit(number, { bufferBeforeInMinutes: '5' }));
    expect([slug.status, Object.keys(mistakesOf(slug))]).toEqual([422, ['slug']]);
    expect(slug.html).toContain('value="Half"');
    expect(await stored()).toEqual(before);
    expect(shownPage(await dan.submit(slug, { slug: 'half' })).text).toContain('Saved.');
  });

  test('does not overwrite what was changed elsewhere', async () => {
    await added('Two tabs');
    const [made] = (await stored()).filter(({ title }) => title === 'Two tabs');
    const [one, other] = [await see(dan, `${PATH}/${made?.id}`), await see(dan, `${PATH}/${made?.id}`)];
    expect(shownPage(await dan.submit(one, { title: 'First tab' })).text).toContain('Saved.');
    expect(shownPage(await dan.submit(other, { title: 'Second tab' })).status).toBe(409);
    expect((await stored()).map(({ title }) => title)).toContain('First tab');
  });

  test('deletes it after a question', async () => {
    await added('Gone soon');
    const [made] = (await stored()).filter(({ title }) => title === 'Gone soon');
    const after = shownPage(await dan.submit(await see(dan, `${PATH}/${made?.id}/delete`), {}));
    expect(after.text).toContain('deleted');
    expect((await stored()).map(({ title }) => title)).not.toContain('Gone soon');
    expect((await dan.request(`${PATH}/${made?.id}`)).status).toBe(404);
  });

  test("is not there for somebody else's, an unknown one and a text that is no id", async () => {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const [{ id } = { id: '' }] = await stored();
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/delete`, `${PATH}/${id}x`, `${PATH}/nothing`]) {
      const { status, text } = await ada.request(path);
      expect([path, status, text.includes('Event type not found')]).toEqual([path, 404, true]);
    }
  });
});
