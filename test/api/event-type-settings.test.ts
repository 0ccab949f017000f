import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId, uuidOf } from '../support/ids.ts';

let api: TestApi;
let bob: TestCaller;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  bob = api.as('bob');
});
afterAll(() => api.close());

const LIMIT = 'maxBookings maxMinutes';
const SETTINGS = `eventTypeId eventType {
  title durationInMinutes durationInMinutesOptions slotIntervalInMinutes minimumBookingNoticeInMinutes
  bufferBeforeInMinutes bufferAfterInMinutes scheduleId locations { type address url phone app }
  bookingFields { slug type label isRequired options placeholder }
  bookingWindow { type days firstDate lastDate } bookingLimits { day { ${LIMIT} } week { ${LIMIT} } month { ${LIMIT} } year { ${LIMIT} } }
  confirmation { type noticeInMinutes } recurrence { frequency interval occurrences } seats { perSlot showsAttendees }
  requiresBookerEmailVerification requiresAuthentication allowsGuests cancellationPolicy { type noticeInMinutes }
  reschedulingPolicy { type noticeInMinutes } successRedirectUrl embedOrigins schedulingType assignsAllMembers hosts { priority }
}`;

function newType(): { slug: string; title: string; durationInMinutes: number } {
  count += 1;
  return { slug: `settings-${count}`, title: 'Type', durationInMinutes: 30 };
}

async function create(input: object = {}) {
  const { data, mistakes } = await bob.change('eventTypeCreate', { ...newType(), ...input }, SETTINGS);
  expect(mistakes).toEqual([]);
  return data;
}

async function update(eventTypeId: string, patch: object) {
  const { data, mistakes } = await bob.change('eventTypeUpdate', { eventTypeId, ...patch }, SETTINGS);
  expect(mistakes).toEqual([]);
  return data.eventType;
}

async function ownSchedule(who: TestCaller): Promise<string> {
  return (await who.change('scheduleCreate', { name: 'Evenings' }, 'scheduleId')).data.scheduleId;
}

/** Everything that can be said, so that a change of one thing shows what becomes of all others. */
async function everything() {
  return {
    durationInMinutesOptions: [15, 30],
    slotIntervalInMinutes: 20,
    minimumBookingNoticeInMinutes: 0,
    bufferBeforeInMinutes: 5,
    bufferAfterInMinutes: 10,
    scheduleId: await ownSchedule(bob),
    locations: [
      { type: 'LINK', url: 'https://meet.example/bob' },
      { type: 'CONFERENCING', app: 'zoom' },
    ],
    bookingFields: [
      { slug: 'topic', type: 'TEXT', label: ' Topic ', isRequired: true, placeholder: 'What about?' },
      { slug: 'size', type: 'SELECT', label: 'Size', options: ['S', 'M'] },
    ],
    bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2027-03-31' },
    bookingLimits: { day: { maxBookings: 3, maxMinutes: 90 }, year: { maxBookings: 100 } },
    confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 1_440 },
    seats: { perSlot: 5, showsAttendees: true },
    requiresBookerEmailVerification: true,
    requiresAuthentication: true,
    allowsGuests: false,
    cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 },
    reschedulingPolicy: { type: 'NEVER' },
    successRedirectUrl: 'https://bob.example/thanks',
    embedOrigins: ['https://bob.example', 'http://localhost:3000'],
  };
}

