/**
 * Every filter of the schema that a list declares, against a reading of the whole list: what is narrowed shows, in the same order,
 * what a filter in plain words leaves of it. Bookings have their own (booking-lists.test.ts), but for their text.
 */
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { MOST_SEARCHED } from '../../src/graphql/list-filter.ts';
import { buildSchemas } from '../../src/schema.ts';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { FROM } from './booking-pages.ts';
import { groupId } from './every-value/things-there.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- nodes of every shape
type Node = any;
type Fits = (node: Node, value: never) => boolean;

interface InWords {
  /** Tells the nodes apart, unless `id` does. */
  readonly id?: string;
  /** The fields by which it is decided. */
  readonly shows: string;
  readonly fields: Readonly<Record<string, Fits>>;
  /** Values beside those that the nodes have. */
  readonly values: (nodes: readonly Node[]) => Readonly<Record<string, readonly unknown[]>>;
}

const has = (text: string, ...texts: readonly (string | null)[]): boolean =>
  texts.some((one) => one?.toLowerCase().includes(text.trim().toLowerCase()));
const pieces = (...texts: readonly (string | null)[]): string[] => [
  ...texts
    .flatMap((text) => (text ? [text.slice(1, 4).toUpperCase(), text, ` ${text}\t`] : []))
    .filter((text) => text.trim() !== ''),
  '%',
  '_',
  'no such text',
];
const BOTH = [true, false];
const ofPerson: Readonly<Record<string, Fits>> = {
  // Nobody is shown of an invitation, nor found by what they are called.
  text: ({ user }, text: string) => user !== null && has(text, user.name, user.username, user.email),
  email: ({ user }, email: string) => user?.email?.toLowerCase() === email.toLowerCase(),
};
const personValues = (users: readonly Node[]) => ({
  text: users.flatMap(({ name, username, email }) => pieces(name, username, email)),
  email: [...users.flatMap(({ email }) => (email ? [email, email.toUpperCase()] : [])), 'nobody@example.test'],
});
interface Period {
  readonly from?: string;
  readonly to?: string;
}
const isIn =
  (timeOf: (node: Node) => string): Fits =>
  (node, { from, to }: Period) =>
    (from === undefined || timeOf(node) >= from) && (to === undefined || timeOf(node) < to);
