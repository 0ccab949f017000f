/** The parts of an event type's page that are opened: what each of them saves, refuses and leaves alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const ALL = `id title slug description hidden color lengthInMinutes lengthInMinutesOptions slotIntervalInMinutes
  minimumBookingNoticeInMinutes bufferBeforeInMinutes bufferAfterInMinutes metadata schedule { id }
  bookingWindow { kind days from to } bookingLimits { day { count } } confirmation { kind noticeInMinutes } recurrence { interval }
  seats { perSlot showAttendees } locations { id type value label }
  bookingFields { slug type label required options placeholder } disableGuests successRedirectUrl`;

interface Typed {
  readonly page: ShownPage;
  readonly path: string;
  readonly id: string;
}

/** The page of a new event type of Dan's. */
async function opened(fields: Record<string, unknown> = {}): Promise<Typed> {
  const { eventTypeId: id } = await dan.offer(fields);
  const path = `/settings/event-types/${id}`;
  return { page: await see(dan.browser, path), path, id };
}

async function send(page: ShownPage, values: Readonly<Record<string, string>>): Promise<ShownPage> {
  return shownPage(await dan.browser.submit(page, values));
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const document = `{ me { eventTypes(first: 100) { nodes { ${ALL} } } } }`;
  const { me } = await dan.browser.ask<{ me: { eventTypes: { nodes: Record<string, unknown>[] } } }>(document);
  return me.eventTypes.nodes.find((one) => one['id'] === id) ?? {};
}

/** Whether the part with this id is open. */
function isOpen({ html }: ShownPage, id: string): boolean {
  return new RegExp(`<details class="part" open>\\s*<summary>.*?</summary>\\s*<div id="${id}">`).test(html);
}

/** Much of what only the API says. */
const FULL = {
  color: '#ff8800',
  lengthInMinutesOptions: [30, 60],
  metadata: { crm: '7' },
  bookingLimits: { day: { count: 3 } },
  confirmation: { kind: 'SHORT_NOTICE', noticeInMinutes: 90 },
  disableGuests: true,
  successRedirectUrl: 'https://example.test/thanks',
  bookingWindow: { kind: 'BUSINESS_DAYS', days: 10 },
  slotIntervalInMinutes: 15,
  seats: { perSlot: 4, showAttendees: true },
  description: 'Two\nlines.',
  locations: [
    { type: 'ADDRESS', value: 'Main Street 1\nBerlin', label: 'Office' },
    { type: 'CONFERENCING', value: 'zoom' },
  ],
  bookingFields: [
    { slug: 'size', type: 'SELECT', label: 'Size', required: true, options: ['S', 'M'] },
    { slug: 'why', type: 'TEXT', label: 'Why', placeholder: 'Because' },
  ],
};

describe('what the form does not change', () => {
  test.each([
    ['nothing', {}, {}],
    ['the title', { title: 'Another' }, { title: 'Another' }],
    ['the notice', { minimumBookingNoticeInMinutes: '5' }, { minimumBookingNoticeInMinutes: 5 }],
    ['the seats', { seats: '9' }, { seats: { perSlot: 9, showAttendees: true } }],
  ])('stays as the API has it where %s changes', async (_what, values, changes) => {
    const { page, id } = await opened(FULL);
    const before = await stored(id);
    expect((await send(page, values)).text).toContain('Saved.');
    expect(await stored(id)).toEqual({ ...before, ...changes });
  });

  test('is not named either, so that the owner of what a team manages can hide it', async () => {
    const { me } = await dan.browser.ask<{ me: { id: string } }>('{ me { id } }');
    const team = { slug: 'parts', name: 'Parts' };
    const { teamId } = await dan.browser.mutate<{ teamId: string }>('teamCreate', team, 'teamId');
    const hosts = [{ userId: me.id }];
    const managed = {
      teamId,
      schedulingType: 'MANAGED',
      hosts,
      title: 'Managed',
      slug: 'managed',
      lengthInMinutes: 30,
    };
    await dan.browser.mutate('teamEventTypeCreate', managed, 'eventTypeId');
    const document = '{ me { eventTypes(first: 100) { nodes { id title } } } }';
    const own = await dan.browser.ask<{ me: { eventTypes: { nodes: { id: string; title: string }[] } } }>(document);
    const id = own.me.eventTypes.nodes.find(({ title }) => title === 'Managed')?.id ?? '';
    const page = await see(dan.browser, `/settings/event-types/${id}`);
    const refused = await send(page, { title: 'Mine' });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, ['title']]);
    expect((await send(page, { hidden: 'on' })).text).toContain('Saved.');
    expect(await stored(id)).toMatchObject({ title: 'Managed', hidden: true });
  });
});

