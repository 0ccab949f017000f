/**
 * Every event × every webhook, by the standing of its setter: receivers are sent exactly what was asked for and what
 * the setter's own queries show at that moment, at the webhook's level. A thing that is not shown is not told, and one
 * that is shown is not kept from it; an app without the READ scope is told that it happened, and not what.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, type OwnedId, publicId, publicOwnedId } from '../../src/core/id.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import { type DomainEvent, recordEvents } from '../../src/events/record-event.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import {
  NOTIFIED_ABOUT,
  TRIGGERS,
  WEBHOOK_TRIGGERS,
  type WebhookTrigger,
} from '../../src/modules/webhooks/webhook.rules.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { letTimePass } from '../jobs/support/jobs.ts';
import { storeAbsence, storeBooking, storeWebhooks, testDoor, webhookKindsWith } from '../jobs/support/webhooks.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';
import { paced } from '../support/pace.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** Where people stand: in organization A and its team; the stand-alone team and organization B have owners of their own. */
const PEOPLE = {
  owner: 'owns organization A',
  admin: 'administers A',
  lead: 'is a member of A, and administers its team',
  host: 'is a member of A and its team, and a plain member of B',
  removed: 'administered A and its team once, and is in neither',
  demoted: 'administered A and its team once, and is a plain member of both',
  suspended: 'administers A and its team, and is suspended',
  alone: 'owns a team without an organization',
  other: 'owns organization B',
  stranger: 'belongs to nothing',
} as const;
type Name = keyof typeof PEOPLE;
const NAMES = Object.keys(PEOPLE) as Name[];

let api: TestApi;
let receiver: WebhookReceiver;
let door: Outbound;
const ids = {} as Record<Name, string>;
const em = () => api.database.em.fork();
const callerOf = (name: Name): TestCaller => api.signedIn(`told-${name}`);

/** Something that happens, named, with what shows it to readers. */
interface Happening {
  readonly name: string;
  readonly kind: 'BOOKING' | 'SCHEDULE' | 'ROUTING_FORM';
  /** As lists show it. */
  readonly publicId: string;
  readonly eventTypeId?: string;
  readonly isCopy?: boolean;
  readonly of: OwnedId;
  readonly hostIds?: readonly string[];
}
let happenings: Happening[] = [];

type Level = 'user' | 'eventType' | 'teamEventType' | 'managedEventType' | 'organization';
interface Listening {
  readonly path: string;
  readonly level: Level;
  readonly setBy: Name;
  /** The public id of the group. */
  readonly group?: string;
  readonly eventTypeId?: string;
  /** The scopes that the app which has set it is let in for; null: not at all. */
  readonly scopes?: readonly Scope[] | null;
}
const listening: Listening[] = [];
let teams: Record<'team' | 'alone', string>;
let organizations: Record<'a' | 'b', string>;

async function did(who: TestCaller, name: string, input: Record<string, unknown>, selection: string) {
  const { data, mistakes, codes } = await who.change(name, input, selection);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data[selection] as string;
}

beforeAll(async () => {
  api = await openTestApi();
  receiver = await WebhookReceiver.open();
  door = testDoor(20_000);
  const made = await api.newUsers(NAMES.map((name) => `told-${name}`));
  for (const [index, name] of NAMES.entries()) ids[name] = uuidOf(made[index]?.userId ?? '');
  await makeGroups();
  await makeHappenings();
  await makeWebhooks();
  await changeStandings();
}, paced(60_000));
afterAll(async () => {
  await door.close();
  await receiver.close();
  await api.close();
});