describe('a new event type', () => {
  test('has sensible settings where nothing is said', async () => {
    expect((await create()).eventType).toEqual({
      title: 'Type',
      durationInMinutes: 30,
      durationInMinutesOptions: [],
      slotIntervalInMinutes: null,
      minimumBookingNoticeInMinutes: 120,
      bufferBeforeInMinutes: 0,
      bufferAfterInMinutes: 0,
      scheduleId: null,
      locations: [],
      bookingFields: [],
      bookingWindow: null,
      bookingLimits: { day: null, week: null, month: null, year: null },
      confirmation: { type: 'NEVER', noticeInMinutes: null },
      recurrence: null,
      seats: null,
      requiresBookerEmailVerification: false,
      requiresAuthentication: false,
      allowsGuests: true,
      cancellationPolicy: { type: 'ALWAYS', noticeInMinutes: null },
      reschedulingPolicy: { type: 'ALWAYS', noticeInMinutes: null },
      successRedirectUrl: null,
      embedOrigins: [],
      schedulingType: null,
      assignsAllMembers: false,
      hosts: [],
    });
  });

  test('keeps all that is said', async () => {
    const input = await everything();
    expect((await create(input)).eventType).toMatchObject({
      ...input,
      locations: [
        { type: 'LINK', address: null, url: 'https://meet.example/bob', phone: null, app: null },
        { type: 'CONFERENCING', address: null, url: null, phone: null, app: 'zoom' },
      ],
      bookingFields: [
        { slug: 'topic', type: 'TEXT', label: 'Topic', isRequired: true, options: [], placeholder: 'What about?' },
        { slug: 'size', type: 'SELECT', label: 'Size', isRequired: false, options: ['S', 'M'], placeholder: null },
      ],
      bookingWindow: { type: 'DATE_RANGE', days: null, firstDate: '2027-01-01', lastDate: '2027-03-31' },
      bookingLimits: {
        day: { maxBookings: 3, maxMinutes: 90 },
        week: null,
        month: null,
        year: { maxBookings: 100, maxMinutes: null },
      },
      reschedulingPolicy: { type: 'NEVER', noticeInMinutes: null },
    });
  });
});

