/**
 * A name is no key: whatever a token of all scopes, a webhook, a host, a log or the database holds, none of it opens a booking, a seat or a
 * reservation at the doors that ask for nothing but a key. Attendees have theirs from the answer, their mail and their page.
 */

import { readFile } from 'node:fs/promises';
import process from 'node:process';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ID_TAGS } from '../../src/core/id.ts';
import { changed, rows, sql } from '../../src/database/sql.ts';
import type { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, type Offered, see } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { jobsSettled } from '../support/mails-settled.ts';
import { KNOWN_KEY, tokenMint, uidsOf } from '../support/minted-tokens.ts';
import { paced } from '../support/pace.ts';
import { FORM } from '../support/routing-forms.ts';
import { NAVIGATION, OWN_FORM, TestBrowser } from '../support/test-browser.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const METRICS_TOKEN = 'a-token-for-metrics-of-32-letters';
const HOSTS = ['ada@acme.test', 'bob@acme.test', 'cyd@acme.test'];
const OFFICE = 'office@acme.test';
const BOOKING_PAGE = '/bookings/bkg_';

let app: TestApp;
let mailServer: MailServer;
let receiver: WebhookReceiver;
let uids: Uids;
let host: Host;
let token: string;
let place: { readonly organization: string; readonly team: string };
let plain: Offered;
let hidden: Offered;
/** The start of each booking is one of their own. */
let starts: Iterator<string>;
const logged: string[] = [];
/** Each text that somebody other than an attendee has come by, with the places where. */
const seen = new Map<string, Set<string>>();
/** The uid that each attendee was answered, by their name. */
const given = new Map<string, string>();
let reservation: string;
let mails: readonly ReceivedMail[];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => logged.push(String(line)) > 0);
  mailServer = await MailServer.open();
  receiver = await WebhookReceiver.open();
  app = await startTestApp(
    { ...KNOWN_KEY, SMTP_URL: mailServer.url, ALLOW_PRIVATE_NETWORK: 'on', LOG_LEVEL: 'trace', METRICS_TOKEN },
    { runsJobs: true },
  );
  uids = await uidsOf(app);
  host = await hostOf(app, 'ada@acme.test', 'ada');
  const { me } = await host.browser.ask<{
    me: { id: string; organizations: { nodes: { id: string; teams: { nodes: { id: string }[] } }[] } };
  }>('{ me { id organizations(first: 1) { nodes { id teams(first: 1) { nodes { id } } } } } }');
  const [organization] = me.organizations.nodes;
  place = { organization: organization?.id ?? '', team: organization?.teams.nodes[0]?.id ?? '' };
  token = await (await tokenMint(app))(me.id, SCOPES);
  await happen();
}, paced(60_000));
afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
  await receiver.close();
  await mailServer.close();
});