const join = (organization: string, name: Name, role: string) =>
  rows(
    em(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        values (${newId()}, ${uuidOf(organization)}, ${ids[name]}, ${role}, true, now())`,
  );

const joinTeam = (id: string, name: Name, role: string) =>
  rows(
    em(),
    sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
        select ${newId()}, t.id, ${ids[name]}, om.id, ${role}, true, now() from teams t
        left join organization_memberships om on om.organization_id = t.organization_id and om.user_id = ${ids[name]}
        where t.id = ${uuidOf(id)}`,
  );

async function makeGroups(): Promise<void> {
  const [a, b] = [
    await did(callerOf('owner'), 'organizationCreate', { name: 'A', slug: 'told-a' }, 'organizationId'),
    await did(callerOf('other'), 'organizationCreate', { name: 'B', slug: 'told-b' }, 'organizationId'),
  ];
  organizations = { a, b };
  for (const name of ['admin', 'removed', 'demoted', 'suspended'] as const) await join(a, name, 'ADMIN');
  for (const name of ['lead', 'host'] as const) await join(a, name, 'MEMBER');
  await join(b, 'host', 'MEMBER');
  const team = await did(
    callerOf('owner'),
    'organizationTeamCreate',
    { organizationId: a, name: 'T', slug: 't' },
    'teamId',
  );
  const alone = await did(callerOf('alone'), 'teamCreate', { name: 'S', slug: 'told-alone' }, 'teamId');
  teams = { team, alone };
  for (const name of ['lead', 'removed', 'demoted', 'suspended'] as const) await joinTeam(team, name, 'ADMIN');
  await joinTeam(team, 'host', 'MEMBER');
  await joinTeam(alone, 'host', 'MEMBER');
}

let types: Record<'host' | 'owner' | 'admin' | 'other' | 'stranger' | 'team' | 'managed' | 'alone', string>;

const fresh = (slug: string) => ({ slug, title: 'Talk', durationInMinutes: 30 });

const answered = async (name: string, who: Name, owner: { teamId: string } | { organizationId: string }) => {
  const routingFormId = await newRoutingForm(callerOf(who), owner);
  const { data } = await api.nobody.change(
    'routingFormSubmit',
    { routingFormId, answers: { company: 'A' } },
    'routingFormResponseId',
  );
  const of = ownedUuidOf(data.routingFormResponseId);
  return { name, kind: 'ROUTING_FORM', publicId: data.routingFormResponseId as string, of } as const;
};

const own = (name: Name) => did(callerOf(name), 'eventTypeCreate', fresh('own'), 'eventTypeId');

const ofTeam = (who: Name, teamId: string, more: object) =>
  did(
    callerOf(who),
    'teamEventTypeCreate',
    { teamId, ...fresh(`of-team-${newId().slice(-8)}`), ...more },
    'eventTypeId',
  );

async function makeHappenings(): Promise<void> {
  const hosts = (...names: Name[]) => ({ hosts: names.map((name) => ({ userId: publicId('user', ids[name]) })) });
  types = {
    host: await own('host'),
    owner: await own('owner'),
    admin: await own('admin'),
    other: await own('other'),
    stranger: await own('stranger'),
    team: await ofTeam('owner', teams.team, { schedulingType: 'ROUND_ROBIN', ...hosts('host') }),
    managed: await ofTeam('owner', teams.team, { schedulingType: 'MANAGED', ...hosts('host', 'owner') }),
    alone: await ofTeam('alone', teams.alone, { schedulingType: 'COLLECTIVE', ...hosts('host') }),
  };
  const copyOf = async (name: Name): Promise<string> => {
    const found = await row(
      em(),
      sql<OwnedId>`select owner_id as "ownerId", id from event_types
        where parent_id = ${ownedUuidOf(types.managed).id} and owner_id = ${ids[name]}`,
    );
    return publicOwnedId('eventType', found ?? { ownerId: newId(), id: newId() });
  };
  const booked = async (name: string, eventTypeId: string, host: Name, more: Partial<Happening> = {}) => {
    const type = ownedUuidOf(eventTypeId);
    // Joined in since by nobody whom the event tells of: who hosts it is looked up.
    const id = await storeBooking(em(), type, [ids[host]]);
    const of = { ownerId: type.ownerId, id };
    return {
      name,
      kind: 'BOOKING',
      publicId: publicOwnedId('booking', of),
      eventTypeId,
      of,
      hostIds: [ids[host]],
      ...more,
    } as const;
  };
  const away = async (name: Name) => {
    const of = { ownerId: ids[name], id: await storeAbsence(em(), ids[name]) };
    return { name: `absence of ${name}`, kind: 'SCHEDULE', publicId: publicOwnedId('outOfOffice', of), of } as const;
  };
  happenings = [
    await booked('team, by host', types.team, 'host'),
    // Its host was another when it happened.
    await booked('team, by owner', types.team, 'owner', { hostIds: [ids.host] }),
    await booked('own of host', types.host, 'host'),
    await booked('own of owner', types.owner, 'owner'),
    await booked('own of admin', types.admin, 'admin'),
    await booked('own of other', types.other, 'other'),
    await booked('own of stranger', types.stranger, 'stranger'),
    await booked('copy of host', await copyOf('host'), 'host', { isCopy: true }),
    await booked('copy of owner', await copyOf('owner'), 'owner', { isCopy: true }),
    await booked('stand-alone team, by host', types.alone, 'host'),
    await away('host'),
    await away('owner'),
    await away('admin'),
    await away('stranger'),
    await answered('response of A', 'owner', { organizationId: organizations.a }),
    await answered('response of the team', 'owner', { teamId: teams.team }),
    await answered('response of the stand-alone team', 'alone', { teamId: teams.alone }),
    await answered('response of B', 'other', { organizationId: organizations.b }),
  ];
  // Events that nobody deletes in a test would stand among others.
  await rows(em(), sql`delete from domain_events`);
  await rows(em(), sql`delete from jobs.job`);
}

const without = (...left: string[]) => SCOPES.filter((scope) => !left.includes(scope.replace(/^(ORG|TEAM)_/, '')));

const add = (one: Omit<Listening, 'path'>) => listening.push({ ...one, path: `/${listening.length}` });

async function makeWebhooks(): Promise<void> {
  const everything = SCOPES;
  const unread = without(
    'BOOKING_READ',
    'BOOKING_WRITE',
    'SCHEDULE_READ',
    'SCHEDULE_WRITE',
    'ROUTING_FORM_READ',
    'ROUTING_FORM_WRITE',
  );
  const teamAlone = everything.filter((scope) => !scope.startsWith('ORG_'));
  const apps = {
    'with scopes': everything,
    'without scopes': unread,
    'of a team': teamAlone,
    'cut off': null,
  } as const;
  const addAll = (where: Omit<Listening, 'path' | 'setBy'>, names: readonly Name[], appsOf: Name) => {
    for (const setBy of names) add({ ...where, setBy });
    for (const scopes of Object.values(apps)) add({ ...where, setBy: appsOf, scopes });
  };
  const stood = ['owner', 'admin', 'removed', 'demoted', 'suspended'] as const;
  addAll({ level: 'organization', group: organizations.a }, stood, 'admin');
  addAll({ level: 'organization', group: organizations.b }, ['other', 'host'], 'other');
  addAll({ level: 'teamEventType', group: teams.team, eventTypeId: types.team }, [...stood, 'lead', 'host'], 'lead');
  addAll({ level: 'managedEventType', group: teams.team, eventTypeId: types.managed }, [...stood, 'lead'], 'admin');
  addAll({ level: 'managedEventType', group: teams.team, eventTypeId: types.managed }, [], 'lead');
  addAll({ level: 'teamEventType', group: teams.alone, eventTypeId: types.alone }, ['alone', 'host'], 'alone');
  for (const setBy of NAMES) add({ level: 'user', setBy });
  addAll({ level: 'user' }, [], 'host');
  addAll({ level: 'eventType', eventTypeId: types.host }, ['host'], 'host');
  addAll({ level: 'eventType', eventTypeId: types.owner }, ['owner'], 'owner');
  for (const one of listening) await store(one);
}

async function store({ path, level, setBy, group, eventTypeId, scopes }: Listening): Promise<void> {
  const of =
    group === undefined
      ? undefined
      : level === 'organization'
        ? { organization: uuidOf(group), setBy: ids[setBy] }
        : { team: uuidOf(group), setBy: ids[setBy] };
  const holder = level === 'user' ? 'USER' : level === 'organization' ? 'ORGANIZATION' : 'EVENT_TYPE';
  const triggers = WEBHOOK_TRIGGERS.filter((trigger) =>
    (NOTIFIED_ABOUT[holder] as readonly string[]).includes(TRIGGERS[trigger]),
  );
  await storeWebhooks(em(), ids[setBy], [receiver.url(path)], {
    ...(of && { of }),
    eventTypeId: eventTypeId === undefined ? null : ownedUuidOf(eventTypeId).id,
    clientId: scopes === undefined ? null : await letIn(setBy, scopes),
    // It could read this when it set the address; what it may read now is judged.
    readable: NOTIFIED_ABOUT[holder],
    triggers,
  });
}

async function letIn(name: Name, scopes: readonly Scope[] | null): Promise<string> {
  const clientId = `app-${newId()}`;
  await rows(
    em(),
    sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, requires_pkce, redirect_uris,
          scopes, submitted_at, created_at, updated_at)
        values (${clientId}, ${ids.stranger}, '', '', 'PUBLIC', 'APPROVED', false, true, '{}', '{PROFILE_READ}', now(), now(), now())`,
  );
  await rows(
    em(),
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at,
          expires_at, revoked_at)
        values (${newId()}, ${clientId}, ${ids[name]}, 'SCOPED', ${scopes ?? SCOPES}::text[], '', 0, now(), now(), now(),
          now() + interval '1 day', ${scopes ? null : 'now'}::timestamptz)`,
  );
  return clientId;
}