describe('an update', () => {
  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['the title', { title: 'Other' }, { title: 'Other' }],
    ['the buffers', { bufferBeforeInMinutes: 0 }, { bufferBeforeInMinutes: 0 }],
    [
      'a window',
      { bookingWindow: { type: 'BUSINESS_DAYS', days: 5 } },
      { bookingWindow: { type: 'BUSINESS_DAYS', days: 5, firstDate: null, lastDate: null } },
    ],
    ['no window', { bookingWindow: null }, { bookingWindow: null }],
    ['the schedule', { scheduleId: null }, { scheduleId: null }],
    [
      'the confirmation',
      { confirmation: { type: 'ALWAYS' } },
      { confirmation: { type: 'ALWAYS', noticeInMinutes: null } },
    ],
    ['no seats', { seats: null }, { seats: null }],
    [
      'cancelling',
      { cancellationPolicy: { type: 'ALWAYS' } },
      { cancellationPolicy: { type: 'ALWAYS', noticeInMinutes: null } },
    ],
    ['the redirect', { successRedirectUrl: null }, { successRedirectUrl: null }],
    ['the websites', { embedOrigins: ['https://Bob.example/'] }, { embedOrigins: ['https://bob.example'] }],
    ['the locations', { locations: [] }, { locations: [] }],
  ])('of %s leaves everything else as it was', async (_, patch, change) => {
    const { eventTypeId, eventType } = await create(await everything());
    expect(await update(eventTypeId, patch)).toEqual({ ...eventType, ...change });
  });

  test('of one limit leaves the others, and null takes one away', async () => {
    const { eventTypeId } = await create(await everything());
    const changed = await update(eventTypeId, {
      bookingLimits: { day: { maxBookings: 5 }, week: { maxMinutes: 600 } },
    });
    expect(changed.bookingLimits).toEqual({
      day: { maxBookings: 5, maxMinutes: 90 },
      week: { maxBookings: null, maxMinutes: 600 },
      month: null,
      year: { maxBookings: 100, maxMinutes: null },
    });
    const fewer = await update(eventTypeId, { bookingLimits: { day: { maxMinutes: null }, year: null } });
    expect(fewer.bookingLimits).toMatchObject({ day: { maxBookings: 5, maxMinutes: null }, year: null });
    const none = await update(eventTypeId, { bookingLimits: null });
    expect(none.bookingLimits).toEqual({ day: null, week: null, month: null, year: null });
  });

  test('of one booking field leaves the others, its own parts that are not named, and the order', async () => {
    const { eventTypeId, eventType } = await create(await everything());
    const [topic, size] = eventType.bookingFields;
    const bookingFieldsSet = [
      { slug: 'notes', type: 'TEXTAREA', label: 'Notes' },
      { slug: 'topic', type: 'TEXT', label: 'Topic', isRequired: false },
    ];
    const added = await update(eventTypeId, { bookingFieldsSet });
    expect(added).toEqual({
      ...eventType,
      bookingFields: [
        { ...topic, isRequired: false },
        size,
        { slug: 'notes', type: 'TEXTAREA', label: 'Notes', isRequired: false, options: [], placeholder: null },
      ],
    });
    const { bookingFields } = await update(eventTypeId, {
      bookingFieldsRemove: ['topic'],
      bookingFieldsOrder: ['notes'],
    });
    expect(bookingFields.map(({ slug }: { slug: string }) => slug)).toEqual(['notes', 'size']);
    expect((await update(eventTypeId, { bookingFieldsSet: null })).bookingFields).toEqual(bookingFields);
  });

  test('that is refused changes nothing', async () => {
    const { eventTypeId, eventType } = await create(await everything());
    const bad = { eventTypeId, title: 'Other', bookingFieldsRemove: ['size'], bufferAfterInMinutes: -1 };
    expect((await bob.change('eventTypeUpdate', bad)).mistakes).toEqual(['OUT_OF_RANGE bufferAfterInMinutes']);
    expect(await update(eventTypeId, {})).toEqual(eventType);
  });

  test('of different booking fields at the same moment keeps both', async () => {
    const { eventTypeId } = await create();
    const slugs = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      slugs.map((slug) => update(eventTypeId, { bookingFieldsSet: [{ slug, type: 'TEXT', label: slug }] })),
    );
    const { bookingFields } = await update(eventTypeId, {});
    expect(bookingFields.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(slugs);
  });

  test('is checked together with what stays', async () => {
    const { eventTypeId } = await create({ durationInMinutesOptions: [15, 30] });
    const change = (patch: object) => bob.change('eventTypeUpdate', { eventTypeId, ...patch });
    expect((await change({ durationInMinutes: 45 })).mistakes).toEqual(['CONFLICT durationInMinutesOptions']);
    expect((await change({ durationInMinutes: 15 })).mistakes).toEqual([]);
    expect((await change({ durationInMinutes: 45, durationInMinutesOptions: [] })).mistakes).toEqual([]);
    await update(eventTypeId, { seats: { perSlot: 2, showsAttendees: false } });
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 4 };
    expect((await change({ recurrence })).mistakes).toEqual(['CONFLICT seats']);
    expect((await change({ recurrence, seats: null })).mistakes).toEqual([]);
  });

  test('gives seats only where no attendee says where everybody meets', async () => {
    const seats = { perSlot: 2, showsAttendees: false };
    const [theirs, ours] = [[{ type: 'ATTENDEE_PHONE' }], [{ type: 'CONFERENCING', app: 'zoom' }]];
    const { eventTypeId } = await create({ locations: theirs });
    const change = async (patch: object) => (await bob.change('eventTypeUpdate', { eventTypeId, ...patch })).mistakes;
    expect(await change({ seats })).toEqual(['CONFLICT seats']);
    expect(await change({ seats, locations: theirs })).toEqual(['CONFLICT locations']);
    expect(await change({ seats, locations: ours })).toEqual([]);
    expect(await change({ locations: theirs })).toEqual(['CONFLICT locations']);
    expect(await change({ locations: theirs, seats: null })).toEqual([]);
    // An event type that got both while both were possible can have everything else changed.
    const stored = JSON.stringify(seats);
    await rows(
      api.database.em.fork(),
      sql`update event_types set seats = ${stored}::jsonb where id = ${uuidOf(eventTypeId)}`,
    );
    expect(await change({ title: 'Still mine' })).toEqual([]);
  });

  test('takes null only where something can be emptied', async () => {
    const { eventTypeId } = await create();
    const names = ['locations', 'confirmation', 'bufferBeforeInMinutes', 'allowsGuests', 'durationInMinutesOptions'];
    const patch = Object.fromEntries(names.map((name) => [name, null]));
    const { mistakes } = await bob.change('eventTypeUpdate', { eventTypeId, ...patch });
    expect(mistakes.toSorted()).toEqual(names.map((name) => `REQUIRED ${name}`).toSorted());
  });
});

