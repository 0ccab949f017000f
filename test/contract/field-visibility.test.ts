import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { askForParts, selectionOf } from '../api/every-value/read-everything.ts';
import { NOWHERE, openWorld, type Place, type Role, type World } from '../api/standings/world.ts';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import type { TestCaller } from '../support/api.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { storeFeed } from '../support/feeds.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { FORM, newRoutingForm } from '../support/routing-forms.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { storeFullBooking } from './field-visibility/a-full-booking.ts';
import { CLASSES, classOf } from './field-visibility/classes.ts';

const { forTokens, forSessions } = buildSchemas();

test('every field of every type is in the table of visibility, once', () => {
  const listed = Object.entries(CLASSES).flatMap(([type, classes]) =>
    Object.values(classes).flatMap((fields) => fields.split(' ').map((field) => `${type}.${field}`)),
  );
  const named = Object.values(forSessions.schema.getTypeMap()).filter(isObjectType);
  // The caller of a mutation has written its answer; pages and their edges show what they list.
  const shown = named.filter(
    ({ name }) => !/^__|^Mutation$|(?:Payload|UserError|Connection|Edge|PageInfo)$/.test(name),
  );
  const fields = shown.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
  expect(listed.toSorted()).toEqual(fields.toSorted());
});

/**
 * The owner of a thing, as far as it is somebody's: a plain member, or the owner of everything; hidden things apart.
 */
type Whose = '' | 'LOW' | 'HIGH' | 'LOW hidden' | 'HIGH hidden';

/** A field by the way that leads to it: `Team.eventTypes > EventType.privateLinks`. */
type Seen = Set<`${Whose}: ${string}`>;