/** A mutation of anybody, or of the app. */
async function change(name: string, input: object, selection = '__typename', as?: string) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`;
  const { body } = await app.graphql(query, { variables: { input }, ...(as !== undefined && { token: as }) });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data[name];
}

function nextStart(): string {
  const { value, done } = starts.next();
  if (done) throw new Error('No start is left.');
  return value;
}

/** All that happens to bookings, with mails and webhooks about it; then bookings whose mails have to wait. */
async function happen(): Promise<void> {
  const { team } = await host.browser.ask<{ team: { eventTypes: { nodes: { id: string; slug: string }[] } } }>(
    'query ($id: ID!) { team(id: $id) { eventTypes { nodes { id slug } } } }',
    { id: place.team },
  );
  const ofTeam = team.eventTypes.nodes.find(({ slug }) => slug === 'demo')?.id ?? '';
  await tellEverybody(ofTeam);
  plain = await host.offer();
  // Two for each, so that a series and a seat find theirs free.
  starts = plain.starts.filter((_, index) => index % 2 === 0).values();
  const seated = await host.offer({ seats: { perSlot: 3, showsAttendees: true } });
  const weekly = await host.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } });
  const asked = await host.offer({ confirmation: { type: 'ALWAYS' } });
  hidden = await host.offer();
  await book('hidden', hidden.eventTypeId);
  await host.browser.mutate('eventTypeUpdate', { eventTypeId: hidden.eventTypeId, isHidden: true }, 'eventTypeId');
  await host.browser.mutate('privateLinkCreate', { eventTypeId: hidden.eventTypeId }, 'privateLinkId');
  await book('plain', plain.eventTypeId);
  await book('moved', plain.eventTypeId);
  await book('wanted', plain.eventTypeId);
  const shared = nextStart();
  await book('seat-one', seated.eventTypeId, shared);
  await book('seat-two', seated.eventTypeId, shared);
  await book('weekly', weekly.eventTypeId);
  await book('weekly-two', weekly.eventTypeId);
  await book('of-team', ofTeam);
  await book('confirmed', asked.eventTypeId);
  await book('declined', asked.eventTypeId);
  // Its host is mailed the links that answer a request, as long as nobody has answered it.
  await jobsSettled(app);
  const uid = given.get('moved');
  const moved = await change('bookingReschedule', { uid, start: nextStart() }, 'booking { uid }');
  given.set('moved', moved.booking.uid);
  const named = (name: string) => ({ bookingId: idOfUid(given.get(name) ?? '') });
  await host.browser.mutate('bookingConfirm', named('confirmed'), 'bookingId');
  await host.browser.mutate('bookingDecline', { ...named('declined'), reason: 'Full' }, 'bookingId');
  await host.browser.mutate('bookingRescheduleRequest', { ...named('wanted'), reason: 'Ill' }, 'bookingId');
  reservation = await reserve();
  await useKeys(given.get('plain') ?? '', reservation);
  await jobsSettled(app);
  mails = [...mailServer.mails];
  // From now on mails lie where they wait.
  mailServer.refusalFor = () => ({ code: 451, message: 'Try again later.' });
  await book('waiting', asked.eventTypeId);
  await attend();
  await vi.waitFor(
    async () => expect(await dumpOf('jobs.job')).toEqual(expect.stringContaining('waiting@office.test')),
    { timeout: paced(20_000), interval: 100 },
  );
}

/** Webhooks and a workflow that write of bookings to hosts, to attendees and to an address beside them. */
async function tellEverybody(eventTypeId: string): Promise<void> {
  const triggers = ['CREATED', 'REQUESTED', 'RESCHEDULED', 'CANCELLED', 'CONFIRMED', 'REJECTED'].map(
    (happened) => `BOOKING_${happened}`,
  );
  await host.browser.mutate('webhookCreate', { url: receiver.url('/own'), triggers }, 'webhookId');
  const { organization: organizationId, team: teamId } = place;
  const ofAll = { organizationId, url: receiver.url('/organization'), triggers };
  await host.browser.mutate('organizationWebhookCreate', ofAll, 'webhookId');
  const ofTeam = { teamId, eventTypeId, url: receiver.url('/team'), triggers };
  await host.browser.mutate('teamEventTypeWebhookCreate', ofTeam, 'eventTypeWebhookId');
  await storeVerified(app.database.em, 'EMAIL', teamId, OFFICE);
  await host.browser.mutate('routingFormCreate', { teamId, ...FORM }, 'routingFormId');
  await host.browser.mutate(
    'outOfOfficeCreate',
    { start: '2031-03-03T00:00:00Z', end: '2031-03-08T00:00:00Z' },
    'outOfOfficeId',
  );
  const words = { subject: 'Of {event_name}', body: /* invalid */ '{booking_link} {cancel_link} {reschedule_link}' };
  const steps = [
    { action: 'EMAIL_HOST', ...words },
    { action: 'EMAIL_ATTENDEE', ...words },
    { action: 'EMAIL_ADDRESS', sendTo: OFFICE, ...words },
  ];
  const workflow = { teamId, name: 'Told', trigger: 'NEW_BOOKING', steps };
  await host.browser.mutate('teamWorkflowCreate', workflow, 'workflowId');
}

async function book(name: string, eventTypeId: string, start = nextStart()): Promise<string> {
  const attendee = { name, email: `${name}@office.test`, timeZone: 'UTC' };
  const input = { eventTypeId, start, attendee, idempotencyKey: `the-booking-of-${name}` };
  const { booking, userErrors } = await change('bookingCreate', input, 'booking { uid }');
  expect([name, userErrors]).toEqual([name, []]);
  given.set(name, booking.uid);
  // The repetition is answered with the same uid, which nothing has kept.
  expect((await change('bookingCreate', input, 'booking { uid }')).booking.uid).toBe(booking.uid);
  return booking.uid;
}

/** The host books somebody else, so that their app reads what they attend. */
async function attend(): Promise<void> {
  const { eventTypeId, starts: free } = await (await hostOf(app, 'bob@acme.test', 'bob')).offer();
  const attendee = { name: 'Ada', email: 'ada@acme.test', timeZone: 'UTC' };
  const input = { eventTypeId, start: free[0], attendee };
  await host.browser.mutate('bookingCreate', input, 'booking { uid }');
}

async function reserve(): Promise<string> {
  const input = { eventTypeId: plain.eventTypeId, start: nextStart() };
  return (await change('slotReservationCreate', input, 'reservation { uid }')).reservation.uid;
}

/** Attendees and their apps come with a key, in each way in which that can fail too: what is logged of it has none. */
async function useKeys(uid: string, reservationUid: string): Promise<void> {
  await see(new TestBrowser(app.url), `/bookings/${uid}`);
  const requests = [
    ['POST', `/v2/bookings/${uid}/nothing`],
    ['POST', `/v2/bookings/${uid}/reschedule`],
    ['POST', `/bookings/${uid}/guests/none`],
    ['GET', `/v2/public-bookings/${uid}?nothing=${uid}`],
    ['GET', `/v2/me/bookings/${uid}`],
    ['PATCH', `/v2/slot-reservations/${reservationUid}`],
    ['GET', `/v2/me?access_token=${uid}`],
  ] as const;
  for (const [method, path] of requests) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', referer: app.url + path };
    const body = method === 'GET' ? null : JSON.stringify({ start: uid, [uid]: reservationUid });
    const { status } = await fetch(app.url + path, { method, headers, body });
    expect([path, status >= 400]).toEqual([path, true]);
  }
  for (const query of [
    /* invalid */ `{ publicBooking(uid: "${uid}") { nothing } }`,
    `{ ${uid} }`,
    `mutation { bookingReschedule(input: { uid: "${uid}", start: "${uid}" }) { userErrors { code } } }`,
  ]) {
    expect((await app.graphql(query, { token })).body.errors).toHaveLength(1);
  }
  for (const authorization of [`Bearer ${uid}`, `Basic ${btoa(`${uid}:${uid}`)}`]) {
    expect((await fetch(`${app.url}/v2/me`, { headers: { authorization } })).status).toBe(401);
  }
  await failOnOurSide(uid);
}

/** A fault of ours is logged with all that is known about it. */
async function failOnOurSide(uid: string): Promise<void> {
  const em = app.database.em.fork();
  await changed(em, sql`alter table bookings rename column uid_version to elsewhere`);
  const statuses = [];
  for (const path of [`/bookings/${uid}`, `/v2/public-bookings/${uid}`]) {
    statuses.push((await fetch(app.url + path)).status);
  }
  await changed(em, sql`alter table bookings rename column elsewhere to uid_version`);
  expect(statuses).toEqual([500, 500]);
}

/** All that could be a key in a text: as it stands, and what addresses, mails, calendar files, escapes and base64 make of it. */
function textsIn(text: string): Set<string> {
  const decoded = text.replaceAll(/%[\dA-F]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  const joined = [decoded.replaceAll(/=\r?\n/g, ''), decoded.replaceAll(/(?:\\r)?(?:\\n|\n)[ \t]/g, '')];
  const inBase64 = [...text.matchAll(/[\w+/-]{60,}/g)].map(([whole]) =>
    Buffer.from(whole, 'base64').toString('latin1'),
  );
  const found = new Set<string>();
  for (const one of new Set([text, decoded, ...joined, inBase64.join('\n')])) {
    for (const [whole] of one.matchAll(/[\w-]{16,}/g)) found.add(whole);
    // A letter of an escape may stand before it.
    for (const [inside] of one.matchAll(/u[ic][a-z]_[\w-]{69}/g)) found.add(inside);
  }
  return found;
}

const isKey = (text: string): boolean => (uids.read(text) ?? uids.readReservation(text)) !== undefined;

function takeDown(where: string, text: string): void {
  for (const found of textsIn(text)) {
    const places = seen.get(found) ?? new Set();
    seen.set(found, places.add(where));
  }
}

/** So many of the ids of a kind that were seen, the last ones first. */
function idsOf(kind: string, most = 4): string[] {
  const tag = (ID_TAGS as Readonly<Record<string, string>>)[kind];
  if (tag === undefined) return [];
  const ids = [...seen.keys()].filter((text) => text.startsWith(`${tag}_`) && text.length < 60);
  return ids.toReversed().slice(0, most);
}

/** The selection of all that a type shows, so deep. */
function everything(type: GraphQLNamedType, depth: number): string {
  if (isUnionType(type)) {
    const parts = type.getTypes().map((one) => `... on ${one.name} ${everything(one, depth)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  const fields = Object.values(type.getFields()).map((field) => selected(field, depth));
  return `{ __typename ${fields.join(' ')} }`;
}