const periods = (times: readonly string[]): Period[] => [
  ...times.flatMap((time) => [{ from: time }, { to: time }]),
  { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
  { to: '2001-01-01T00:00:00Z' },
];
/** Event types with held slots, by their titles. */
const eventTypeIds: Record<string, string> = {};
const ROLES = [['OWNER'], ['ADMIN', 'MEMBER'], []];

const FILTERS: Readonly<Record<string, InWords>> = {
  EventTypeFilterInput: {
    shows: 'slug title description isHidden',
    fields: {
      slug: ({ slug }, value: string) => slug === value,
      isHidden: ({ isHidden }, value: boolean) => isHidden === value,
      text: ({ title, slug, description }, text: string) => has(text, title, slug, description),
    },
    values: (nodes) => ({
      slug: [...nodes.map(({ slug }) => slug), 'nothing'],
      isHidden: BOTH,
      text: nodes.flatMap(({ title, slug, description }) => pieces(title, slug, description)),
    }),
  },
  ScheduleFilterInput: {
    shows: 'name',
    fields: { text: ({ name }, text: string) => has(text, name) },
    values: (nodes) => ({ text: nodes.flatMap(({ name }) => pieces(name)) }),
  },
  OutOfOfficeFilterInput: {
    shows: 'start end',
    fields: {
      during: ({ start, end }, { from, to }: { from?: string; to?: string }) =>
        (from === undefined || end > from) && (to === undefined || start < to),
    },
    values: (nodes) => ({
      during: nodes.flatMap(({ start, end }) => [
        { from: start },
        { from: end },
        { to: start },
        { to: end },
        { from: start, to: end },
        { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
      ]),
    }),
  },
  WebhookFilterInput: {
    shows: 'status triggers url',
    fields: {
      statuses: ({ status }, statuses: readonly string[]) => statuses.includes(status),
      triggers: ({ triggers }, given: readonly string[]) => given.some((one) => triggers.includes(one)),
      text: ({ url }, text: string) => has(text, url),
    },
    values: (nodes) => ({
      statuses: [['ACTIVE'], ['INACTIVE', 'PAUSED'], ['DISABLED'], []],
      triggers: [['BOOKING_CREATED'], ['BOOKING_CANCELLED', 'MEETING_ENDED'], []],
      text: nodes.flatMap(({ url }) => pieces(url)),
    }),
  },
  WorkflowFilterInput: {
    shows: 'trigger isActive name',
    fields: {
      triggers: ({ trigger }, triggers: readonly string[]) => triggers.includes(trigger),
      isActive: ({ isActive }, value: boolean) => isActive === value,
      text: ({ name }, text: string) => has(text, name),
    },
    values: (nodes) => ({
      triggers: [['NEW_BOOKING'], ['ROUTING_FORM_SUBMITTED', 'BOOKING_CANCELLED'], []],
      isActive: BOTH,
      text: nodes.flatMap(({ name }) => pieces(name)),
    }),
  },
  RoutingFormFilterInput: {
    shows: 'name description isActive',
    fields: {
      isActive: ({ isActive }, value: boolean) => isActive === value,
      text: ({ name, description }, text: string) => has(text, name, description),
    },
    values: (nodes) => ({
      isActive: BOTH,
      text: nodes.flatMap(({ name, description }) => pieces(name, description)),
    }),
  },
  MembershipFilterInput: {
    shows: 'role isAccepted user { name username email }',
    fields: {
      roles: ({ role }, roles: readonly string[]) => roles.includes(role),
      isAccepted: ({ isAccepted }, value: boolean) => isAccepted === value,
      ...ofPerson,
    },
    values: (nodes) => ({ roles: ROLES, isAccepted: BOTH, ...personValues(nodes.flatMap(({ user }) => user ?? [])) }),
  },
  MemberFilterInput: {
    shows: 'name username email',
    fields: {
      // Nothing of the people themselves tells their role: their memberships do.
      roles: ({ role }, roles: readonly string[]) => roles.includes(role),
      text: (user, text: never) => ofPerson['text']?.({ user }, text) ?? false,
      email: (user, email: never) => ofPerson['email']?.({ user }, email) ?? false,
    },
    values: personValues,
  },
  InvitationFilterInput: {
    shows: 'role email',
    fields: {
      roles: ({ role }, roles: readonly string[]) => roles.includes(role),
      text: ({ email }, text: string) => has(text, email),
    },
    values: (nodes) => ({ roles: ROLES, text: nodes.flatMap(({ email }) => pieces(email)) }),
  },
  ReservedSlotFilterInput: {
    shows: 'start title',
    fields: {
      // It is known by its title here.
      eventTypeIds: ({ title }, ids: readonly string[]) => ids.includes(eventTypeIds[title] ?? ''),
      start: isIn(({ start }) => start),
    },
    values: (nodes) => ({
      eventTypeIds: [...Object.values(eventTypeIds).map((id) => [id]), Object.values(eventTypeIds), ['nothing'], []],
      start: periods(nodes.map(({ start }) => start)),
    }),
  },
  PrivateLinkFilterInput: {
    shows: 'isExpired',
    fields: { isExpired: ({ isExpired }, value: boolean) => isExpired === value },
    values: () => ({ isExpired: BOTH }),
  },
  WebhookDeliveryFilterInput: {
    shows: 'status trigger createdAt',
    fields: {
      statuses: ({ status }, statuses: readonly string[]) => statuses.includes(status),
      triggers: ({ trigger }, triggers: readonly string[]) => triggers.includes(trigger),
      createdAt: isIn(({ createdAt }) => createdAt),
    },
    values: (nodes) => ({
      statuses: [['DELIVERED'], ['FAILED', 'PENDING'], []],
      triggers: [['BOOKING_CREATED'], ['MEETING_ENDED'], []],
      createdAt: periods(nodes.map(({ createdAt }) => createdAt)),
    }),
  },
  TeamFilterInput: {
    shows: 'name slug',
    fields: { text: ({ name, slug }, text: string) => has(text, name, slug) },
    values: (nodes) => ({ text: nodes.flatMap(({ name, slug }) => pieces(name, slug)) }),
  },
  AppointmentFilterInput: {
    id: 'bookingId',
    shows: 'start',
    fields: { start: isIn(({ start }) => start) },
    values: (nodes) => ({ start: periods(nodes.map(({ start }) => start)) }),
  },
  RoutingFormResponseFilterInput: {
    shows: 'createdAt',
    fields: { createdAt: isIn(({ createdAt }) => createdAt) },
    values: (nodes) => ({ createdAt: periods(nodes.map(({ createdAt }) => createdAt)) }),
  },
  OrganizationFilterInput: {
    shows: 'name slug',
    fields: { text: ({ name, slug }, text: string) => has(text, name, slug) },
    values: (nodes) => ({ text: nodes.flatMap(({ name, slug }) => pieces(name, slug)) }),
  },
};

const { schema } = buildSchemas().forTokens;
const LISTS = ['Viewer', 'Team', 'Organization', 'EventType', 'Webhook', 'EventTypeWebhook', 'RoutingForm'].flatMap(
  (door) => {
    const type = schema.getType(door);
    return Object.values(isObjectType(type) ? type.getFields() : {}).flatMap(({ name, args }) => {
      const filter = getNamedType(args.find((argument) => argument.name === 'filter')?.type);
      return filter && filter.name !== 'BookingFilterInput'
        ? [[`${door}.${name}`, door, name, filter.name] as const]
        : [];
    });
  },
);

let api: TestApi;
/** The fields that lead to each, from the root on. */
const doors: Record<string, readonly string[]> = { Viewer: ['me'] };

/** Reads a list, as Ada. */
async function listAt(door: string, list: string, declared: string, variables: Record<string, unknown>) {
  const way = here(doors[door], door);
  const document = `query(${declared}) { ${way.map((field) => `door: ${field} {`).join(' ')} list: ${list} ${way.map(() => '}').join('')} }`;
  const { data, codes, errors } = await api.as('ada').ask(document, variables);
  let at: Node = data;
  for (const _ of way) at = at?.door;
  return { list: at?.list, codes, errors };
}

beforeAll(async () => {
  api = await openTestApi();
  const [teamId, organizationId] = [await groupId(api, 'team', 'sales'), await groupId(api, 'organization', 'acme')];
  doors['Team'] = [`team(id: "${teamId}")`];
  doors['Organization'] = [`organization(id: "${organizationId}")`];
  for (const who of ['ada', 'bob', 'cyd']) await addThings(api.as(who), who);
  const ada = api.as('ada');
  const webhook = { organizationId, url: 'https://hooks.example/of-acme', triggers: ['BOOKING_CREATED'] };
  await done(ada.change('organizationWebhookCreate', webhook));
  const steps = [{ action: 'EMAIL_HOST', subject: 'New', body: 'Hello' }];
  const workflow = { teamId, steps, name: 'Welcome' };
  await done(ada.change('teamWorkflowCreate', { ...workflow, trigger: 'NEW_BOOKING' }));
  await done(
    ada.change('teamWorkflowCreate', { ...workflow, name: 'Bye', trigger: 'BOOKING_CANCELLED', isActive: false }),
  );
  for (const [owner, name] of [
    [{ teamId }, 'Contact'],
    [{ teamId }, 'Prices'],
    [{ organizationId }, 'Press'],
  ] as const) {
    await newRoutingForm(api.signedIn('ada'), owner, { name, description: `For ${name}` });
  }
  const dan = api.as('dan').userId;
  await done(ada.change('organizationMembershipCreate', { organizationId, userId: dan, role: 'ADMIN' }));
  await addReservedSlots(teamId);
  await addWhatIsBelow();
  await addResponses(teamId);
  await changed(api.database.em.fork(), sql`update booking_attendees set email = 'ada@acme.test'`);
  for (const email of ['grace@example.test', 'Hopper@example.test']) {
    await done(ada.change('organizationInvitationCreate', { organizationId, email, role: 'MEMBER' }));
    await done(ada.change('teamInvitationCreate', { teamId, email, role: 'ADMIN' }));
  }
});
afterAll(() => api.close());

async function addThings(who: TestCaller, username: string): Promise<void> {
  const times = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z' };
  await done(who.change('outOfOfficeCreate', { ...times, reason: 'Ill' }));
  await done(who.change('outOfOfficeCreate', { start: times.end, end: '2031-01-09T00:00:00Z' }));
  await done(who.change('scheduleCreate', { name: `Nights of ${username}`, timeZone: 'UTC' }));
  const webhook = { url: `https://hooks.example/${username}`, triggers: ['BOOKING_CREATED'] };
  await done(who.change('webhookCreate', webhook));
  await done(
    who.change('webhookCreate', { url: 'https://other.example/', triggers: ['MEETING_ENDED'], isActive: false }),
  );
  const eventType = {
    title: `Ähnlich 100 %_ ${username}`,
    slug: `of-${username}`,
    durationInMinutes: 30,
    isHidden: true,
  };
  await done(who.change('eventTypeCreate', eventType));
}

/** Somebody keeps slots of an event type of Ada's and of one of the team's. */
async function addReservedSlots(teamId: string): Promise<void> {
  const ada = api.as('ada');
  for (const [index, create] of ['eventTypeCreate', 'teamEventTypeCreate', 'teamEventTypeCreate'].entries()) {
    const title = `Held ${index}`;
    const team =
      create === 'teamEventTypeCreate' ? { teamId, schedulingType: 'COLLECTIVE', hosts: [{ userId: ada.userId }] } : {};
    const input = { title, slug: `held-${index}`, durationInMinutes: 30, ...team };
    const { eventTypeId } = (await ada.change(create, input, 'eventTypeId')).data;
    eventTypeIds[title] = eventTypeId;
    const { ownerId, id } = ownedUuidOf(eventTypeId);
    const startsAt = sql`${FROM}::timestamptz + (n + ${3 * index}) * interval '1 hour'`;
    await changed(
      api.database.em.fork(),
      sql`insert into slot_reservations (owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at, host_ids, callers, held_since,
            expires_at, created_at)
          select e.owner_id, gen_random_uuid(), e.user_id, e.team_id, e.id, ${startsAt}, ${startsAt} + interval '30 minutes',
            array[${uuidOf(ada.userId)}::uuid], array['somebody ' || n], now(), now() + interval '1 hour', now()
          from event_types e, generate_series(1, 2) n where e.owner_id = ${ownerId} and e.id = ${id}`,
    );
  }
}

/** Links and webhooks of an event type of Ada's, of which one link is used up, and what the webhooks were sent. */
async function addWhatIsBelow(): Promise<void> {
  const ada = api.as('ada');
  const { data } = await ada.ask(
    '{ me { eventTypes(first: 1) { nodes { id } } webhooks(first: 1) { nodes { id } } } }',
  );
  const [eventTypeId, webhookId] = [data.me.eventTypes.nodes[0].id, data.me.webhooks.nodes[0].id];
  doors['EventType'] = ['me', `eventType(id: "${eventTypeId}")`];
  doors['Webhook'] = ['me', `webhook(id: "${webhookId}")`];
  const webhook = { eventTypeId, url: 'https://hooks.example/of-it', triggers: ['BOOKING_CREATED'] };
  const { eventTypeWebhookId } = (await ada.change('eventTypeWebhookCreate', webhook, 'eventTypeWebhookId')).data;
  doors['EventTypeWebhook'] = ['me', `eventTypeWebhook(id: "${eventTypeWebhookId}")`];
  for (const limits of [{}, { maxUsageCount: 2 }, { expiresAt: '2099-01-01T00:00:00Z' }]) {
    await done(ada.change('privateLinkCreate', { eventTypeId, ...limits }));
  }
  const em = api.database.em.fork();
  await changed(em, sql`update private_links set usage_count = 1`);
  for (const id of [webhookId, eventTypeWebhookId].map(ownedUuidOf)) {
    for (const status of ['PENDING', 'DELIVERED', 'FAILED'] as const) await storeDelivery(em, id, status);
  }
  await changed(
    em,
    sql`update webhook_deliveries set trigger = 'MEETING_ENDED', created_at = '2026-12-02' where status = 'FAILED'`,
  );
}

async function addResponses(teamId: string): Promise<void> {
  const routingFormId = await newRoutingForm(api.signedIn('ada'), { teamId }, { name: 'Survey' });
  doors['RoutingForm'] = [`team(id: "${teamId}")`, `routingForm(id: "${routingFormId}")`];
  for (const company of ['a', 'b', 'c']) {
    await done(api.as('ada').change('teamRoutingFormResponseCreate', { teamId, routingFormId, answers: { company } }));
  }
  await changed(
    api.database.em.fork(),
    sql`update routing_form_responses set created_at = '2026-12-02' where answers ->> 'company' = 'b'`,
  );
}

async function done(change: ReturnType<TestCaller['change']>): Promise<void> {
  const { codes, mistakes } = await change;
  expect([codes, mistakes]).toEqual([[], []]);
}

test('every filter of the schema is here, with its fields', () => {
  const declared = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .filter(({ name }) => name.endsWith('FilterInput') && name !== 'BookingFilterInput')
    .map((type) => [type.name, Object.keys(type.getFields()).toSorted()]);
  expect(Object.fromEntries(declared)).toEqual(
    Object.fromEntries(Object.entries(FILTERS).map(([name, { fields }]) => [name, Object.keys(fields).toSorted()])),
  );
});

describe('a list narrowed by one field shows what fits, in its order, and counts it:', () => {
  test.each(LISTS)('%s', async (_, door, list, name) => {
    const { id = 'id', shows, fields, values } = here(FILTERS[name], name);
    const read = async (filter: object) => {
      const narrowed = `${list}(filter: $filter, first: 100) { nodes { ${id} ${shows} } totalCount }`;
      const found = await listAt(door, narrowed, `$filter: ${name}`, { filter });
      expect(found.codes).toEqual([]);
      return found.list;
    };
    const { nodes } = await read({});
    let narrower = 0;
    for (const [field, given] of Object.entries(values(nodes))) {
      for (const value of new Set(given)) {
        const fits = here(fields[field], field);
        const left = nodes.filter((node: Node) => fits(node, value as never));
        expect([field, value, await read({ [field]: value })]).toEqual([
          field,
          value,
          { nodes: left, totalCount: left.length },
        ]);
        if (left.length < nodes.length) narrower += 1;
      }
    }
    expect(nodes.length).toBeGreaterThan(0);
    expect(narrower).toBeGreaterThan(0);
  });
});

describe('a cursor goes on within the filter that it was made with, and in no other:', () => {
  test.each(LISTS)('%s', async (_, door, list, name) => {
    const { id = 'id', shows, values } = here(FILTERS[name], name);
    const read = (filter: object | null, after: string | null, first: number) => {
      const page = `${list}(filter: $filter, after: $after, first: $first) { nodes { ${id} ${shows} } pageInfo { endCursor } }`;
      return listAt(door, page, `$filter: ${name}, $after: String, $first: Int`, { filter, after, first });
    };
    const all = (await read(null, null, 100)).list.nodes;
    const possible = Object.entries(values(all)).flatMap(([field, given]) =>
      given.map((value) => ({ [field]: value })),
    );
    let [filter, narrowed]: [object, Node[]] = [{}, []];
    for (filter of possible) {
      narrowed = (await read(filter, null, 100)).list.nodes;
      if (narrowed.length > 0) break;
    }
    const { endCursor } = (await read(filter, null, 1)).list.pageInfo;
    const next = await read(filter, endCursor, 100);
    expect(next.codes).toEqual([]);
    expect(next.list.nodes).toEqual(narrowed.slice(1));

    const ofAll = (await read({}, null, 1)).list.pageInfo.endCursor;
    expect((await read(null, ofAll, 100)).list.nodes).toEqual(all.slice(1));
    for (const [otherFilter, cursor] of [
      [null, endCursor],
      [filter, ofAll],
    ]) {
      const { codes, errors } = await read(otherFilter, cursor, 100);
      expect(codes).toEqual(['BAD_INPUT']);
      expect(errors[0]?.message).toContain('a cursor that was made with another filter; send it with');
    }
  });
});

test('all fields of a filter have to fit', async () => {
  const document = `query($filter: EventTypeFilterInput) { me { eventTypes(filter: $filter) { nodes { slug } } } }`;
  const read = async (filter: object) => (await api.as('ada').ask(document, { filter })).data.me.eventTypes.nodes;
  expect(await read({ isHidden: true, text: 'of-ADA' })).toEqual([{ slug: 'of-ada' }]);
  expect(await read({ isHidden: false, text: 'of-ADA' })).toEqual([]);
});

test('people of an organization are found by their role there', async () => {
  const { data } = await api.as('ada').ask(
    `{ door: ${doors['Organization']?.[0]} { users(filter: { roles: [OWNER] }) { nodes { username } }
       memberships(filter: { roles: [OWNER], isAccepted: true }) { nodes { user { username } } } } }`,
  );
  expect(data.door.users.nodes).toEqual([{ username: 'ada' }]);
  expect(data.door.memberships.nodes).toEqual([{ user: { username: 'ada' } }]);
});

test('nobody finds an invited person by what is not shown of them', async () => {
  const document = `query($filter: MembershipFilterInput) {
    door: ${doors['Organization']?.[0]} { memberships(filter: $filter) { nodes { user { id } } } } }`;
  for (const filter of [{ text: 'dan' }, { email: 'dan@solo.test' }]) {
    expect((await api.as('ada').ask(document, { filter })).data.door.memberships.nodes).toEqual([]);
  }
});

test.each(['', 'x'.repeat(MOST_SEARCHED + 1)])('a text of no length, or of too much, is refused: %#', async (text) => {
  const { errors, codes } = await api
    .as('ada')
    .ask('query($text: String) { me { eventTypes(filter: { text: $text }) { nodes { id } } } }', { text });
  expect(codes).toEqual(['BAD_INPUT']);
  expect(errors[0]?.message).toContain(`text has ${text.length} characters`);
});

test('a blank text is refused, and so is an address that is none, as in every list', async () => {
  const ask = (list: string, filter: object) =>
    api
      .as('ada')
      .ask(
        `query($filter: ${list}FilterInput) { me { ${list === 'EventType' ? 'eventTypes' : 'bookings'}(filter: $filter) { nodes { id } } } }`,
        { filter },
      );
  const blank = await ask('EventType', { text: ' \t ' });
  expect([blank.codes, blank.errors[0]?.message]).toEqual([
    ['BAD_INPUT'],
    `text is blank; search for 1 to ${MOST_SEARCHED} characters.`,
  ]);
  expect((await ask('Booking', { attendeeEmail: 'nonsense' })).codes).toEqual(['INVALID_EMAIL']);
  const id = await groupId(api, 'team', 'sales');
  const members =
    'query($id: ID!, $email: EmailAddress) { team(id: $id) { memberships(filter: { email: $email }) { nodes { id } } } }';
  const { codes, errors } = await api.as('ada').ask(members, { id, email: 'nonsense' });
  expect([codes, errors[0]?.extensions?.['argument']]).toEqual([['INVALID_EMAIL'], ['filter', 'email']]);
});

test('a text that PostgreSQL could not hold is found nowhere', async () => {
  for (const text of ['a\0', '\ud800']) {
    const { data } = await api
      .as('ada')
      .ask('query($text: String) { me { eventTypes(filter: { text: $text }) { nodes { id } } } }', { text });
    expect(data.me.eventTypes.nodes).toEqual([]);
  }
});

test.each(['me', 'organization'])('bookings are found by their text: %s', async (door) => {
  const at = door === 'me' ? 'me' : doors['Organization']?.[0];
  const shows = 'id title attendees { name email }';
  const read = async (filter: object) => {
    const document = `query($filter: BookingFilterInput) { door: ${at} { bookings(filter: $filter) { nodes { ${shows} } totalCount } } }`;
    const { data, codes } = await api.as('ada').ask(document, { filter });
    expect(codes).toEqual([]);
    return data.door.bookings;
  };
  const { nodes } = await read({});
  expect(nodes.length).toBeGreaterThan(0);
  const texts = nodes.flatMap(({ title, attendees }: Node) => [
    ...pieces(title),
    ...attendees.flatMap(({ name, email }: Node) => pieces(name, email)),
  ]);
  for (const text of new Set<string>(texts)) {
    const left = nodes.filter(({ title, attendees }: Node) =>
      has(text, title, ...attendees.flatMap(({ name, email }: Node) => [name, email])),
    );
    expect([text, await read({ text })]).toEqual([text, { nodes: left, totalCount: left.length }]);
  }
});

function here<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name} is not here.`);
  return value;
}
