/** Webhooks of event types, of teams' event types and of organizations: who may have them, and what each is told. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import type { BookingFacts } from '../../src/events/record-event.ts';
import { planDeliveries } from '../../src/modules/webhooks/plan-deliveries.ts';
import type { WebhookEvent } from '../../src/modules/webhooks/webhook-payload.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import type { Scope } from '../../src/scopes/catalog.ts';
import { storeAbsence, storeBooking } from '../jobs/support/webhooks.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
/** The names of each kind of webhook, by how its mutations are called. */
let kinds: Record<
  Kind,
  { readonly of: Record<string, string>; readonly about: Record<string, string>; readonly id: string }
>;
let types: Record<'own' | 'team' | 'managed' | 'child', string>;
type Kind = 'webhook' | 'organizationWebhook' | 'eventTypeWebhook' | 'teamEventTypeWebhook';
const KINDS: readonly Kind[] = ['webhook', 'organizationWebhook', 'eventTypeWebhook', 'teamEventTypeWebhook'];

beforeAll(async () => {
  api = await openTestApi();
  const ada = api.as('ada');
  const [teamId, organizationId] = [await groupId(api, 'team', 'sales'), await groupId(api, 'organization', 'acme')];
  const made = async (name: string, input: object): Promise<string> => {
    const all = { slug: `told-${name.length}-${newId()}`.slice(0, 40), title: 'Told', durationInMinutes: 30, ...input };
    return (await ada.change(name, all, 'eventTypeId')).data.eventTypeId;
  };
  const own = await made('eventTypeCreate', {});
  const team = await made('teamEventTypeCreate', { teamId, schedulingType: 'COLLECTIVE' });
  const managed = await made('teamEventTypeCreate', { teamId, schedulingType: 'MANAGED', slug: 'told-by-all' });
  const [child] = await rows(
    api.database.em.fork(),
    sql<{ ownerId: string; id: string }>`
      select owner_id as "ownerId", id from event_types where parent_id = ${uuidOf(managed)} and owner_id = ${uuidOf(api.as('cyd').userId)}`,
  );
  types = { own, team, managed, child: child ? publicOwnedId('eventType', child) : '' };
  kinds = {
    webhook: { of: {}, about: {}, id: 'webhookId' },
    organizationWebhook: { of: { organizationId }, about: {}, id: 'webhookId' },
    eventTypeWebhook: { of: {}, about: { eventTypeId: own }, id: 'eventTypeWebhookId' },
    teamEventTypeWebhook: { of: { teamId }, about: { eventTypeId: team }, id: 'eventTypeWebhookId' },
  };
});
afterAll(() => api.close());

let count = 0;
const anUrl = () => `https://hooks.example/of-groups/${(count += 1)}`;
const TRIGGERS = ['BOOKING_CREATED'];

async function made(kind: Kind, who: TestCaller = api.signedIn('ada'), more: object = {}) {
  const { of, about, id } = kinds[kind];
  const input = { ...of, ...about, url: anUrl(), triggers: TRIGGERS, ...more };
  const { data, mistakes } = await who.change(`${kind}Create`, input, `${id} secret`);
  expect(mistakes).toEqual([]);
  return { id: data[id] as string, secret: data.secret as string, url: input.url };
}

/** All that is done with one webhook, and what it answers. */
async function attempts(kind: Kind, who: TestCaller, webhook: string, delivery: string): Promise<string[][]> {
  const { of, id } = kinds[kind];
  const named = { ...of, [id]: webhook };
  const changes: [string, object][] = [
    [`${kind}Update`, { ...named, isActive: true }],
    [`${kind}SecretRotate`, named],
    [`${kind}Test`, { ...named, trigger: 'BOOKING_CREATED' }],
    [`${kind}DeliveryRetry`, { ...of, webhookDeliveryId: delivery }],
    [`${kind}Delete`, named],
  ];
  const mistakes: string[][] = [];
  for (const [name, input] of changes) mistakes.push([...(await who.change(name, { ...input })).mistakes]);
  return mistakes;
}

async function delivered(kind: Kind, webhook: string): Promise<string> {
  const { of, id } = kinds[kind];
  const input = { ...of, [id]: webhook, trigger: 'BOOKING_CREATED' };
  const { data } = await api.signedIn('ada').change(`${kind}Test`, input, 'webhookDeliveryId');
  const { webhookDeliveryId } = data;
  await rows(
    api.database.em.fork(),
    sql`update webhook_deliveries set status = 'FAILED' where id = ${ownedUuidOf(webhookDeliveryId).id}`,
  );
  return webhookDeliveryId;
}