/** A field with all below it; empty where it needs arguments that are not given, or is too deep. */
function selected(field: GraphQLField<unknown, unknown>, depth: number, values: Values = {}): string {
  if (!field.args.filter(isRequiredArgument).every(({ name }) => name in values)) return '';
  const type = getNamedType(field.type);
  if (!isLeafType(type) && depth === 0) return '';
  const args = field.args.flatMap(({ name }) => {
    const value = name === 'first' ? 5 : values[name];
    return value === undefined ? [] : [`${name}: ${JSON.stringify(value).replace('{"id":', '{id:')}`];
  });
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${everything(type, depth - 1)}`;
}

type Values = Readonly<Record<string, unknown>>;

/** The kinds of the ids by which fields of these types are fetched, where the type is named otherwise. */
const KINDS: Readonly<Record<string, string>> = {
  sentInvitation: 'invitation',
  member: 'user',
  workflowPreview: 'workflow',
  publicRoutingForm: 'routingForm',
  publicEventType: 'eventType',
  slot: 'eventType',
};

/** Arguments that a field needs without saying so. */
const NEEDED: Readonly<Record<string, string>> = { publicEventTypes: 'team' };
/** Asked by a uid, and by answers. */
const APART = ['publicBooking', 'routingFormOutcome'];

/** Fills in the arguments of a field, for each of the things that it can be asked for. */
function askedFor({ name, args, type }: GraphQLField<unknown, unknown>): Values[] {
  const required = [...args.filter(isRequiredArgument).map((one) => one.name), NEEDED[name] ?? ''];
  if (required.includes('team') && args.some((one) => one.name === 'organization')) required.push('organization');
  const typeName = getNamedType(type).name;
  const kind = `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}`;
  const ids = idsOf(KINDS[kind] ?? kind, kind === 'booking' ? 30 : 4);
  const [from, to] = [plain.starts[0], plain.starts[20]];
  const all = { from, to, start: from, end: to, organization: 'acme', team: 'sales', ids };
  const given = Object.fromEntries(Object.entries(all).filter(([one]) => required.includes(one)));
  const by = required.find((one) => /^(?:id|workflowId|routingFormId|eventType|by)$/.test(one));
  return by === undefined ? [given] : ids.map((id) => ({ ...given, [by]: /Id$|^id$/.test(by) ? id : { id } }));
}

/** Reads every field of the schema as the app of all scopes. @returns the refusals of fields that no answer had */
async function readAsApp(): Promise<string[]> {
  const schema = buildSchema(await readFile('schema/schema.graphql', 'utf8'));
  const doors = {
    Query: '',
    Viewer: 'me',
    Team: `team(id: "${place.team}")`,
    Organization: `organization(id: "${place.organization}")`,
  };
  const all = Object.entries(doors).flatMap(([name, door]) => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
    const fields = Object.values(type.getFields()).filter((field) => !APART.includes(field.name));
    return fields.map((field) => ({ name: `${name}.${field.name}`, door, field }));
  });
  // Lists first: they show the ids of what is fetched by them.
  const isPlain = ({ field: { args, name } }: (typeof all)[number]) => !args.some(isRequiredArgument) && !NEEDED[name];
  const refused: string[] = [];
  for (const { name, door, field } of [...all.filter(isPlain), ...all.filter((one) => !isPlain(one))]) {
    const answers: string[] = [];
    for (const values of askedFor(field)) answers.push(await readField(name, door, field, values));
    if (answers.length > 0 && !answers.includes('')) refused.push(`${name} ${answers.join(' ')}`);
  }
  return refused;
}

/** Reads a field as deep as one answer may be. @returns why not */
async function readField(
  name: string,
  door: string,
  field: GraphQLField<unknown, unknown>,
  values: Values,
): Promise<string> {
  let refusal = '';
  for (const depth of [5, 4, 3, 2, 1, 0]) {
    const selection = selected(field, depth, values);
    if (selection === '') continue;
    const { body } = await app.graphql(door === '' ? `{ ${selection} }` : `{ ${door} { ${selection} } }`, { token });
    refusal = body.errors?.[0].message ?? '';
    if (refusal !== '') continue;
    takeDown(name, JSON.stringify(body));
    break;
  }
  return refusal;
}

/** Reads every path by REST. @returns the refusals of paths that no answer had */
async function readByRest(): Promise<string[]> {
  const { paths, components } = await (await fetch(`${app.url}/openapi.json`)).json();
  const refused: string[] = [];
  const sorted = Object.entries(paths as Record<string, { get?: { parameters?: Parameter[] } }>).toSorted(
    ([one], [other]) => one.split('{').length - other.split('{').length,
  );
  for (const [path, { get }] of sorted) {
    if (!get) continue;
    const query = new URLSearchParams();
    for (const given of get.parameters ?? []) {
      const { name, in: where, required } = components.parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given;
      if (where !== 'query' || !required) continue;
      query.set(name, /start|from/i.test(name) ? (plain.starts[0] ?? '') : (plain.starts[20] ?? ''));
    }
    if (path === '/v2/public-event-types') query.set('username', host.username);
    if (path === '/v2/slots') query.set('eventType.id', plain.eventTypeId);
    const at = path.replace(/* invalid */ '{orgId}', place.organization).replace(/* invalid */ '{teamId}', place.team);
    const last = /\{(\w+?)(?:Id)?\}/.exec(at);
    const addresses = last ? idsOf(last[1] ?? '', 12).map((id) => at.replace(last[0], id)) : [at];
    const answers: string[] = [];
    for (const address of addresses) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${app.url}${address}${query.size > 0 ? `?${query}` : ''}`, { headers });
      const text = await answer.text();
      takeDown(`GET ${path}`, text);
      answers.push(answer.ok || answer.status === 404 ? '' : text);
    }
    if (answers.length > 0 && !answers.includes('')) refused.push(`${path} ${answers[0]}`);
  }
  return refused;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