describe('when it can be booked', () => {
  test('is saved, with hours of its own', async () => {
    const hours = { name: 'Mornings', timeZone: 'Europe/Berlin' };
    const { scheduleId } = await dan.browser.mutate<{ scheduleId: string }>('scheduleCreate', hours, 'scheduleId');
    const { page, path, id } = await opened();
    const values = {
      scheduleId,
      slotIntervalInMinutes: '15',
      minimumBookingNoticeInMinutes: '0',
      bufferBeforeInMinutes: '5',
      bufferAfterInMinutes: '10',
      bookingWindow: 'ROLLING_DAYS',
      windowDays: '14',
    };
    const after = await send(page, values);
    expect(after.text).toContain('Saved.');
    expect(after.text).toContain('Hours of its own, up to the last minute');
    expect(await stored(id)).toMatchObject({
      schedule: { id: scheduleId },
      slotIntervalInMinutes: 15,
      minimumBookingNoticeInMinutes: 0,
      bufferBeforeInMinutes: 5,
      bufferAfterInMinutes: 10,
      bookingWindow: { kind: 'ROLLING_DAYS', days: 14 },
    });
    const emptied = { scheduleId: '', slotIntervalInMinutes: '', bookingWindow: '' };
    expect((await send(await see(dan.browser, path), emptied)).text).toContain('Saved.');
    expect(await stored(id)).toMatchObject({
      slotIntervalInMinutes: null,
      bookingWindow: null,
      bufferAfterInMinutes: 10,
    });
    expect((await stored(id))['schedule']).not.toEqual({ id: scheduleId });
  });

  test('can be from one date to another', async () => {
    const { page, id } = await opened();
    const dates = { bookingWindow: 'DATE_RANGE', windowFrom: '2031-03-01', windowTo: '2031-03-31' };
    expect((await send(page, dates)).text).toContain('Saved.');
    expect((await stored(id))['bookingWindow']).toEqual({
      kind: 'DATE_RANGE',
      days: null,
      from: '2031-03-01',
      to: '2031-03-31',
    });
  });

  test.each([
    ['no number of days', { bookingWindow: 'ROLLING_DAYS', windowDays: 'many' }, 'windowDays'],
    ['too many days', { bookingWindow: 'BUSINESS_DAYS', windowDays: '9999' }, 'windowDays'],
    [
      'a last date before the first',
      { bookingWindow: 'DATE_RANGE', windowFrom: '2031-03-02', windowTo: '2031-03-01' },
      'windowTo',
    ],
    ['no first date', { bookingWindow: 'DATE_RANGE', windowTo: '2031-03-01' }, 'windowFrom'],
    ['an interval of nothing', { slotIntervalInMinutes: '0' }, 'slotIntervalInMinutes'],
    ['a schedule that is not there', { scheduleId: 'sch_nothing' }, 'scheduleId'],
  ])('refuses %s at its field, which it opens, and keeps what was typed', async (_what, values, field) => {
    const { page, id } = await opened();
    const before = await stored(id);
    expect(isOpen(page, 'times')).toBe(false);
    const refused = await send(page, { ...values, bufferAfterInMinutes: '7' });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [field]]);
    expect([isOpen(refused, 'times'), isOpen(refused, 'places')]).toEqual([true, false]);
    expect(fieldOf(refused, 'bufferAfterInMinutes')).toBe('7');
    expect(await stored(id)).toEqual(before);
  });
});

describe('seats', () => {
  test('are given and taken away', async () => {
    const { page, path, id } = await opened();
    expect((await send(page, { seats: '12', showAttendees: 'on' })).text).toContain('12 seats');
    expect((await stored(id))['seats']).toEqual({ perSlot: 12, showAttendees: true });
    await send(await see(dan.browser, path), { seats: '' });
    expect((await stored(id))['seats']).toBeNull();
  });

  test.each([
    ['more than are possible', {}, { seats: '100000' }],
    ['no number', {}, { seats: 'some' }],
    ['them beside a series', { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } }, { seats: '3' }],
    ['them where attendees say the place', { locations: [{ type: 'ATTENDEE_PHONE' }] }, { seats: '3' }],
  ])('refuses %s at the field', async (_what, fields, values) => {
    const { page, id } = await opened(fields);
    const refused = await send(page, values);
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, ['seats']]);
    expect([isOpen(refused, 'places'), fieldOf(refused, 'seats')]).toEqual([true, values.seats]);
    expect((await stored(id))['seats']).toBeNull();
  });
});