describe.each(KINDS)('a %s', (kind) => {
  test('is changed, rotated, tried and deleted by those who may, and its messages are sent again', async () => {
    const { id, secret } = await made(kind);
    expect(secret).toMatch(/^whsec_/);
    expect(await attempts(kind, api.signedIn('ada'), id, await delivered(kind, id))).toEqual([[], [], [], [], []]);
    expect((await attempts(kind, api.signedIn('ada'), id, id)).flat()).toHaveLength(5);
  });

  test('is nobody else’s, whatever scopes they hold', async () => {
    const { id } = await made(kind);
    const delivery = await delivered(kind, id);
    const refusedTo = async (username: string) => {
      const mistakes = await attempts(kind, api.as(username), id, delivery);
      return new Set(mistakes.flat().map((mistake) => mistake.split(' ')[0]));
    };
    // A member of both groups, and somebody who is in neither.
    const isGroups = kind === 'organizationWebhook' || kind === 'teamEventTypeWebhook';
    expect(await refusedTo('cyd')).toEqual(new Set([isGroups ? 'FORBIDDEN' : 'NOT_FOUND']));
    expect(await refusedTo('dan')).toEqual(new Set(['NOT_FOUND']));
    const { of, about } = kinds[kind];
    const input = { ...of, ...about, url: anUrl(), triggers: TRIGGERS };
    const making = (username: string) =>
      api
        .as(username)
        .change(`${kind}Create`, input)
        .then(({ mistakes }) => mistakes[0]?.split(' ')[0]);
    expect([await making('cyd'), await making('dan')]).toEqual(
      isGroups ? ['FORBIDDEN', 'NOT_FOUND'] : kind === 'webhook' ? [undefined, undefined] : ['NOT_FOUND', 'NOT_FOUND'],
    );
  });

  test('is not reached through another kind’s mutations, though its row is in the same table', async () => {
    const { id } = await made(kind);
    const delivery = await delivered(kind, id);
    for (const other of KINDS.filter((one) => one !== kind)) {
      const tag = kinds[other].id === 'webhookId' ? 'webhook' : 'eventTypeWebhook';
      const crafted = publicOwnedId(tag, ownedUuidOf(id));
      const codes = (await attempts(other, api.as('ada'), crafted, delivery)).flat().map((one) => one.split(' ')[0]);
      expect([other, codes]).toEqual([other, Array.from({ length: 5 }, () => 'NOT_FOUND')]);
    }
  });

  test('has an address that no other of the same has, and others may have', async () => {
    const { url } = await made(kind);
    const { of, about } = kinds[kind];
    const again = await api.signedIn('ada').change(`${kind}Create`, { ...of, ...about, url, triggers: TRIGGERS });
    expect(again.mistakes).toEqual(['URL_TAKEN url']);
    for (const other of KINDS.filter((one) => one !== kind))
      expect((await made(other, undefined, { url })).url).toBe(url);
    const second = await made(kind);
    const moved = { ...of, [kinds[kind].id]: second.id, url };
    expect((await api.signedIn('ada').change(`${kind}Update`, moved)).mistakes).toEqual(['URL_TAKEN url']);
  });

  test('gives its secret only to the app that has set its address, and to its owner', async () => {
    const { of, id: name } = kinds[kind];
    const rotated = async (who: TestCaller, id: string) =>
      (await who.change(`${kind}SecretRotate`, { ...of, [name]: id }, 'secret')).mistakes;
    const bySomebody = await made(kind);
    expect(await rotated(api.as('ada'), bySomebody.id)).toEqual([`FORBIDDEN ${name}`]);
    const byApp = await made(kind, api.as('ada'));
    expect(await rotated(api.as('ada'), byApp.id)).toEqual([]);
    expect(await rotated(api.signedIn('ada'), byApp.id)).toEqual([]);
    await rows(api.database.em.fork(), sql`update webhooks set client_id = 'other' where id = ${uuidOf(byApp.id)}`);
    expect(await rotated(api.as('ada'), byApp.id)).toEqual([`FORBIDDEN ${name}`]);
  });

  test('has another secret once another user or app sets its address, and the same one otherwise', async () => {
    const { of, id: name } = kinds[kind];
    const [app, user] = [api.as('ada'), api.signedIn('ada')];
    const webhook = await made(kind, app);
    const secrets = [webhook.secret];
    const salts = () =>
      rows(
        api.database.em.fork(),
        sql<{ before: string | null; until: boolean }>`
          select previous_salt as before, previous_until > now() as until from webhooks where id = ${uuidOf(webhook.id)}`,
      );
    const set = async (who: TestCaller, change: object = { url: anUrl() }) => {
      const { data, mistakes } = await who.change(`${kind}Update`, { ...of, [name]: webhook.id, ...change }, 'secret');
      expect(mistakes).toEqual([]);
      if (data.secret !== null) secrets.push(data.secret);
      return data.secret;
    };
    const another = expect.stringMatching(/^whsec_/);
    expect([await set(app), await set(user, { isActive: true })]).toEqual([null, null]);
    expect([await set(user), await set(user)]).toEqual([another, null]);
    expect(await salts()).toEqual([{ before: null, until: null }]);
    expect([await set(app), await set(app)]).toEqual([another, null]);
    const noted = sql`update webhooks set client_id = 'other' where id = ${uuidOf(webhook.id)}`;
    await rows(api.database.em.fork(), noted);
    expect([await set(app), await set(app)]).toEqual([another, null]);
    const ofAnother = sql`update webhooks set set_by_id = ${newId()} where id = ${uuidOf(webhook.id)}`;
    await rows(api.database.em.fork(), ofAnother);
    expect([await set(app), await set(app)]).toEqual([another, null]);
    // The address stays, and whoever is there knows the old secret alone.
    const url = anUrl();
    expect([await set(app, { url }), await set(user, { url })]).toEqual([null, another]);
    expect(await salts()).toEqual([{ before: expect.any(String), until: true }]);
    expect(new Set(secrets).size).toBe(secrets.length);
    expect((await app.change(`${kind}SecretRotate`, { ...of, [name]: webhook.id })).mistakes).toEqual([
      `FORBIDDEN ${name}`,
    ]);
  });

  test('is taken over by those who may, once nobody answers for it, with a new secret, by the address that they were shown', async () => {
    const { of, id: name } = kinds[kind];
    const { id, secret, url } = await made(kind);
    const taking = async (who: TestCaller, more: object = {}) => {
      const { data, mistakes } = await who.change(`${kind}TakeOver`, { ...of, [name]: id, url, ...more }, 'secret');
      return mistakes.length === 0 ? data.secret : mistakes;
    };
    const [ada, app] = [api.signedIn('ada'), api.as('ada')];
    expect(await taking(ada)).toEqual([`CONFLICT ${name}`]);
    const nobody = sql`update webhooks set set_by_id = null where id = ${uuidOf(id)}`;
    await rows(api.database.em.fork(), nobody);
    expect(await taking(ada, { url: anUrl() })).toEqual(['CONFLICT url']);
    const refusal = {
      webhook: `NOT_FOUND ${name}`,
      eventTypeWebhook: `NOT_FOUND ${name}`,
      teamEventTypeWebhook: 'FORBIDDEN teamId',
      organizationWebhook: 'FORBIDDEN organizationId',
    }[kind];
    expect(await taking(api.signedIn('cyd'))).toEqual([refusal]);
    const another = await taking(ada);
    expect(another).toMatch(/^whsec_/);
    expect(another).not.toBe(secret);
    expect([await taking(ada), await taking(app)]).toEqual([[`CONFLICT ${name}`], [`CONFLICT ${name}`]]);
    const stored = sql<object>`select set_by_id as by, client_id as app, previous_salt as before, url from webhooks where id = ${uuidOf(id)}`;
    const all = { by: uuidOf(ada.userId), app: null, before: null, url };
    expect(await rows(api.database.em.fork(), stored)).toEqual([all]);
    await rows(api.database.em.fork(), nobody);
    // By an app, it is the app's.
    expect(await taking(app)).toMatch(/^whsec_/);
    expect(await rows(api.database.em.fork(), stored)).toEqual([{ ...all, app: expect.any(String) }]);
  });

  test('tells what the app may read at its level that has set its address', async () => {
    const prefix = { webhook: '', eventTypeWebhook: '', teamEventTypeWebhook: 'TEAM_', organizationWebhook: 'ORG_' }[
      kind
    ];
    const write = {
      webhook: 'WEBHOOK',
      eventTypeWebhook: 'EVENT_TYPE',
      teamEventTypeWebhook: 'TEAM_EVENT_TYPE',
      organizationWebhook: 'ORG_WEBHOOK',
    }[kind];
    const readable = async (...scopes: string[]) => {
      const { id } = await made(kind, api.as('ada', [`${write}_WRITE`, ...scopes] as Scope[]));
      const found = sql<{ readable: string[] }>`select readable from webhooks where id = ${uuidOf(id)}`;
      return (await rows(api.database.em.fork(), found))[0]?.readable;
    };
    expect(await readable()).toEqual([]);
    expect(await readable(`${prefix}BOOKING_READ`, `${prefix}SCHEDULE_READ`)).toEqual(['BOOKING', 'SCHEDULE']);
    expect(await readable('BOOKING_READ')).toEqual(prefix === '' ? ['BOOKING'] : []);
  });
});