async function changeStandings(): Promise<void> {
  await rows(em(), sql`delete from team_memberships where user_id = ${ids.removed}`);
  await rows(em(), sql`delete from organization_memberships where user_id = ${ids.removed}`);
  await rows(em(), sql`update team_memberships set role = 'MEMBER' where user_id = ${ids.demoted}`);
  await rows(em(), sql`update organization_memberships set role = 'MEMBER' where user_id = ${ids.demoted}`);
  await rows(em(), sql`update users set suspended_at = now() where id = ${ids.suspended}`);
}

/** Each level shows these: in its lists, and by look-ups, which must agree. */
const LISTS = `query($team: ID!, $organization: ID!, $ids: [ID!]!, $away: [ID!]!) {
  me { bookings(first: 100) { nodes { id } } bookingsById(ids: $ids) { id } outOfOffice(first: 100) { nodes { id } } outOfOfficeById(ids: $away) { id } }
  team(id: $team) { bookings(first: 100) { nodes { id } } bookingsById(ids: $ids) { id } }
  organization(id: $organization) {
    bookings(first: 100) { nodes { id } } bookingsById(ids: $ids) { id }
    outOfOffice(first: 100) { nodes { id } } outOfOfficeById(ids: $away) { id }
    routingForms(first: 5) { nodes { responses(first: 50) { nodes { id } } } }
    teams(first: 10) { nodes { routingForms(first: 5) { nodes { responses(first: 50) { nodes { id } } } } } }
  }
}`;