const PLACES: Readonly<Record<string, Place>> = {
  'a stranger': { organization: null, team: null, state: 'ACCEPTED' },
  'somebody invited': { organization: 'MEMBER', team: 'OWNER', state: 'INVITED' },
  'a member of the organization': { organization: 'MEMBER', team: null, state: 'ACCEPTED' },
  'a member of the team': { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' },
  'an administrator of the team': { organization: 'MEMBER', team: 'ADMIN', state: 'ACCEPTED' },
  'an owner of the team': { organization: 'MEMBER', team: 'OWNER', state: 'ACCEPTED' },
  'an administrator of the organization': { organization: 'ADMIN', team: null, state: 'ACCEPTED' },
  'an owner of the organization': { organization: 'OWNER', team: null, state: 'ACCEPTED' },
  'an owner of a sibling team': { organization: 'MEMBER', team: null, state: 'ACCEPTED' },
  'an owner of another organization': NOWHERE,
};
const ROLES: readonly (Role | null)[] = [null, 'MEMBER', 'ADMIN', 'OWNER'];
const DOORS = ['Team', 'Organization'] as const;
type Door = (typeof DOORS)[number];
/** Nothing behind this door has these: a team's event type has no schedule of its own, and follows no other. */
const NEVER_THERE: Readonly<Record<Door, readonly string[]>> = {
  Team: [
    'EventType.scheduleId',
    'EventType.parent',
    'ParentEventType.id',
    'ParentEventType.title',
    'ParentEventType.teamId',
    'EventTypeOwner.username',
    'EventType.schedule',
  ],
  Organization: [],
};

/** Said anew here: 0 sees nothing, from 2 on it is an administrator. */
function rankOf({ organization, team, state }: Place, door: Door): number {
  const [inOrganization, inTeam] = [ROLES.indexOf(organization), state === 'INVITED' ? 0 : ROLES.indexOf(team)];
  if (door === 'Organization') return inOrganization;
  return inOrganization > 1 ? inOrganization + 2 : inTeam;
}
const RANKS: Readonly<Record<Door, Readonly<Record<string, number>>>> = {
  Team: { LOW: 1, HIGH: 5 },
  Organization: { LOW: 1, HIGH: 3 },
};

let world: World;
let owner: TestCaller;
const people = new Map<string, TestCaller>();
beforeAll(async () => {
  world = await openWorld();
  ({ owner } = world);
  for (const [name, place] of Object.entries(PLACES)) {
    people.set(name, await world.newPerson('team of an organization', place));
  }
  await ownOtherGroups();
  await fillIn(world.member, owner.userId);
  await fillIn(owner, world.member.userId);
  await fillInTeam();
});
afterAll(() => world.close());

/** Those who own something beside it. */
async function ownOtherGroups(): Promise<void> {
  const { api, organizationId } = world;
  const sibling = { organizationId, slug: 'sibling', name: 'Sibling' };
  const teamId = await did(owner, 'organizationTeamCreate', sibling, 'teamId');
  const { userId = '' } = people.get('an owner of a sibling team') ?? {};
  await changed(
    api.database.em.fork(),
    sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
        select ${newId()}::uuid, ${uuidOf(teamId)}::uuid, user_id, id, 'OWNER', true, now() from organization_memberships
        where user_id = ${uuidOf(userId)}`,
  );
  const elsewhere = people.get('an owner of another organization') ?? owner;
  const { data } = await elsewhere.ask('{ me { username } }');
  const founder = api.signedIn(data.me.username);
  const founded = await did(founder, 'organizationCreate', { slug: 'another', name: 'Another' }, 'organizationId');
  await did(elsewhere, 'organizationTeamCreate', { organizationId: founded, slug: 'team', name: 'Team' }, 'teamId');
}

describe.each(DOORS)('through the door of type %s', (door) => {
  test('the owner of everything sees every field that can have a value', async () => {
    const seen = new Set([...(await seenBy(owner, door))].map((way) => way.split(' > ').at(-1)?.split(': ').at(-1)));
    const all = coordinatesBelow(typeNamed(door));
    const unseen = [...all].filter((coordinate) => !seen.has(coordinate));
    expect(unseen, 'Nobody has a value there: give one in fillIn or fillInTeam.').toEqual(NEVER_THERE[door]);
  });

  test.each(Object.entries(PLACES))('%s sees what the table says, and nothing else', async (name, place) => {
    const all = await seenBy(owner, door);
    const rank = rankOf(place, door);
    const expected = [...all].filter((way) => isFor(rank, door, way));
    const seen = await seenBy(people.get(name) ?? world.api.nobody, door);
    // Things that are theirs alone are of no account here.
    expect([...seen].filter((way) => all.has(way)).toSorted()).toEqual(expected.toSorted());
    expect(seen.size === 0).toBe(rank === 0);
  });

  test('nobody who names no user sees anything', async () => {
    const { data, codes } = await world.api.nobody.ask(`{ door: ${doorOf(door)} { id } }`);
    expect([data, codes]).toEqual([undefined, ['UNAUTHENTICATED']]);
  });
});

test('one’s own door shows nothing of people with whom one has nothing in common', async () => {
  const stranger = people.get('a stranger') ?? owner;
  const data = await askForParts(stranger, typeNamed('Viewer'), 'me');
  expect(data?.door.id).toBe(stranger.userId);
  const text = JSON.stringify(data);
  for (const { userId } of [world.member, owner]) expect(text).not.toContain(userId);
});

test('public fields are the same for everybody, and show nothing that is hidden or private', async () => {
  const { data } = await world.member.ask('{ me { username email eventTypes { nodes { id hidden } } } }');
  const { username, email, eventTypes } = data.me;
  const hidden = eventTypes.nodes.find((one: { hidden: boolean }) => one.hidden).id;
  const shown = eventTypes.nodes.find((one: { hidden: boolean }) => !one.hidden).id;
  const type = selectionOf(typeNamed('PublicEventType'));
  const document = `query($shown: ID, $hidden: ID, $username: String) {
    shown: publicEventType(id: $shown) { ${type} } publicEventTypes(username: $username) { nodes { ${type} } }
    hidden: publicEventType(id: $hidden) { id } }`;
  const answers = await Promise.all(
    [world.api.nobody, owner, ...people.values()].map((who) => who.ask(document, { shown, hidden, username })),
  );
  const [first] = answers;
  expect(first?.data).toMatchObject({ shown: { id: shown }, hidden: null });
  expect(first?.data.publicEventTypes.nodes[0]).toEqual(first?.data.shown);
  for (const answer of answers) expect(answer.data).toEqual(first?.data);
  expect(JSON.stringify(first?.data)).not.toContain(email);
  expect(JSON.stringify(first?.data)).not.toMatch(/"(?:lnk|usr)_/);
});

describe('an app, with its secrets’ names and its failed requests,', () => {
  const shown = selectionOf(typeNamed('OAuthClient', forSessions.schema));

  async function seenBy(username: string): Promise<unknown> {
    const document = `query($id: String!) { oauthClient(clientId: $id) { ${shown} } }`;
    const { data, codes } = await world.api.signedIn(username).ask(document, { id: 'demo-app' });
    expect(codes).toEqual([]);
    const client = data.oauthClient;
    return client && [client.clientId, client.secrets.length, client.failedRequests.nodes.length];
  }

  test('is shown to its developer and to administrators of the service, and is not there for anybody else', async () => {
    await changed(
      world.api.database.em.fork(),
      sql`insert into oauth_failed_requests (id, client_id, endpoint, error, description, occurred_at)
          values (${newId()}, 'demo-app', 'TOKEN', 'invalid_grant', 'Refused.', now())`,
    );
    for (const username of ['ada', 'admin'])
      expect([username, await seenBy(username)]).toEqual([username, ['demo-app', 1, 1]]);
    for (const username of ['bob', 'dan']) expect([username, await seenBy(username)]).toEqual([username, null]);
  });

  test('waits for review before administrators alone', async () => {
    const queue = '{ oauthClientReviewQueue { nodes { clientId } } }';
    const answers = await Promise.all(['ada', 'dan', 'admin'].map((one) => world.api.signedIn(one).ask(queue)));
    expect(answers.map(({ codes }) => codes)).toEqual([[], [], []]);
    expect(answers.map(({ data }) => data.oauthClientReviewQueue.nodes.length > 0)).toEqual([false, false, true]);
  });
});

function isFor(rank: number, door: Door, way: string): boolean {
  if (rank === 0) return false;
  const [whose = '', steps = ''] = way.split(': ');
  const isAbove = (RANKS[door][whose.split(' ')[0] ?? ''] ?? 0) > rank;
  if (whose.endsWith('hidden') && isAbove) return false;
  return steps.split(' > ').every((coordinate) => {
    const of = classOf(coordinate);
    if (of === 'GROUP_ADMINISTRATORS') return rank > 1;
    return of === 'UP_TO_OWN_STANDING' ? !isAbove : of === 'AS_ABOVE';
  });
}

function doorOf(door: Door): string {
  const id = door === 'Team' ? world.teamOf('team of an organization') : world.organizationId;
  return `${door.toLowerCase()}(id: ${JSON.stringify(id)})`;
}

/** Each member's own, where nobody else is named: test/api/departures.test.ts asks for others'. */
function isOwn(coordinate: string): boolean {
  return /^(?:Team|Organization)\./.test(coordinate) && classOf(coordinate) === 'OWN_MEMBERSHIP';
}

async function seenBy(who: TestCaller, door: Door): Promise<Seen> {
  const type = typeNamed(door);
  const data = await askForParts(who, type, doorOf(door));
  const seen: Seen = new Set();
  if (data.door) look(type, data.door, { whose: '', way: [] }, seen);
  return seen;
}

function look(
  type: GraphQLObjectType,
  value: Record<string, unknown>,
  { whose, way }: { readonly whose: Whose; readonly way: readonly string[] },
  seen: Seen,
): void {
  const of = whoseIs(value) || whose;
  for (const [name, field] of Object.entries(type.getFields())) {
    const below = getNamedType(field.type);
    const found = itemsOf(value[name]);
    if (found.length === 0 || isOwn(`${type.name}.${name}`)) continue;
    const next = [...way, `${type.name}.${name}`];
    seen.add(`${of}: ${next.join(' > ')}`);
    const listed =
      isObjectType(below) && below.name.endsWith('Connection') ? getNamedType(below.getFields()['nodes']?.type) : below;
    if (!isObjectType(listed)) continue;
    for (const one of found) look(listed, one as Record<string, unknown>, { whose: of, way: next }, seen);
  }
}

/** The visible items of a value: empty texts and lists show nothing. */
function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && 'nodes' in value ? (value.nodes as unknown[]) : [value];
}

function whoseIs({ ownerId, userId, hidden }: Record<string, unknown>): Whose {
  const id = ownerId ?? userId;
  const name = id === owner.userId ? 'HIGH' : id === world.member.userId ? 'LOW' : '';
  return name !== '' && hidden === true ? `${name} hidden` : name;
}

/** All that a door can show without being told more; bookings have doors of their own. */
function coordinatesBelow(type: GraphQLObjectType, found = new Set<string>()): Set<string> {
  for (const [name, field] of Object.entries(type.getFields())) {
    const coordinate = `${type.name}.${name}`;
    if (
      found.has(coordinate) ||
      isOwn(coordinate) ||
      field.args.some(({ type: of, defaultValue }) => String(of).endsWith('!') && defaultValue === undefined)
    )
      continue;
    const below = getNamedType(field.type);
    const listed =
      isObjectType(below) && below.name.endsWith('Connection') ? getNamedType(below.getFields()['nodes']?.type) : below;
    if (isObjectType(listed) && ['Viewer', 'Team', 'Organization'].includes(listed.name)) continue;
    found.add(coordinate);
    if (isObjectType(listed)) coordinatesBelow(listed, found);
  }
  return found;
}

function typeNamed(name: string, schema = forTokens.schema): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  return type;
}

async function did(who: TestCaller, name: string, input: Record<string, unknown>, id = ''): Promise<string> {
  const { data, codes, mistakes } = await who.change(name, input, id);
  if (codes.length + mistakes.length > 0) throw new Error(`${name}: ${[...codes, ...mistakes].join(' ')}`);
  return data[id];
}

const WEEK = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z' };
const LIMIT = { count: 5, minutes: 300 };
/** Each setting of an event type, in as few of them as exclude each other. */
const SETTINGS = [
  {
    description: 'Words.',
    color: '#336699',
    metadata: { key: 'value' },
    lengthInMinutesOptions: [30, 60],
    slotIntervalInMinutes: 15,
    bookingWindow: { kind: 'ROLLING_DAYS', days: 30 },
    bookingLimits: { day: LIMIT, week: LIMIT, month: LIMIT, year: LIMIT },
    locations: [{ type: 'LINK', value: 'https://meet.example/1', label: 'Room' }],
    bookingFields: [{ type: 'SELECT', slug: 'topic', label: 'Topic', options: ['a'], placeholder: 'Choose' }],
    confirmation: { kind: 'SHORT_NOTICE', noticeInMinutes: 60 },
    disableCancelling: { minutesBefore: 60 },
    disableRescheduling: { minutesBefore: 60 },
    successRedirectUrl: 'https://thanks.example/',
    embedOrigins: ['https://www.example.com'],
  },
  {
    bookingWindow: { kind: 'DATE_RANGE', from: '2031-01-01', to: '2031-02-01' },
    seats: { perSlot: 2, showAttendees: true },
  },
  { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } },
];

/** Gives somebody one of everything. */
async function fillIn(who: TestCaller, colleagueId: string): Promise<void> {
  await did(who, 'profileUpdate', { avatarUrl: 'https://pictures.example/1.png' });
  const overrides = [{ date: '2031-01-06', start: '09:00', end: '10:00' }];
  const scheduleId = await did(who, 'scheduleCreate', { name: 'Hours', overrides }, 'scheduleId');
  await did(who, 'outOfOfficeCreate', { ...WEEK, reason: 'Ill', notes: 'At home', redirectToUserId: colleagueId });
  await fillInCalendars(who);
  await fillInVerified(who.userId);
  await storeFeed(world.api.database.em, who.userId, 'https://calendar.example/one.ics');
  await fillInWebhook(who, 'webhook');
  for (const [index, settings] of SETTINGS.entries()) {
    const input = { slug: `type-${index}`, title: 'Talk', lengthInMinutes: 30, hidden: index > 0, ...settings };
    const eventTypeId = await did(who, 'eventTypeCreate', { ...input, scheduleId }, 'eventTypeId');
    const limits = { expiresAt: '2031-01-01T00:00:00Z', maxUsageCount: 5 };
    await did(who, 'privateLinkCreate', { eventTypeId, ...limits });
    await fillInWebhook(who, 'eventTypeWebhook', { eventTypeId });
    if (index === 0) await fillInBooking(eventTypeId, who.userId);
  }
}

async function fillInVerified(owner: string): Promise<void> {
  const { em } = world.api.database;
  await storeVerified(em, 'EMAIL', owner, 'grace@example.test');
  await storeVerified(em, 'PHONE', owner, '+4930123456');
  // It has no account, so that there is a reason why it cannot be used.
  await storeApp(em, owner, 'zoom');
}

async function fillInCalendars(who: TestCaller): Promise<void> {
  const login = { username: 'ada@icloud.test', appPassword: 'app-password' };
  await did(who, 'caldavCalendarConnect', { ...login, server: 'cloud.example' });
  await changed(
    world.api.database.em.fork(),
    sql`update connected_calendars set read_at = now(), error = 'The calendar has too many events.'`,
  );
}

async function fillInWebhook(who: TestCaller, noun: string, of: object = {}, name = noun): Promise<void> {
  const input = { url: 'https://hooks.example/', triggers: ['BOOKING_CREATED'], ...of };
  const webhook = ownedUuidOf(await did(who, `${name}Create`, input, `${noun}Id`));
  const em = world.api.database.em.fork();
  await changed(
    em,
    sql`update webhooks set disabled_at = now(), disabled_reason = 'It failed.' where id = ${webhook.id}`,
  );
  await storeDelivery(em, webhook);
}

async function fillInBooking(eventTypeId: string, hostId: string): Promise<void> {
  const { ownerId, id } = ownedUuidOf(eventTypeId);
  await changed(
    world.api.database.em.fork(),
    sql`insert into slot_reservations (owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at, host_ids, handle, callers,
          held_since, expires_at, created_at)
        select owner_id, ${newId()}::uuid, user_id, team_id, id, now(), now() + interval '1 hour', array[${uuidOf(hostId)}::uuid],
          ${newId()}::uuid, '{}', now(), now() + interval '1 hour', now()
        from event_types where owner_id = ${ownerId} and id = ${id}`,
  );
  await storeFullBooking(world.api.database.em.fork(), ownerId, id, uuidOf(hostId));
}

const WORKFLOW_STEP = {
  action: 'EMAIL_ADDRESS',
  sendTo: 'grace@example.test',
  subject: 'New',
  body: 'Hello',
  senderName: 'Sales',
};

async function fillInWorkflow(teamId: string, eventTypeId: string): Promise<void> {
  const input = {
    teamId,
    name: 'Welcome',
    trigger: 'BEFORE_EVENT',
    offset: { value: 1, unit: 'DAY' },
    eventTypeIds: [eventTypeId],
    steps: [WORKFLOW_STEP],
  };
  await did(owner, 'teamWorkflowCreate', input);
}

async function fillInTeam(): Promise<void> {
  const teamId = world.teamOf('team of an organization');
  const more = {
    bio: 'We talk.',
    logoUrl: 'https://pictures.example/2.png',
    brandColor: '#1a7f37',
    metadata: { key: 'value' },
  };
  await did(owner, 'teamUpdate', { teamId, ...more });
  await fillInVerified(teamId);
  const { data } = await owner.ask('{ me { username } }');
  await did(world.api.signedIn(data.me.username), 'organizationUpdate', {
    organizationId: world.organizationId,
    ...more,
  });
  const { organizationId } = world;
  await fillInWebhook(owner, 'webhook', { organizationId }, 'organizationWebhook');
  const hosts = [{ userId: owner.userId }, { userId: world.member.userId }];
  for (const [index, settings] of SETTINGS.entries()) {
    const input = { teamId, slug: `type-${index}`, title: 'Talk', lengthInMinutes: 30, ...settings };
    const eventTypeId = await did(owner, 'teamEventTypeCreate', { ...input, hosts }, 'eventTypeId');
    if (index === 0) await fillInBooking(eventTypeId, owner.userId);
    if (index === 0) await fillInWorkflow(teamId, eventTypeId);
    await did(owner, 'teamPrivateLinkCreate', {
      teamId,
      eventTypeId,
      expiresAt: '2031-01-01T00:00:00Z',
      maxUsageCount: 5,
    });
    await fillInWebhook(owner, 'eventTypeWebhook', { teamId, eventTypeId }, 'teamEventTypeWebhook');
  }
  const managed = { teamId, slug: 'managed', title: 'Talk', lengthInMinutes: 30, schedulingType: 'MANAGED', hosts };
  await did(owner, 'teamEventTypeCreate', managed);
  await fillInForm({ teamId }, data.me.username);
  await fillInForm({ organizationId: world.organizationId }, data.me.username);
  const invited = { email: 'invited@mail.test', role: 'OWNER' };
  await did(owner, 'teamInvite', { teamId, ...invited });
  await did(owner, 'organizationInvite', { organizationId: world.organizationId, ...invited });
}

/** A form with everything that a form can have, and a response to it. */
async function fillInForm(of: { teamId: string } | { organizationId: string }, username: string): Promise<void> {
  const { data } = await world.api.as(username).ask('{ me { eventTypes(first: 1) { nodes { id } } } }');
  const [level, description] = 'teamId' in of ? ['team', 'Words.'] : ['organization', 'More words.'];
  const teamType = { ...of, slug: 'routed', title: 'Routed', lengthInMinutes: 30 };
  const eventTypeId =
    level === 'team'
      ? await did(owner, 'teamEventTypeCreate', teamType, 'eventTypeId')
      : data.me.eventTypes.nodes[0].id;
  const routes = [...FORM.routes, { conditions: FORM.routes[0]?.conditions, target: { eventTypeId } }];
  const routingFormId = await newRoutingForm(world.api.signedIn(username), of, { description, routes });
  const response = { ...of, routingFormId, answers: { company: 'ACME', size: 500 } };
  await did(owner, `${level}RoutingFormResponseCreate`, response, 'routingFormResponseId');
  if (level === 'team') {
    const workflow = { ...of, name: 'Forms', trigger: 'FORM_SUBMITTED', routingFormIds: [routingFormId] };
    await did(owner, 'teamWorkflowCreate', { ...workflow, steps: [WORKFLOW_STEP] });
  }
  await changed(
    world.api.database.em.fork(),
    sql`update routing_forms set fallback = jsonb_build_object('kind', 'EVENT_TYPE', 'ownerId', ${ownedUuidOf(eventTypeId).ownerId}::text,
      'id', ${ownedUuidOf(eventTypeId).id}::text) where id = ${ownedUuidOf(routingFormId).id}`,
  );
}
