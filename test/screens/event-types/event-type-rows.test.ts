/** The places and questions of an event type, which its page has as rows: added in the empty one, changed, and removed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_FIELDS } from '../../../src/modules/event-types/settings/booking-field.rules.ts';
import { MAX_LOCATIONS } from '../../../src/modules/event-types/settings/location.rules.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, type Host, hostOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { type ShownPage, shownPage } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
});
afterAll(() => app.close());

interface Place {
  readonly id: string;
  readonly type: string;
  readonly value: string | null;
  readonly label: string | null;
}

interface Stored {
  readonly id: string;
  readonly title: string;
  readonly locations: readonly Place[];
  readonly bookingFields: readonly object[];
}

interface Opened {
  readonly page: ShownPage;
  readonly id: string;
  readonly bookingPath: string;
}

/** The page of a new event type of Dan's. */
async function opened(fields: Record<string, unknown> = {}): Promise<Opened> {
  const { eventTypeId: id, path, starts } = await dan.offer(fields);
  return { page: await see(dan.browser, pathOf(id)), id, bookingPath: `${path}?start=${starts[0]}` };
}

function pathOf(id: string): string {
  return `/settings/event-types/${id}`;
}

async function send(page: ShownPage, values: Readonly<Record<string, string>>): Promise<ShownPage> {
  return shownPage(await dan.browser.submit(page, values));
}

/** Whether the part with this id is open. */
function isOpen({ html }: ShownPage, id: string): boolean {
  return new RegExp(`<details class="part" open>(?:(?!<details)[^])*<div id="${id}">`).test(html);
}

async function stored(id: string): Promise<Stored | undefined> {
  const document = `{ me { eventTypes(first: 100) { nodes {
    id title locations { id type address url phone app label } bookingFields { slug type label isRequired options placeholder } } } } }`;
  const { me } = await dan.browser.ask<{ me: { eventTypes: { nodes: Stored[] } } }>(document);
  return me.eventTypes.nodes.find((one) => one.id === id);
}

const LINK = { type: 'LINK', url: 'https://meet.example/dan', label: null };
const SIZE = {
  slug: 'size',
  type: 'SELECT',
  label: 'Size',
  isRequired: false,
  options: ['S', 'M'],
  placeholder: 'Pick',
};
const WHY = { slug: 'why', type: 'TEXT', label: 'Why', isRequired: true, options: [], placeholder: 'Because' };

describe('places', () => {
  test('are added one by one, and shown where people book', async () => {
    const { page, id, bookingPath } = await opened();
    const first = { 'location-0-kind': 'ADDRESS', 'location-0-value': 'Main Street 1', 'location-0-label': 'Office' };
    const one = await send(page, first);
    expect([one.text.includes('Saved.'), one.text.includes('1 location')]).toEqual([true, true]);
    expect([isOpen(page, 'where'), isOpen(one, 'where'), isOpen(one, 'questions')]).toEqual([false, true, false]);
    const two = await send(one, { 'location-1-kind': 'ATTENDEE_PHONE', 'location-1-value': 'not needed' });
    expect(two.text).toContain('2 locations');
    expect((await stored(id))?.locations).toMatchObject([
      { type: 'ADDRESS', address: 'Main Street 1', label: 'Office' },
      { type: 'ATTENDEE_PHONE', phone: null, label: null },
    ]);
    expect((await see(dan.browser, bookingPath)).text).toContain('Office');
  });

  test('keep their ids and their lines where one of them changes, and one is removed', async () => {
    const office = { type: 'ADDRESS', address: 'Main Street 1\nBerlin', label: 'Office' };
    const { page, id } = await opened({ locations: [LINK, office, { type: 'CONFERENCING', app: 'zoom' }] });
    const before = (await stored(id))?.locations ?? [];
    await send(page, { 'location-0-kind': 'CONFERENCING/zoom', 'location-2-remove': 'on', 'location-1-label': 'Here' });
    expect((await stored(id))?.locations).toEqual([
      { ...before[0], type: 'CONFERENCING', url: null, app: 'zoom' },
      { ...before[1], label: 'Here' },
    ]);
  });

  test('can be an app that is connected; others are not offered', async () => {
    const { page, id } = await opened();
    expect(page.html).not.toContain('CONFERENCING/');
    await dan.browser.mutate('conferencingAppConnect', { app: 'video' }, 'conferencingAppId');
    const offered = await see(dan.browser, pathOf(id));
    expect([offered.text.includes('Video link'), offered.text.includes('Zoom')]).toEqual([true, false]);
    await send(offered, { 'location-0-kind': 'CONFERENCING/video' });
    expect((await stored(id))?.locations).toMatchObject([{ type: 'CONFERENCING', app: 'video' }]);
  });

  test.each([
    ['a link that is none', { 'location-1-kind': 'LINK', 'location-1-value': 'meet me' }, 'location-1-value'],
    ['no number', { 'location-1-kind': 'PHONE' }, 'location-1-value'],
    ['a place without a kind', { 'location-1-value': 'Main Street' }, 'location-1-kind'],
    ['a kind that there is not', { 'location-1-kind': 'MOON' }, 'location-1-kind'],
    ['an app that cannot be called so', { 'location-1-kind': 'CONFERENCING/A B' }, 'location-1-kind'],
    ['the same place twice', { 'location-1-kind': 'LINK', 'location-1-value': LINK.url }, 'location-1-kind'],
    ['too long a name', { 'location-0-label': 'x'.repeat(101) }, 'location-0-label'],
    ['a place of another event type', { 'location-0-id': 'loc_nothing' }, 'location-0-kind'],
    ['what attendees say beside seats', { 'location-1-kind': 'ATTENDEE_CHOICE', seats: '3' }, 'location-0-kind'],
  ])('refuse %s at its field, and keep what was typed', async (_what, values, field) => {
    const { page, id } = await opened({ locations: [LINK] });
    const typed: Record<string, string> = { 'location-0-label': 'Kept', ...values };
    const refused = await send(page, typed);
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [field]]);
    expect(isOpen(refused, 'where')).toBe(true);
    expect(fieldOf(refused, 'location-0-label')).toBe(typed['location-0-label']);
    expect((await stored(id))?.locations).toMatchObject([LINK]);
  });

  test('count the rows that are kept, where the mistake is behind one that is removed', async () => {
    const { page } = await opened({ locations: [LINK, { type: 'PHONE', phone: '+4930123456' }] });
    const refused = await send(page, { 'location-0-remove': 'on', 'location-1-value': 'none' });
    expect(Object.keys(mistakesOf(refused))).toEqual(['location-1-value']);
  });

  test('have no further row where there are as many as can be', async () => {
    const locations = Array.from({ length: MAX_LOCATIONS }, (_, index) => ({
      ...LINK,
      url: `${LINK.url}${index}`,
    }));
    const { page } = await opened({ locations });
    expect(fieldOf(page, `location-${MAX_LOCATIONS - 1}-value`)).toBe(`${LINK.url}${MAX_LOCATIONS - 1}`);
    expect(page.html).not.toContain(`location-${MAX_LOCATIONS}-`);
  });
});