interface Shown {
  readonly me: ReadonlySet<string>;
  /** Undefined: who asks does not administer it, and is shown nothing. */
  readonly team: ReadonlySet<string> | undefined;
  readonly organization: ReadonlySet<string> | undefined;
}

interface Forms {
  readonly routingForms?: {
    readonly nodes: readonly { readonly responses: { readonly nodes: readonly { id: string }[] } }[];
  } | null;
}

/** The responses to the forms of a team or an organization. */
function responsesOf(group: Forms | null): string[] {
  return (group?.routingForms?.nodes ?? []).flatMap((form) => form.responses.nodes.map(({ id }) => id));
}

const named = (kind: Happening['kind']) => happenings.filter((one) => one.kind === kind).map((one) => one.publicId);

// oxlint-disable-next-line typescript/no-explicit-any -- what several lists of several shapes show
const seen = (list: any, byId: any): string[] => {
  const [listed, found] = [list?.nodes ?? [], byId ?? []].map((all) =>
    all.flatMap((one: { id: string } | null) => one?.id ?? []),
  );
  const known = new Set(happenings.map((one) => one.publicId));
  expect(found.toSorted()).toEqual(listed.filter((id: string) => known.has(id)).toSorted());
  return found;
};

async function shownTo(name: Name, team: string, organization: string): Promise<Shown> {
  // Whoever is suspended is let in nowhere (test/api/doors, test/http): this test calls behind the doors.
  if (name === 'suspended') return { me: new Set(), team: undefined, organization: undefined };
  const { data, codes } = await callerOf(name).ask(LISTS, {
    team,
    organization,
    ids: named('BOOKING'),
    away: named('SCHEDULE'),
  });
  expect(codes).toEqual([]);
  const { me, team: t, organization: o } = data;
  return {
    me: new Set([...seen(me.bookings, me.bookingsById), ...seen(me.outOfOffice, me.outOfOfficeById)]),
    team: t?.bookings ? new Set(seen(t.bookings, t.bookingsById)) : undefined,
    organization: o?.bookings
      ? new Set([
          ...seen(o.bookings, o.bookingsById),
          ...seen(o.outOfOffice, o.outOfOfficeById),
          ...responsesOf(o),
          ...o.teams.nodes.flatMap(responsesOf),
        ])
      : undefined,
  };
}

