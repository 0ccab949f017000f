/**
 * Every look-up by ids that the schema has, beside its list: it shows whom it asks exactly what the list does, by one
 * statement however many are named, in one field or under aliases.
 */
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdKind, newId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { MAX_IDS } from '../../src/graphql/id-arguments.ts';
import { buildSchemas } from '../../src/schema.ts';
import type { Scope } from '../../src/scopes/catalog.ts';
import { REQUIREMENT } from '../../src/scopes/requirement.ts';
import { type Answer, openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { storeFeed } from '../support/feeds.ts';
import { unknownId, uuidOf } from '../support/ids.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { FROM, TO } from './booking-pages.ts';
import { partsOf } from './every-value/read-everything.ts';
import { groupId } from './every-value/things-there.ts';

const { schema } = buildSchemas().forTokens;
const DOORS = ['Viewer', 'Team', 'Organization'] as const;
type Door = (typeof DOORS)[number];

interface ByIds {
  readonly door: Door;
  readonly list: string;
  readonly type: GraphQLObjectType;
  /** The look-up of one of the same things, `eventType(id:`, where there is one. */
  readonly one: string | undefined;
  readonly scope: Scope;
}

function fieldsOf(door: Door): GraphQLField<unknown, unknown>[] {
  return Object.values((schema.getType(door) as GraphQLObjectType).getFields());
}

const ALL: readonly ByIds[] = DOORS.flatMap((door) =>
  fieldsOf(door)
    .filter(({ name }) => name.endsWith('ById'))
    .map((field) => {
      const type = getNamedType(field.type);
      if (!isObjectType(type)) throw new Error(`${field.name} shows no objects.`);
      const one = fieldsOf(door).find(
        (other) => getNamedType(other.type) === type && other.args.length === 1 && other !== field,
      );
      const required = field.extensions[REQUIREMENT] as Readonly<Record<string, readonly Scope[]>>;
      const [scope] = required[door === 'Viewer' ? 'user' : door.toLowerCase()] ?? [];
      if (!scope) throw new Error(`${door}.${field.name} takes no scope.`);
      return {
        door,
        list: field.name.slice(0, -'ById'.length),
        type,
        one: one && `${one.name}(${one.args[0]?.name}:`,
        scope,
      };
    }),
);
const TABLE = ALL.map((one) => [`${one.door}.${one.list}ById`, one] as const);

let api: TestApi;
const groups: Record<string, string> = {};
/**
 * The owners of the things: an owner of everything, an administrator below her, a team's administrator, a member, and a
 * stranger.
 */
const PEOPLE = ['ada', 'eve', 'bob', 'cyd', 'dan'] as const;
/** By what is listed, the ids of everybody's. */
const everybodys = new Map<string, string[]>();

beforeAll(async () => {
  api = await openTestApi();
  groups['Team'] = await groupId(api, 'team', 'sales');
  groups['Organization'] = await groupId(api, 'organization', 'acme');
  const eve = await api.newUser('eve');
  await changed(
    api.database.em.fork(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        values (${newId()}, ${uuidOf(groups['Organization'])}, ${uuidOf(eve.userId)}, 'ADMIN', true, now())`,
  );
  const { em } = api.database;
  for (const owner of [groups['Team'], ...PEOPLE.map((who) => api.as(who).userId)]) {
    await storeVerified(em, 'EMAIL', owner, 'grace@example.test');
    await storeVerified(em, 'PHONE', owner, '+4930123456');
    await storeApp(em, owner);
  }
  for (const [index, who] of PEOPLE.entries()) {
    const input = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z', reason: 'Ill', notes: 'At home' };
    await api.as(who).change('outOfOfficeCreate', input);
    await storeFeed(em, api.as(who).userId, 'https://calendar.example/one.ics');
    await api.as(who).change('webhookCreate', { url: 'https://hooks.example/', triggers: ['BOOKING_CREATED'] });
    await api
      .as(who)
      .change('appleCalendarAccountConnect', { username: `${who}@icloud.test`, appPassword: 'app-password' });
    if (index > 0) await api.as(who).change('scheduleCreate', { name: 'Other', timeZone: 'UTC' });
  }
  const ofGroup = {
    organizationId: groups['Organization'],
    url: 'https://hooks.example/',
    triggers: ['BOOKING_CREATED'],
  };
  await api.as('ada').change('organizationWebhookCreate', ofGroup);
  for (const group of ['team', 'organization']) await inviteTo(group);
  await addWorkflow(groups['Team']);
  await newRoutingForm(api.signedIn('ada'), { teamId: groups['Team'] });
  await newRoutingForm(api.signedIn('ada'), { organizationId: groups['Organization'] });
  await bookTeam(groups['Team']);
  for (const one of ALL) {
    const known = new Set(everybodys.get(one.type.name));
    for (const who of PEOPLE) for (const id of (await listed(api.as(who), one)).keys()) known.add(id);
    everybodys.set(one.type.name, [...known]);
  }
});
afterAll(() => api.close());

/** Invites somebody who has no account. */
async function inviteTo(group: string): Promise<void> {
  const id = groups[group === 'team' ? 'Team' : 'Organization'];
  const input = { [`${group}Id`]: id, email: `invited-to-${group}@example.test`, role: 'MEMBER' };
  const { codes, mistakes } = await api.as('ada').change(`${group}InvitationCreate`, input, 'invitationId');
  expect([codes, mistakes]).toEqual([[], []]);
}

async function addWorkflow(teamId: string): Promise<void> {
  const steps = [{ action: 'EMAIL_HOST', subject: 'New', body: 'Hello' }];
  const input = { teamId, name: 'Welcome', trigger: 'NEW_BOOKING', steps };
  expect((await api.as('ada').change('teamWorkflowCreate', input)).mistakes).toEqual([]);
}

/** Books each event type of a team that can be booked, once. */
async function bookTeam(teamId: string): Promise<void> {
  const ofTeam = 'query($id: ID!) { team(id: $id) { eventTypes { nodes { id } } } }';
  const { data } = await api.as('ada').ask(ofTeam, { id: teamId });
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  for (const [index, { id: eventTypeId }] of data.team.eventTypes.nodes.entries()) {
    const asked = `slots(eventType: { id: ${JSON.stringify(eventTypeId)} }, start: "${FROM}", end: "${TO}") { start }`;
    const { slots } = (await api.nobody.ask(`{ ${asked} }`)).data;
    const { mistakes } = await api.nobody.change('bookingCreate', { eventTypeId, attendee, ...slots.at(index - 5) });
    expect(mistakes).toEqual([]);
  }
}

const doorTo = (door: Door) =>
  door === 'Viewer' ? 'me' : `${door.toLowerCase()}(id: ${JSON.stringify(groups[door])})`;

/** The things that a list shows this caller, by id. */
async function listed(who: TestCaller, { door, list, type }: ByIds): Promise<Map<string, object>> {
  const document = `query ($after: String) { door: ${doorTo(door)} { list: ${list}(first: 20, after: $after) {
    nodes { ${partsOf(type)[0]} } pageInfo { hasNextPage endCursor } } } }`;
  const found = new Map<string, object>();
  let after: string | null = null;
  do {
    const { data, codes }: Answer = await who.ask(document, { after });
    expect(codes).toEqual([]);
    const { nodes = [], pageInfo } = data.door?.list ?? {};
    for (const node of nodes) found.set(node.id, node);
    after = pageInfo?.hasNextPage === true ? pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

const byIdsDocument = ({ door, list }: ByIds, selection: string) =>
  `query ($ids: [ID!]!) { door: ${doorTo(door)} { found: ${list}ById(ids: $ids) { ${selection} } } }`;

test('every list of the levels has one, at each level', () => {
  const levels = DOORS.flatMap((door) =>
    ['schedules', 'outOfOffice', 'eventTypes', 'bookings'].map((list) => `${door}.${list}`),
  );
  const found = ALL.map(({ door, list }) => `${door}.${list}`);
  const forms = ['Team.routingForms', 'Organization.routingForms'];
  const ofGroups = ['Team', 'Organization'].flatMap((door) => [`${door}.memberships`, `${door}.invitations`]);
  const verified = ['Viewer', 'Team'].flatMap((door) => [
    `${door}.verifiedEmails`,
    `${door}.verifiedPhones`,
    `${door}.conferencingApps`,
  ]);
  expect(found.toSorted()).toEqual(
    [
      ...levels,
      ...ofGroups,
      ...forms,
      ...verified,
      'Team.workflows',
      'Viewer.icsFeeds',
      'Viewer.webhooks',
      'Organization.webhooks',
      'Viewer.calendarAccounts',
    ].toSorted(),
  );
});

describe.each(TABLE)('%s', (_name, one) => {
  test('shows everybody what the list shows them, in the order of the ids, and null for everything else', async () => {
    const known = everybodys.get(one.type.name) ?? [];
    const noun = one.type.name.replace(/^Sent/, '');
    const kind = `${noun.charAt(0).toLowerCase()}${noun.slice(1)}` as IdKind;
    const ids = [unknownId(kind), ...known.toReversed(), '', ...known.slice(0, 3), 'x'.repeat(1_000)];
    let [shown, hidden] = [0, 0];
    for (const username of PEOPLE) {
      const who = api.as(username);
      const list = await listed(who, one);
      const document = byIdsDocument(one, partsOf(one.type)[0]);
      const answers = [await who.ask(document, { ids }), await who.askByPlan(document, { ids })];
      for (const { data, codes } of answers) {
        // A group is not there for strangers, and its lists are null for those who do not administer it.
        const found = data.door?.found ?? ids.map(() => null);
        expect([username, codes, found]).toEqual([username, [], ids.map((id) => list.get(id) ?? null)]);
      }
      shown += list.size;
      hidden += known.length - list.size;
    }
    expect([shown > 0, hidden > 0]).toEqual([true, true]);
  });

  test('takes the scope of its list, and no other one', async () => {
    const document = byIdsDocument(one, 'id');
    const ids = everybodys.get(one.type.name) ?? [];
    const allowed = await api.as('ada', [one.scope]).ask(document, { ids });
    expect([allowed.codes, allowed.data.door.found.some(Boolean)]).toEqual([[], true]);
    const others = api.as(
      'ada',
      (['PROFILE_READ', 'BOOKING_READ'] as const).filter((scope) => scope !== one.scope),
    );
    expect((await others.ask(document, { ids })).codes).toEqual(['INSUFFICIENT_SCOPE']);
  });

  test(`takes ${MAX_IDS} ids, none, or one in the place of a list; more are told, and leave the rest of the answer`, async () => {
    const document = byIdsDocument(one, 'id').replace('found:', 'empty: __typename found:');
    const ask = (ids: unknown) => api.as('ada').ask(document, { ids });
    const [id = ''] = [...(await listed(api.as('ada'), one)).keys()];
    const many = Array.from({ length: MAX_IDS }, () => id);
    expect((await ask(many)).data.door.found).toEqual(many.map(() => ({ id })));
    expect((await ask([])).data.door.found).toEqual([]);
    expect((await ask(id)).data.door.found).toEqual([{ id }]);
    const refused = await ask([...many, id]);
    expect([refused.data.door, refused.codes]).toEqual([{ empty: one.door, found: null }, ['BAD_INPUT']]);
  });

  test.each(['ask', 'askByPlan'] as const)(
    '%s takes as many statements for 1, 8 and 20, in a field or under aliases',
    async (how) => {
      const known = [...(await listed(api.as('ada'), one)).keys()];
      const counts = new Map<string, number[]>();
      for (const count of [1, 8, 20]) {
        const ids = Array.from({ length: count }, (_, index) => known[index % known.length] ?? '');
        const aliased = (field: string, close = ')') =>
          `{ door: ${doorTo(one.door)} { ${ids.map((id, n) => `a${n}: ${field} ${JSON.stringify(id)}${close} { id }`).join(' ')} } }`;
        const documents: Record<string, [string, Record<string, unknown>?]> = {
          'in one field': [byIdsDocument(one, 'id'), { ids }],
          'under aliases': [aliased(`${one.list}ById(ids: [`, '])')],
          ...(one.one && { 'one by one': [aliased(one.one)] }),
        };
        for (const [form, [document, variables]] of Object.entries(documents)) {
          const { data, statements } = await api.as('ada')[how](document, variables);
          expect(Object.values(data.door).flat()).toEqual(ids.map((id) => ({ id })));
          counts.set(form, [...(counts.get(form) ?? []), statements]);
        }
      }
      // A group is looked up first.
      const each = one.door === 'Viewer' ? 1 : 2;
      for (const [form, statements] of counts) expect([form, statements]).toEqual([form, [each, each, each]]);
      expect(counts.size).toBe(one.one ? 3 : 2);
    },
  );
});

test('fields that administrators of a group see only of the people whom they manage are withheld here too', async () => {
  const absences = ALL.filter(({ list, door }) => list === 'outOfOffice' && door === 'Organization');
  expect(absences).toHaveLength(1);
  for (const one of absences) {
    const document = byIdsDocument(one, 'userId reason notes');
    const reasonsFor = async (username: string): Promise<unknown> => {
      const { data } = await api.as(username).ask(document, { ids: everybodys.get('OutOfOffice') });
      const [ada] = [api.as('ada').userId];
      return data.door.found.find((found: { userId: string } | null) => found?.userId === ada);
    };
    expect(await reasonsFor('ada')).toMatchObject({ reason: 'Ill', notes: 'At home' });
    expect(await reasonsFor('eve')).toMatchObject({ reason: null, notes: null });
  }
});