const last = ({ nodes }: { nodes: { id: string }[] }) => nodes.at(-1)?.id;

let told: (event: WebhookEvent) => Promise<Record<string, number>>;
const names = new Map<string, string>();
const booking = async (eventTypeId: string, hosts: readonly string[]): Promise<WebhookEvent> => {
  const { ownerId, id } = ownedUuidOf(eventTypeId);
  const hostIds = hosts.map((name) => uuidOf(api.as(name).userId));
  const facts: BookingFacts = {
    id: await storeBooking(api.database.em.fork(), { ownerId, id }, hostIds),
    thread: newId(),
    eventTypeId: id,
    hostIds,
    start: '2031-01-06T09:00:00Z',
    end: '2031-01-06T09:30:00Z',
  };
  const occurredAt = '2030-12-01T09:00:00.000001+00:00';
  return {
    type: 'MEETING_STARTED',
    id: newId(),
    ownerId,
    occurredAt,
    booking: facts,
    sessionId: 's',
    at: facts.start,
  };
};
const away = async (name: string): Promise<WebhookEvent> => ({
  type: 'OUT_OF_OFFICE_CREATED',
  id: newId(),
  ownerId: uuidOf(api.as(name).userId),
  occurredAt: '2030-12-01T09:00:00.000001+00:00',
  outOfOfficeId: await storeAbsence(api.database.em.fork(), uuidOf(api.as(name).userId)),
  start: '2031-01-06T00:00:00Z',
  end: '2031-01-07T00:00:00Z',
});
const name = async (what: string, webhook: Promise<{ id: string }>) => void names.set(uuidOf((await webhook).id), what);
const ofTeam = async () => told(await booking(types.team, ['dan']));