/** A webhook is told 'all' of something, that it 'happened', or nothing. */
type Told = 'all' | 'happened';

const SEEN = new Map<string, Promise<Shown>>();

async function expectedOf(one: Listening): Promise<Record<string, Told>> {
  const expected: Record<string, Told> = {};
  if (one.scopes === null) return expected;
  const isOfTeam = one.level === 'teamEventType' || one.level === 'managedEventType';
  const [team, organization] = [
    isOfTeam ? (one.group ?? '') : teams.team,
    one.level === 'organization' ? (one.group ?? '') : organizations.a,
  ];
  const key = [one.setBy, team, organization].join();
  const shown = await SEEN.getOrInsertComputed(key, () => shownTo(one.setBy, team, organization));
  const prefixes = {
    user: [''],
    eventType: [''],
    teamEventType: ['TEAM_', 'ORG_'],
    managedEventType: ['ORG_'],
    organization: ['ORG_'],
  };
  for (const happening of happenings) {
    const { kind, publicId: id, eventTypeId, isCopy = false } = happening;
    const asked = {
      user: kind !== 'ROUTING_FORM',
      eventType: eventTypeId === one.eventTypeId,
      teamEventType: eventTypeId === one.eventTypeId,
      managedEventType: isCopy,
      organization: true,
    }[one.level];
    const isShown = {
      user: shown.me.has(id),
      eventType: shown.me.has(id),
      teamEventType: shown.team?.has(id),
      // The team has asked for its members' copies; its list has none of their bookings, so that who does not see them in the
      // organization's is told that there is one.
      managedEventType: shown.team !== undefined,
      organization: shown.organization?.has(id),
    }[one.level];
    if (!asked || !isShown) continue;
    const isWhole = one.level !== 'managedEventType' || shown.organization?.has(id) === true;
    const reads = prefixes[one.level].some((prefix) => one.scopes?.includes(`${prefix}${kind}_READ` as Scope) ?? true);
    expected[happening.name] = isWhole && reads ? 'all' : 'happened';
  }
  return expected;
}