describe('questions', () => {
  test('are added one by one, each with a key of its own, and asked where people book', async () => {
    const { page, id, bookingPath } = await opened();
    const first = {
      'question-0-label': 'What is it about?',
      'question-0-type': 'TEXTAREA',
      'question-0-isRequired': 'on',
    };
    const one = await send(page, first);
    expect([one.text.includes('Saved.'), one.text.includes('1 question')]).toEqual([true, true]);
    const again = {
      'question-1-label': 'What is it about?',
      'question-1-type': 'RADIO',
      'question-1-options': 'This\r\n\r\nThat ',
    };
    await send(await send(one, again), { 'question-2-label': '何', 'question-2-type': 'BOOLEAN' });
    expect((await stored(id))?.bookingFields).toMatchObject([
      { slug: 'what-is-it-about', type: 'TEXTAREA', isRequired: true },
      { slug: 'what-is-it-about-2', type: 'RADIO', isRequired: false, options: ['This', 'That'] },
      { slug: 'question', type: 'BOOLEAN', label: '何' },
    ]);
    expect((await see(dan.browser, bookingPath)).text).toContain('What is it about?');
  });

  test('keep what the form does not show of them where one changes, and one is removed', async () => {
    const { page, id } = await opened({ bookingFields: [SIZE, WHY, { ...WHY, slug: 'gone' }] });
    await send(page, { 'question-0-label': 'T-shirt', 'question-0-options': 'M\r\nL', 'question-2-remove': 'on' });
    expect((await stored(id))?.bookingFields).toEqual([{ ...SIZE, label: 'T-shirt', options: ['M', 'L'] }, WHY]);
  });

  test('are removed once: who wanted the same in another tab is told at its field', async () => {
    const { page, id } = await opened({ bookingFields: [SIZE, WHY] });
    const tab = await see(dan.browser, pathOf(id));
    const [one, other] = [
      await send(page, { 'question-0-remove': 'on' }),
      await send(tab, { 'question-0-remove': 'on' }),
    ];
    expect([one.status, other.status, isOpen(other, 'questions')]).toEqual([200, 409, true]);
    const refused = await send(other, {});
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, ['question-0-label']]);
    expect((await stored(id))?.bookingFields).toEqual([WHY]);
  });

  test('have no answers to choose from any more where the kind of answer has none', async () => {
    const { page, id } = await opened({ bookingFields: [SIZE] });
    await send(page, { 'question-0-type': 'TEXT' });
    expect((await stored(id))?.bookingFields).toEqual([{ ...SIZE, type: 'TEXT', options: [] }]);
  });

  test.each([
    ['one without a text', { 'question-1-type': 'TEXT' }, 'question-1-label'],
    ['one without a kind', { 'question-1-label': 'Who?' }, 'question-1-type'],
    ['a kind that there is not', { 'question-1-label': 'Who?', 'question-1-type': 'SONG' }, 'question-1-type'],
    ['a choice of nothing', { 'question-1-label': 'Which?', 'question-1-type': 'SELECT' }, 'question-1-options'],
    ['an answer twice', { 'question-0-type': 'RADIO', 'question-0-options': 'A\r\nA' }, 'question-0-options'],
    ['too long a text', { 'question-0-label': 'x'.repeat(201) }, 'question-0-label'],
    ['a key that is none', { 'question-0-slug': 'A B' }, 'question-0-label'],
  ])('refuse %s at its field, and save nothing', async (_what, values, field) => {
    const { page, id } = await opened({ bookingFields: [WHY] });
    const refused = await send(page, { title: 'Other', ...values });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [field]]);
    expect(isOpen(refused, 'questions')).toBe(true);
    expect(await stored(id)).toMatchObject({ bookingFields: [WHY] });
    expect((await stored(id))?.title).not.toBe('Other');
  });

  test('have no further row where there are as many as can be', async () => {
    const bookingFields = Array.from({ length: MAX_FIELDS }, (_, index) => ({ ...WHY, slug: `why-${index}` }));
    const { page } = await opened({ bookingFields });
    expect(fieldOf(page, `question-${MAX_FIELDS - 1}-label`)).toBe('Why');
    expect(page.html).not.toContain(`question-${MAX_FIELDS}-`);
  });
});