test('an event type’s webhook is told of bookings alone', async () => {
  const input = { ...kinds.eventTypeWebhook.about, url: anUrl() };
  const wrong = await api.as('ada').change('eventTypeWebhookCreate', { ...input, triggers: ['OUT_OF_OFFICE_CREATED'] });
  expect(wrong.mistakes).toEqual(['NOT_POSSIBLE triggers']);
  const { id } = await made('eventTypeWebhook');
  const patch = { eventTypeWebhookId: id, triggers: ['BOOKING_CREATED', 'OUT_OF_OFFICE_CREATED'] };
  expect((await api.as('ada').change('eventTypeWebhookUpdate', patch)).mistakes).toEqual(['NOT_POSSIBLE triggers']);
});

test('responses to forms are told to organizations alone', async () => {
  const triggers = ['BOOKING_CREATED', 'ROUTING_FORM_SUBMITTED'];
  for (const kind of KINDS.filter((one) => one !== 'organizationWebhook')) {
    const { of, about, id: named } = kinds[kind];
    const ada = api.signedIn('ada');
    const created = await ada.change(`${kind}Create`, { ...of, ...about, url: anUrl(), triggers });
    expect([kind, created.mistakes]).toEqual([kind, ['NOT_POSSIBLE triggers']]);
    const { id } = await made(kind);
    expect((await ada.change(`${kind}Update`, { ...of, [named]: id, triggers })).mistakes).toEqual([
      'NOT_POSSIBLE triggers',
    ]);
  }
  expect((await made('organizationWebhook', undefined, { triggers })).id).toMatch(/^whk_/);
});

test('lists show each where it belongs, to administrators', async () => {
  const ids = {} as Record<Kind, string>;
  for (const kind of KINDS) ids[kind] = (await made(kind)).id;
  const document = `query($own: ID!, $team: ID!, $teamType: ID!, $organization: ID!) {
    me { webhooks(last: 100) { nodes { id } } eventType(id: $own) { webhooks(last: 100) { nodes { id deliveries { nodes { id } } } } } }
    team(id: $team) { eventType(id: $teamType) { webhooks(last: 100) { nodes { id } } } }
    organization(id: $organization) { webhooks(last: 100) { nodes { id deliveries { nodes { id } } } } }
  }`;
  const variables = {
    own: types.own,
    teamType: types.team,
    team: kinds.teamEventTypeWebhook.of['teamId'],
    organization: kinds.organizationWebhook.of['organizationId'],
  };
  const { data, codes } = await api.as('ada').ask(document, variables);
  expect(codes).toEqual([]);
  expect({
    webhook: last(data.me.webhooks),
    eventTypeWebhook: last(data.me.eventType.webhooks),
    teamEventTypeWebhook: last(data.team.eventType.webhooks),
    organizationWebhook: last(data.organization.webhooks),
  }).toEqual(ids);
  const asMember = await api.as('cyd').ask(document, variables);
  expect([asMember.data.organization.webhooks, asMember.data.team.eventType]).toEqual([null, null]);
});