describe('a setting is', () => {
  const field = { slug: 'a', type: 'TEXT', label: 'A' };
  test.each<[accepted: object, refused: object, mistake: string]>([
    [{ durationInMinutesOptions: [30, 60] }, { durationInMinutesOptions: [60] }, 'CONFLICT durationInMinutesOptions'],
    [{ slotIntervalInMinutes: 1_440 }, { slotIntervalInMinutes: 0 }, 'OUT_OF_RANGE slotIntervalInMinutes'],
    [
      { minimumBookingNoticeInMinutes: 0 },
      { minimumBookingNoticeInMinutes: -1 },
      'OUT_OF_RANGE minimumBookingNoticeInMinutes',
    ],
    [{ bufferBeforeInMinutes: 1_440 }, { bufferBeforeInMinutes: 1_441 }, 'OUT_OF_RANGE bufferBeforeInMinutes'],
    [{ bufferAfterInMinutes: 1_440 }, { bufferAfterInMinutes: 2_147_483_647 }, 'OUT_OF_RANGE bufferAfterInMinutes'],
    [
      { bookingWindow: { type: 'ROLLING_DAYS', days: 30 } },
      { bookingWindow: { type: 'ROLLING_DAYS' } },
      'OUT_OF_RANGE bookingWindow days',
    ],
    [
      { bookingWindow: { type: 'BUSINESS_DAYS', days: 5 } },
      { bookingWindow: { type: 'BUSINESS_DAYS', days: 5, lastDate: '2027-01-01' } },
      'NOT_POSSIBLE bookingWindow lastDate',
    ],
    [
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2028-02-29', lastDate: '2028-02-29' } },
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-02-29', lastDate: '2028-02-29' } },
      'INVALID_DATE bookingWindow firstDate',
    ],
    [
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2027-01-02' } },
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2026-01-02' } },
      'INVERTED_RANGE bookingWindow lastDate',
    ],
    [
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2027-01-02' } },
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2027-01-01' } },
      'INVALID_DATE bookingWindow lastDate',
    ],
    [
      { bookingLimits: { month: { maxBookings: 1 } } },
      { bookingLimits: { month: { maxBookings: 0 } } },
      'OUT_OF_RANGE bookingLimits month maxBookings',
    ],
    [
      { bookingLimits: { day: { maxMinutes: 30 } } },
      { bookingLimits: { day: { maxMinutes: 29 } } },
      'CONFLICT bookingLimits day maxMinutes',
    ],
    [
      { confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 60 } },
      { confirmation: { type: 'SHORT_NOTICE' } },
      'OUT_OF_RANGE confirmation noticeInMinutes',
    ],
    [
      { confirmation: { type: 'ALWAYS' } },
      { confirmation: { type: 'ALWAYS', noticeInMinutes: 60 } },
      'NOT_POSSIBLE confirmation noticeInMinutes',
    ],
    [
      { recurrence: { frequency: 'MONTHLY', interval: 12, occurrences: 52 } },
      { recurrence: { frequency: 'MONTHLY', interval: 12, occurrences: 53 } },
      'OUT_OF_RANGE recurrence occurrences',
    ],
    [
      { seats: { perSlot: 1_000, showsAttendees: false } },
      { seats: { perSlot: 0, showsAttendees: false } },
      'OUT_OF_RANGE seats perSlot',
    ],
    [
      { cancellationPolicy: { type: 'NEVER' } },
      { cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 0 } },
      'OUT_OF_RANGE cancellationPolicy noticeInMinutes',
    ],
    [
      { reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 1 } },
      { reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: -5 } },
      'OUT_OF_RANGE reschedulingPolicy noticeInMinutes',
    ],
    [
      { successRedirectUrl: 'https://a.example/x' },
      { successRedirectUrl: 'http://a.example/x' },
      'INVALID_URL successRedirectUrl',
    ],
    [
      { successRedirectUrl: 'https://a.example' },
      { successRedirectUrl: 'javascript:alert(1)' },
      'INVALID_URL successRedirectUrl',
    ],
    [
      { embedOrigins: ['https://a.example', 'http://127.0.0.1:3000'] },
      { embedOrigins: ['https://a.example', 'https://*.example'] },
      'INVALID_URL embedOrigins 1',
    ],
    [{ embedOrigins: [] }, { embedOrigins: null }, 'REQUIRED embedOrigins'],
    [
      { locations: [{ type: 'PHONE', phone: '+49 30 123456' }] },
      { locations: [{ type: 'PHONE', phone: '110' }] },
      'INVALID_PHONE locations 0 phone',
    ],
    [
      { locations: [{ type: 'ADDRESS', address: 'Main Street 1' }] },
      { locations: [{ type: 'ADDRESS' }] },
      'REQUIRED locations 0 address',
    ],
    [
      { locations: [{ type: 'ATTENDEE_CHOICE' }] },
      { locations: [{ type: 'ATTENDEE_CHOICE', address: 'Here' }] },
      'NOT_POSSIBLE locations 0 address',
    ],
    [
      { locations: [{ type: 'LINK', url: 'https://meet.example/1' }] },
      { locations: [{ type: 'LINK', url: 'https://meet.example/1', phone: '+4930123456' }] },
      'NOT_POSSIBLE locations 0 phone',
    ],
    [
      { locations: [{ type: 'CONFERENCING', app: 'zoom' }] },
      { locations: [{ type: 'ATTENDEE_PHONE' }, { type: 'ATTENDEE_PHONE' }] },
      'DUPLICATE locations 1',
    ],
    [{ bookingFields: [field] }, { bookingFields: [field, field] }, 'DUPLICATE bookingFields 1 slug'],
    [
      { bookingFields: [{ ...field, type: 'RADIO', options: ['x'] }] },
      { bookingFields: [{ ...field, type: 'RADIO' }] },
      'REQUIRED bookingFields 0 options',
    ],
    [
      { bookingFields: [field] },
      { bookingFields: [{ ...field, options: ['x'] }] },
      'NOT_POSSIBLE bookingFields 0 options',
    ],
    [
      { bookingFields: [{ ...field, slug: '__proto__'.replaceAll('_', '') }] },
      { bookingFields: [{ ...field, slug: '__proto__' }] },
      'INVALID_SLUG bookingFields 0 slug',
    ],
    [
      { bookingFields: [{ ...field, label: '🙂' }] },
      { bookingFields: [{ ...field, label: '\u0000' }] },
      'INVALID_TEXT bookingFields 0 label',
    ],
    [
      { bookingFields: [{ ...field, label: 'x'.repeat(200) }] },
      { bookingFields: [{ ...field, label: 'x'.repeat(100_000) }] },
      'TOO_LONG bookingFields 0 label',
    ],
  ])('accepted as %j and refused as %j', async (accepted, refused, mistake) => {
    const { eventTypeId } = await create(accepted);
    expect(eventTypeId).toMatch(/^evt_/);
    const { mistakes, codes } = await bob.change('eventTypeCreate', { ...newType(), ...refused });
    expect(codes).toEqual([]);
    expect(mistakes).toEqual([mistake]);
  });

  test('told of with all other mistakes at once', async () => {
    const input = {
      ...newType(),
      title: ' ',
      seats: { perSlot: 0, showsAttendees: true },
      locations: [{ type: 'LINK' }],
    };
    const { mistakes } = await bob.change('eventTypeCreate', input);
    expect(mistakes.toSorted()).toEqual(['OUT_OF_RANGE seats perSlot', 'REQUIRED locations 0 url', 'REQUIRED title']);
  });

  test.each([
    [
      { bookingFieldsSet: [{ slug: 'new', type: 'RADIO', label: ' ' }] },
      ['REQUIRED bookingFieldsSet 0 label', 'REQUIRED bookingFieldsSet 0 options'],
    ],
    [{ bookingFieldsRemove: ['nothing'] }, ['UNKNOWN_FIELD bookingFieldsRemove 0']],
    [{ bookingFieldsOrder: ['topic', '\u0000'] }, ['UNKNOWN_FIELD bookingFieldsOrder 1']],
    [{ bookingFieldsRemove: ['topic'], bookingFieldsOrder: ['topic'] }, ['UNKNOWN_FIELD bookingFieldsOrder 0']],
    [{ bookingFieldsOrder: Array.from({ length: 5_000 }, () => 'topic') }, ['TOO_MANY bookingFieldsOrder']],
    [
      { bookingFieldsSet: Array.from({ length: 51 }, (_, n) => ({ slug: `s${n}`, type: 'TEXT', label: 'A' })) },
      ['TOO_MANY bookingFieldsSet'],
    ],
    [
      { bookingFieldsSet: Array.from({ length: 49 }, (_, n) => ({ slug: `s${n}`, type: 'TEXT', label: 'A' })) },
      ['TOO_MANY bookingFieldsSet'],
    ],
    [{ bookingFieldsSet: Array.from({ length: 48 }, (_, n) => ({ slug: `s${n}`, type: 'TEXT', label: 'A' })) }, []],
  ])('changed by slug: of two stored fields, %.80j is %j', async (patch, expected) => {
    const { eventTypeId } = await create(await everything());
    expect((await bob.change('eventTypeUpdate', { eventTypeId, ...patch })).mistakes).toEqual(expected);
  });
});