/** Follows the links of the pages that somebody sees. */
async function readPages(reader: string, browser: TestBrowser): Promise<number> {
  const [todo, done] = [['/', '/bookings', '/bookings?show=past', '/settings'], new Set<string>()];
  for (let path = todo.shift(); path !== undefined && done.size < 120; path = todo.shift()) {
    if (done.has(path)) continue;
    done.add(path);
    const stop = await browser.open(path);
    if (stop.kind === 'AWAY') continue;
    takeDown(`page ${path} of ${reader}`, stop.html);
    takeDown(`headers of ${path} of ${reader}`, JSON.stringify([...stop.headers]));
    const links = [...stop.html.matchAll(/href="(\/[^"#]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const next = links.filter((one) => !/logout|\.(?:css|js|svg|png|ico|ics)/.test(one) && !done.has(one));
    // Those of bookings first.
    todo.unshift(...next.filter((one) => one.startsWith(BOOKING_PAGE)));
    todo.push(...next.filter((one) => !one.startsWith(BOOKING_PAGE)));
  }
  return done.size;
}

/** Every row of a table as a text. */
async function dumpOf(table: string): Promise<string> {
  const found = await rows(
    app.database.em.fork(),
    sql<{ line: string }>`select t::text as line from ${sql.raw(table)} t order by 1`,
  );
  return found.map(({ line }) => line).join('\n');
}

async function readDatabase(): Promise<number> {
  const tables = await rows(
    app.database.em.fork(),
    sql<{ name: string }>`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) takeDown(`table ${name}`, await dumpOf(name));
  return tables.length;
}

/** A place that asks for a key and for nothing else. */
interface Door {
  /** Whether a text opens it. */
  readonly isOpenTo: (text: string, as?: string) => Promise<boolean>;
  /** A key that opens it. */
  readonly key: () => string | Promise<string>;
}

const isDone = async (name: string, input: object, as?: string): Promise<boolean> =>
  (await change(name, input, '__typename', as)).userErrors.length === 0;

async function isOk(method: string, path: string, input?: object, as?: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', ...(as !== undefined && { authorization: `Bearer ${as}` }) };
  return (await fetch(app.url + path, { method, headers, body: input ? JSON.stringify(input) : null })).ok;
}

/** A page is shown, or shown again for a form that is not its own, where the text opens it. */
const isPage = async (path: string, form?: string): Promise<boolean> =>
  (await new TestBrowser(app.url).request(path, form === undefined ? NAVIGATION : OWN_FORM, form)).status !== 404;

const booked = (name: string) => (): string => given.get(name) ?? '';
const fresh = (name: string) => () => book(name, plain.eventTypeId);
let free: string;

const DOORS: Readonly<Record<string, Door>> = {
  publicBooking: {
    key: booked('plain'),
    isOpenTo: async (uid, as) => {
      const query = 'query ($uid: String!) { publicBooking(uid: $uid) { status } }';
      const { body } = await app.graphql(query, { variables: { uid }, token: as });
      return body.data.publicBooking !== null;
    },
  },
  slots: {
    key: booked('hidden'),
    // Its host's app sees it all the same.
    isOpenTo: async (uid) => {
      const query = `query ($id: ID!, $uid: String!, $start: DateTime!, $end: DateTime!) {
        slots(eventType: { id: $id }, bookingUidToReschedule: $uid, start: $start, end: $end) { start } }`;
      const variables = { id: hidden.eventTypeId, uid, start: plain.starts[0], end: plain.starts[1] };
      return (await app.graphql(query, { variables })).body.data.slots !== null;
    },
  },
  'the page': { key: booked('plain'), isOpenTo: (text) => isPage(`/bookings/${text}`) },
  'the page that moves': { key: booked('plain'), isOpenTo: (text) => isPage(`/bookings/${text}/reschedule`) },
  'the form that moves': {
    key: booked('plain'),
    isOpenTo: (text) => isPage(`/bookings/${text}/reschedule`, new URLSearchParams({ start: free }).toString()),
  },
  'the page that cancels': { key: booked('plain'), isOpenTo: (text) => isPage(`/bookings/${text}/cancel`) },
  'the form that cancels': {
    key: booked('plain'),
    isOpenTo: (text) => isPage(`/bookings/${text}/cancel`, 'reason=Rain'),
  },
  'GET /v2/public-bookings': {
    key: booked('seat-one'),
    isOpenTo: (text, as) => isOk('GET', `/v2/public-bookings/${text}`, undefined, as),
  },
  bookingReschedule: {
    key: booked('confirmed'),
    isOpenTo: (uid, as) => isDone('bookingReschedule', { uid, start: free }, as),
  },
  bookingCancel: { key: booked('seat-one'), isOpenTo: (uid, as) => isDone('bookingCancel', { uid }, as) },
  bookingSeriesCancel: { key: booked('weekly'), isOpenTo: (uid, as) => isDone('bookingSeriesCancel', { uid }, as) },
  'POST reschedule': {
    key: fresh('rest-moved'),
    isOpenTo: (text, as) => isOk('POST', `/v2/bookings/${text}/reschedule`, { start: free }, as),
  },
  'POST cancel': {
    key: fresh('rest-cancelled'),
    isOpenTo: (text, as) => isOk('POST', `/v2/bookings/${text}/cancel`, {}, as),
  },
  'POST cancel-series': {
    key: booked('weekly-two'),
    isOpenTo: (text, as) => isOk('POST', `/v2/bookings/${text}/cancel-series`, {}, as),
  },
  slotReservationUpdate: {
    key: () => reservation,
    isOpenTo: async (reservationUid, as) => {
      const moved = await change('slotReservationUpdate', { reservationUid }, 'reservation { uid }', as);
      reservation = moved.reservation?.uid ?? reservation;
      return moved.reservation !== null;
    },
  },
  slotReservationDelete: {
    key: () => reservation,
    isOpenTo: (reservationUid, as) => isDone('slotReservationDelete', { reservationUid }, as),
  },
  'PATCH /v2/slot-reservations': {
    key: async () => (reservation = await reserve()),
    isOpenTo: (text, as) => isOk('PATCH', `/v2/slot-reservations/${text}`, {}, as),
  },
  'DELETE /v2/slot-reservations': {
    key: reserve,
    isOpenTo: (text, as) => isOk('DELETE', `/v2/slot-reservations/${text}`, undefined, as),
  },
};

/** A reader of all this would try names as they are, the codes of files as uids, and ids in the shape of a uid. */
function attempts(): string[] {
  const tried = [...seen.keys()].flatMap((text) => {
    const [, tag = '', body = ''] = /^(bkg|sea|rsv|hld|uc[bs])_([\w-]{43,69})$/.exec(text) ?? [];
    if (tag === '') return [];
    if (tag.startsWith('uc')) return [text, ...['uid', 'uis', 'uir'].map((other) => `${other}_${body}`)];
    const shaped = { bkg: 'uid', sea: 'uis', rsv: 'uir', hld: 'uir' }[tag] ?? '';
    return [text, `${shaped}_${body}`, `${shaped}_0000${body}${'A'.repeat(22)}`];
  });
  return [...new Set(tried)];
}

test(
  'nothing that others than attendees come by opens anything',
  async () => {
    expect.soft(await readAsApp()).toEqual([]);
    expect.soft(await readByRest()).toEqual([]);
    expect.soft(await readPages('a host', host.browser)).toBeGreaterThan(30);
    for (const other of ['bob@acme.test', 'cyd@acme.test', 'admin@gatehouse.test']) {
      expect.soft(await readPages(other, await TestBrowser.signedIn(app.url, other))).toBeGreaterThan(10);
    }
    expect.soft(await readDatabase()).toBeGreaterThan(50);
    for (const { headers, body } of receiver.all) takeDown('a webhook', `${JSON.stringify(headers)} ${body}`);
    const toHosts = mails.filter(({ mailbox }) => [...HOSTS, OFFICE].includes(mailbox));
    for (const { everything: all, mailbox } of toHosts) takeDown(`a mail to ${mailbox}`, all);
    takeDown('the log', logged.join(''));
    const metrics = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    takeDown('metrics', await metrics.text());
    // The control: each place was looked into, and names bookings.
    const places = [...seen].filter(([text]) => /^(?:bkg|sea)_/.test(text)).flatMap(([, where]) => [...where]);
    const wanted = [
      'Viewer.bookings',
      'Viewer.booking',
      'Viewer.appointments',
      'GET /v2/bookings',
      'Organization.bookings',
      'a webhook',
      'a mail to ada@acme.test',
      'page /bookings of a host',
    ];
    expect.soft(wanted.filter((where) => !places.includes(where))).toEqual([]);
    expect.soft(toHosts.map(({ mailbox }) => mailbox)).toContain(OFFICE);
    expect.soft(logged.join('')).toContain('A request failed on our side.');
    expect.soft(metrics.status).toBe(200);

    // The link by which a host answers a request is in their mail alone.
    const answers = toHosts.flatMap(({ everything: all }) => [...all.matchAll(/\/answer\/([\w-]{20,})/g)]);
    expect.soft(answers.length).toBeGreaterThan(0);
    const placesOfAnswers = answers.flatMap(([, answer = '']) => [...(seen.get(answer) ?? [])]);
    expect.soft(placesOfAnswers.filter((where) => !where.startsWith('a mail to '))).toEqual([]);

    const keys = [...seen.keys()].filter(isKey);
    expect.soft(keys.map((key) => [key.slice(0, 8), [...(seen.get(key) ?? [])]])).toEqual([]);

    free = nextStart();
    const tables = ['bookings', 'booking_attendees', 'slot_reservations'];
    const before = await Promise.all(tables.map(dumpOf));
    const tried = attempts();
    expect.soft(tried.length).toBeGreaterThan(60);
    const opened: string[] = [];
    for (const [name, { isOpenTo }] of Object.entries(DOORS)) {
      for (let from = 0; from < tried.length; from += 20) {
        const some = tried.slice(from, from + 20);
        // Every second time by the app of all scopes, to which they are no more than to anybody.
        const isOpen = await Promise.all(
          some.map((text, index) => isOpenTo(text, index % 2 === 0 ? token : undefined)),
        );
        opened.push(...some.filter((_, index) => isOpen[index]).map((text) => `${name} ${text}`));
      }
    }
    expect.soft(opened).toEqual([]);
    expect.soft(await Promise.all(tables.map(dumpOf))).toEqual(before);
  },
  paced(60_000),
);

test('attendees are mailed their uids, and answered with them', () => {
  for (const [name, uid] of given) {
    expect.soft([name, isKey(uid)]).toEqual([name, true]);
    const own = mails.filter(({ mailbox }) => mailbox === `${name}@office.test`);
    const keys = new Set(own.flatMap(({ everything: all }) => [...textsIn(all)].filter(isKey)));
    const isMailed = name !== 'waiting';
    expect([name, own.length > 0, keys.has(uid)]).toEqual([name, isMailed, isMailed]);
  }
  expect(isKey(reservation)).toBe(true);
});

test(
  'and each door opens to its key',
  async () => {
    for (const [name, { isOpenTo, key }] of Object.entries(DOORS)) {
      free = nextStart();
      expect.soft([name, await isOpenTo(await key())]).toEqual([name, true]);
    }
    const page = await see(new TestBrowser(app.url), `/bookings/${given.get('plain')}`);
    expect.soft(textsIn(page.html)).toContain(given.get('plain'));
    // The file lets read, and nothing else.
    const file = /\/bookings\/(ucb_[\w-]+)\.ics/.exec(page.html)?.[0] ?? '';
    expect.soft(await (await fetch(app.url + file)).text()).toContain('BEGIN:VEVENT');
    expect.soft((await fetch(app.url + file.replace('.ics', ''))).status).toBe(404);
  },
  paced(60_000),
);