const FACTS = { start: '2031-01-06T09:00:00Z', end: '2031-01-06T09:30:00Z' };
const BY = { by: { userId: null, network: null } };
/** The further data of a trigger's event, beside the booking. */
const BESIDES: Readonly<Partial<Record<WebhookTrigger, object>>> = {
  BOOKING_REJECTED: { reason: null },
  BOOKING_CANCELLED: { reason: null, rescheduleRequested: false },
  BOOKING_RESCHEDULED: { previousId: newId(), reason: null },
  BOOKING_ABSENCE_MARKED: { absentHostIds: [], absentEmails: [] },
  MEETING_STARTED: { sessionId: 's', at: FACTS.start },
  MEETING_ENDED: { sessionId: 's', at: FACTS.end },
  RECORDING_READY: { recordingId: 'r' },
  TRANSCRIPT_READY: { transcriptId: 't' },
};

function eventOf(type: WebhookTrigger, { of, eventTypeId, hostIds = [] }: Happening): DomainEvent {
  if (type === 'OUT_OF_OFFICE_CREATED') return { type, outOfOfficeId: of.id, ...FACTS };
  if (type === 'ROUTING_FORM_SUBMITTED') return { type, routingFormId: of.id, responseId: of.id, ...BY };
  const booking = { id: of.id, thread: newId(), eventTypeId: ownedUuidOf(eventTypeId ?? '').id, hostIds, ...FACTS };
  return { type, booking, ...BY, ...BESIDES[type] } as DomainEvent;
}

/** All that happens by a trigger is told. @returns what came at each path */
async function happens(type: WebhookTrigger): Promise<Map<string, Record<string, Told>>> {
  receiver.all.length = 0;
  await rows(em(), sql`delete from webhook_deliveries`);
  const happened = happenings.filter(({ kind }) => kind === TRIGGERS[type]);
  await recordEvents(
    em(),
    happened.map((one) => ({ ownerId: one.of.ownerId, event: eventOf(type, one) })),
  );
  const runner = new JobRunner(api.database.em, webhookKindsWith(door), console);
  await runner.settled();
  // An owner with too many at once waits for a second.
  while (await row(em(), sql`select 1 from webhook_deliveries where status = 'PENDING' limit 1`)) {
    await letTimePass(em());
    await runner.settled();
  }
  await runner.stop();
  const deliveries = await rows(
    em(),
    sql<{ ownerId: string; id: string; aboutId: string }>`
      select owner_id as "ownerId", id, about_id as "aboutId" from webhook_deliveries`,
  );
  const about = new Map(deliveries.map((one) => [publicOwnedId('webhookDelivery', one), one.aboutId]));
  const came = new Map<string, Record<string, Told>>();
  for (const { path, headers, body } of receiver.all) {
    const name =
      happened.find(({ of }) => of.id === about.get(String(headers['webhook-id'])))?.name ?? 'something else';
    const at = came.get(path) ?? {};
    expect([path, name, at[name]]).toEqual([path, name, undefined]);
    came.set(path, { ...at, [name]: JSON.parse(body).data === null ? 'happened' : 'all' });
  }
  return came;
}

const wordsOf = ({ path, level, setBy, scopes }: Listening) =>
  `${path} ${level} set by who ${PEOPLE[setBy]}${scopes === undefined ? '' : `, by an app with ${scopes?.length ?? 'no access'}`}`;

test.each(WEBHOOK_TRIGGERS)(
  '%s is sent to those who see its subject in the lists, and to nobody else',
  async (type) => {
    const came = await happens(type);
    const [told, expected]: Record<string, object>[] = [{}, {}];
    for (const one of listening) {
      const all = await expectedOf(one);
      const ofKind = happenings.filter(({ kind, name }) => kind === TRIGGERS[type] && name in all);
      Object.assign(expected ?? {}, {
        [wordsOf(one)]: Object.fromEntries(ofKind.map(({ name }) => [name, all[name]])),
      });
      Object.assign(told ?? {}, { [wordsOf(one)]: came.get(one.path) ?? {} });
    }
    expect(told).toEqual(expected);
    // Somebody is told, and somebody is not: else it would say nothing.
    const counts = Object.values(expected ?? {}).map((one) => Object.keys(one).length);
    expect([Math.max(...counts) > 0, Math.min(...counts)]).toEqual([true, 0]);
  },
);