describe('the schedule of an event type', () => {
  test('is one of its owner’s: somebody else’s is as good as missing', async () => {
    const own = await ownSchedule(bob);
    const ids = [await ownSchedule(api.as('ada')), unknownId('schedule', uuidOf(bob.userId)), 'sch_\u0000'];
    expect((await create({ scheduleId: own })).eventType.scheduleId).toBe(own);
    const { eventTypeId } = await create();
    for (const scheduleId of ids) {
      const made = await bob.change('eventTypeCreate', { ...newType(), scheduleId });
      const changed = await bob.change('eventTypeUpdate', { eventTypeId, scheduleId });
      expect([made.mistakes, changed.mistakes]).toEqual([['NOT_FOUND scheduleId'], ['NOT_FOUND scheduleId']]);
    }
    expect((await update(eventTypeId, { scheduleId: own })).scheduleId).toBe(own);
  });

  test('cannot be deleted before it has another', async () => {
    const scheduleId = await ownSchedule(bob);
    const { eventTypeId } = await create({ scheduleId });
    const remove = () => bob.change('scheduleDelete', { scheduleId });
    expect((await remove()).mistakes).toEqual(['SCHEDULE_IN_USE scheduleId']);
    expect((await update(eventTypeId, {})).scheduleId).toBe(scheduleId);
    await update(eventTypeId, { scheduleId: null });
    expect((await remove()).mistakes).toEqual([]);
  });

  test('is kept or deleted when both are asked for at the same moment, never missing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const scheduleId = await ownSchedule(bob);
      const [made, deleted] = await Promise.all([
        bob.change('eventTypeCreate', { ...newType(), scheduleId }),
        bob.change('scheduleDelete', { scheduleId }),
      ]);
      expect([...made.codes, ...deleted.codes]).toEqual([]);
      const outcome = [made.mistakes.join(), deleted.mistakes.join()];
      expect([
        ['', 'SCHEDULE_IN_USE scheduleId'],
        ['NOT_FOUND scheduleId', ''],
      ]).toContainEqual(outcome);
    }
  });

  test('does not keep its owner’s account from being deleted', async () => {
    const somebody = await api.newUser('short-lived');
    const scheduleId = await ownSchedule(somebody);
    const made = await somebody.change('eventTypeCreate', { ...newType(), scheduleId });
    expect(made.mistakes).toEqual([]);
    await api.database.em.getConnection().execute('delete from users where id = ?', [uuidOf(somebody.userId)]);
    const left = await api.database.em
      .getConnection()
      .execute('select 1 from schedules where id = ?', [uuidOf(scheduleId)]);
    expect(left).toEqual([]);
  });
});