describe('an event is told', () => {
  beforeAll(async () => {
    const em = api.database.em.fork();
    await rows(em, sql`delete from webhooks`);
    const bookings = { triggers: ['MEETING_STARTED'] };
    const all = { triggers: ['MEETING_STARTED', 'OUT_OF_OFFICE_CREATED'] };
    await name('ada', made('webhook', undefined, all));
    await name('cyd', made('webhook', api.signedIn('cyd'), all));
    await name('own type', made('eventTypeWebhook', undefined, bookings));
    await name('team type', made('teamEventTypeWebhook', undefined, bookings));
    await name('managed type', made('teamEventTypeWebhook', undefined, { ...bookings, eventTypeId: types.managed }));
    await name('organization', made('organizationWebhook', undefined, all));
    told = async (event) => {
      const planned = await planDeliveries(api.database.em.fork(), event, { webhooksKey: new Uint8Array(32), isLetIn });
      const counts: Record<string, number> = {};
      for (const { webhookId } of planned) {
        const what = names.get(webhookId) ?? webhookId;
        counts[what] = (counts[what] ?? 0) + 1;
      }
      return counts;
    };
  });

  test.each([
    ['a booking of an own event type', () => booking(types.own, ['ada']), { ada: 1, 'own type': 1, organization: 1 }],
    [
      'a booking of a team with several hosts',
      () => booking(types.team, ['ada', 'cyd', 'bob']),
      { ada: 1, cyd: 1, 'team type': 1, organization: 1 },
    ],
    [
      'a booking of a copy of a managed event type',
      () => booking(types.child, ['cyd']),
      { cyd: 1, 'managed type': 1, organization: 1 },
    ],
    ['an absence of a member', () => away('cyd'), { cyd: 1, organization: 1 }],
    ['an absence of somebody else', () => away('dan'), {}],
  ] as const)('%s, once to each whom it concerns', async (_what, event, expected) => {
    const happened = await event();
    expect(await told(happened)).toEqual(expected);
    // Handed out once more, it is the same messages.
    expect(await told(happened)).toEqual(expected);
    const written = sql<{
      count: number;
    }>`select count(*)::int from webhook_deliveries where event_id = ${happened.id}`;
    const sum = Object.values(expected).reduce<number>((total, one) => total + one, 0);
    expect(await rows(api.database.em.fork(), written)).toEqual([{ count: sum }]);
  });

  test('to no group’s webhook that an app has set for somebody who does not administer it any more', async () => {
    const em = api.database.em.fork();
    const bob = uuidOf(api.as('bob').userId);
    await rows(
      em,
      sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at,
            expires_at)
          select ${newId()}, client_id, ${bob}, 'SCOPED', '{ORG_BOOKING_READ}', '', 0, now(), now(), now(), now() + interval '1 day'
          from oauth_clients where status = 'APPROVED' limit 1`,
    );
    await rows(
      em,
      sql`update webhooks set set_by_id = ${bob}, client_id = (select client_id from oauth_grants where user_id = ${bob} limit 1)
          where team_id is not null or organization_id is not null`,
    );
    // Bob administers the team, and is a member of the organization.
    expect(await ofTeam()).toEqual({ 'team type': 1 });
    await rows(em, sql`update organization_memberships set role = 'ADMIN' where user_id = ${bob}`);
    expect(await ofTeam()).toEqual({ 'team type': 1, organization: 1 });
    await rows(em, sql`update users set suspended_at = now() where id = ${bob}`);
    expect(await ofTeam()).toEqual({});
    await rows(em, sql`update users set suspended_at = null where id = ${bob}`);
    await rows(em, sql`delete from team_memberships where user_id = ${bob}`);
    await rows(em, sql`delete from organization_memberships where user_id = ${bob}`);
    expect(await ofTeam()).toEqual({});
    // Nor what they have set themselves.
    await rows(em, sql`update webhooks set client_id = null`);
    expect(await ofTeam()).toEqual({});
  });
});