describe('the address of an event type', () => {
  test('is that of its owner’s booking page', async () => {
    const document = `{ me { eventTypes(first: 1) { nodes { bookingUrl } }
      teams { nodes { eventTypes(first: 1) { nodes { bookingUrl } } } } } }`;
    const { data } = await api.as('ada').ask(document);
    expect(data.me.eventTypes.nodes).toEqual([{ bookingUrl: 'https://gatehouse.test/book/ada/intro' }]);
    expect(data.me.teams.nodes[0].eventTypes.nodes).toEqual([
      { bookingUrl: 'https://gatehouse.test/book/organization/acme/sales/demo' },
    ]);
    const dan = api.as('dan');
    const teamId = (await dan.ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes[0].id;
    const made = await dan.change(
      'teamEventTypeCreate',
      { teamId, ...newType(), slug: 'call' },
      'eventType { bookingUrl }',
    );
    expect(made.data.eventType.bookingUrl).toBe('https://gatehouse.test/book/team/studio/call');
  });

  test('costs one statement for a whole list', async () => {
    const { statements: without } = await bob.ask('{ me { eventTypes(first: 20) { nodes { id } } } }');
    const { statements } = await bob.ask('{ me { eventTypes(first: 20) { nodes { bookingUrl } } } }');
    expect(statements).toBe(without + 1);
  });
});

test('settings that only a team can have are no part of a user’s event type', async () => {
  const acme = (await api.as('ada').ask('{ me { organizations { nodes { id } } } }')).data.me.organizations.nodes[0].id;
  const through = { organizationId: acme, userId: bob.userId };
  const change = (input: object) =>
    api.as('ada').change('organizationEventTypeCreate', { ...through, ...newType(), ...input });
  expect((await change({ schedulingType: 'COLLECTIVE' })).mistakes).toEqual(['NOT_POSSIBLE schedulingType']);
  expect((await change({ assignsAllMembers: true })).mistakes).toEqual(['NOT_POSSIBLE assignsAllMembers']);
  expect((await change({ hosts: [{ userId: bob.userId }] })).mistakes).toEqual(['NOT_POSSIBLE hosts']);
  expect((await change({ scheduleId: await ownSchedule(bob) })).mistakes).toEqual([]);
});

test('settings are written by WRITE and read by READ', async () => {
  const { eventTypeId } = await create();
  const input = { eventTypeId, seats: { perSlot: 2, showsAttendees: false } };
  expect((await api.as('bob', ['EVENT_TYPE_READ']).change('eventTypeUpdate', input)).codes).toEqual([
    'INSUFFICIENT_SCOPE',
  ]);
  expect((await api.as('bob', ['EVENT_TYPE_WRITE']).change('eventTypeUpdate', input)).mistakes).toEqual([]);
  const read = 'query($id: ID!) { me { eventType(id: $id) { seats { perSlot } } } }';
  expect((await api.as('bob', ['EVENT_TYPE_WRITE']).ask(read, { id: eventTypeId })).codes).toEqual([
    'INSUFFICIENT_SCOPE',
  ]);
  const { data } = await api.as('bob', ['EVENT_TYPE_READ']).ask(read, { id: eventTypeId });
  expect(data.me.eventType).toEqual({ seats: { perSlot: 2 } });
});
