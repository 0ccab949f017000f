/**
 * The corpus, sent both ways by many callers: every document of the pages and the tests, and more that are made at random.
 * It is in parts, so that each takes its time in a process of its own.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { paced } from '../support/pace.ts';
import { type Random, randomFrom } from '../support/random-documents.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';
import { type Difference, difference, told } from './compare.ts';
import { type Known, RandomQueries, type RandomQuery } from './random-queries.ts';
import { writtenDocuments } from './written-documents.ts';

const PARTS = 6;
/** The queries of each part; with the written ones, all parts have more than 2,000. */
const RANDOM_QUERIES = 300;
/** Sent in one test. */
const AT_A_TIME = 75;
const LEAST_WRITTEN = 60;
/** A plan carries out at least this part of those that can be carried out at all. */
const LEAST_PLANNED = 0.4;
const LATER = 3 * 3_600_000;
/** The part of the requests, of callers but the first, that goes by GET. */
const BY_GET = 0.25;
/** Callers of each document, beside the one with all scopes. */
const OTHERS = 2;

const ACCEPTED: readonly (string | undefined)[] = [
  undefined,
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
  'application/json, application/graphql-response+json;q=0.5',
  'application/*',
  'text/html, */*;q=0.1',
  'multipart/mixed, application/graphql-response+json, application/json',
  'text/event-stream, application/json',
  'application/json; charset=iso-8859-1, application/graphql-response+json',
  'application/graphql-response+json;charset=utf-16, application/json;charset=utf-8',
  '*/json, application/graphql-response+json',
  '*/graphql-response+json, application/json',
  'application/json/x, application/graphql-response+json',
  'APPLICATION/JSON',
  ' application/json ,, ',
  'text/html',
  'application/json;q=0',
  '',
];
const CONTENT_TYPES: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/graphql+json',
  'APPLICATION/JSON;charset="UTF-8"',
  'application/json; charset=latin1',
  'text/plain',
];

interface Outcome {
  readonly documents: number;
  readonly requests: number;
  /** Documents that at least one caller was answered by a plan. */
  readonly planned: number;
  readonly differences: readonly Difference[];
}

interface Part {
  readonly twins: Twins;
  readonly callers: Callers;
  readonly known: Known;
  readonly random: Random;
}

/** The scopes alone of which this part has tokens: each scope is in one of them. */
async function openPart(part: number): Promise<Part> {
  const twins = await openTwins();
  await fillOddly(twins);
  const alone = SCOPES.filter((_, index) => index % PARTS === part);
  return {
    twins,
    callers: await callersOf(twins, alone),
    known: await valuesKnown(twins),
    random: randomFrom(4_711 + part),
  };
}

export function testPart(number: number): void {
  let part: Part;
  beforeAll(async () => {
    part = await openPart(number);
  });
  afterAll(() => part?.twins.close());

  describe('what is made at random is answered alike', () => {
    let [documents, planned] = [0, 0];
    test.each(Array.from({ length: RANDOM_QUERIES / AT_A_TIME }, (_, index) => index))('part %i', async () => {
      const { differences, ...counts } = await compareAll(part, randomQueries(part, AT_A_TIME));
      [documents, planned] = [documents + counts.documents, planned + counts.planned];
      expect(told(differences)).toEqual([]);
    });

    test('most of it by a plan', () => {
      console.log(`${planned} of ${documents} random documents were answered by plans.`);
      expect(documents).toBe(RANDOM_QUERIES);
      expect(planned).toBeGreaterThan(LEAST_PLANNED * documents);
    });
  });

  test('what is written in pages and tests is answered alike', async () => {
    const own = (await writtenDocuments()).filter((_, index) => index % PARTS === number);
    const reading = own.filter(({ changes }) => !changes);
    const { differences, ...counts } = await compareAll(part, reading.map(withVariables));
    console.log(`${counts.planned} of ${counts.documents} written documents were answered by plans.`);
    expect(told(differences)).toEqual([]);
    expect(own.length).toBeGreaterThan(LEAST_WRITTEN);
    // Many are written to be refused, or ask for what is there in one test alone.
    expect(counts.planned).toBeGreaterThan(counts.documents / 10);
    const changing = own.filter(({ changes }) => changes);
    const harmless = ['a garbled token', 'two tokens', 'a revoked token', 'PROFILE_READ'].filter(
      (name) => name in part.callers,
    );
    const refused = await compareAll(part, changing, harmless, []);
    expect(told(refused.differences)).toEqual([]);
    expect(refused.planned).toBe(0);
  });

  test('a token that expires is refused, however well it is known', async () => {
    const asked = {
      body: JSON.stringify({ query: '{ me { id } }' }),
      headers: { 'content-type': 'application/json', ...part.callers['all scopes'] },
    };
    // If the service asks the database what time it is just then, it is not later at all, until it asks again.
    await vi.waitFor(
      () =>
        later(async () => {
          expect(await difference(part.twins, asked, 3)).toBeUndefined();
          expect((await part.twins.ask('fast', asked)).status).toBe(401);
        }),
      { timeout: paced(30_000), interval: paced(2_000) },
    );
  });
}

/** While the clocks of this process are far ahead. */
async function later(look: () => Promise<void>): Promise<void> {
  const [now, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  const ahead = [
    vi.spyOn(Date, 'now').mockImplementation(() => now() + LATER),
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + LATER),
  ];
  try {
    await look();
  } finally {
    for (const clock of ahead) clock.mockRestore();
  }
}

/** Variables of some types have a value that may find something. */
function withVariables({ query }: { readonly query: string }): RandomQuery {
  return {
    query,
    variables: {
      id: 'none',
      username: 'ada',
      slug: 'intro',
      first: 2,
      from: inDays(7),
      to: inDays(9),
    },
  };
}

function randomQueries({ random, known }: Part, length: number): readonly RandomQuery[] {
  const queries = new RandomQueries(buildSchemas().forTokens.schema, random, known);
  return Array.from({ length }, () => queries.write());
}

/** Each document by the caller who may see most, and by others; so that all callers and headers have their turn. */
async function compareAll(
  { twins, callers, random }: Part,
  queries: readonly Pick<RandomQuery, 'query'>[],
  among: readonly string[] = Object.keys(callers),
  always: readonly string[] = ['all scopes'],
): Promise<Outcome> {
  const differences: Difference[] = [];
  let [requests, planned, turn] = [0, 0, 0];
  for (const query of queries) {
    const body = JSON.stringify(query);
    let isPlanned = false;
    const names = [...always, ...Array.from({ length: OTHERS }, () => among[turn++ % among.length] ?? '')];
    for (const [index, name] of names.entries()) {
      const isFirst = index === 0 && always.length > 0;
      // One that is longer than a head may be has no answer to compare.
      const isByGet = !isFirst && body.length < 5_000 && random() < BY_GET;
      const asked = { body, isByGet, headers: { ...headersOf(random, isFirst), ...callers[name] } };
      const times = isFirst ? 3 : 1;
      const before = twins.byPlans();
      const found = await difference(twins, asked, times);
      if (found) differences.push(found);
      isPlanned ||= isFirst && twins.byPlans() > before;
      requests += times + 1;
    }
    if (isPlanned) planned += 1;
  }
  return { documents: queries.length, requests, planned, differences };
}

/** The first caller of a document sends what clients send; the others whatever there is. */
function headersOf(random: Random, isFirst: boolean): Record<string, string> {
  if (isFirst) return { 'content-type': 'application/json', accept: 'application/json' };
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const accept = pick(ACCEPTED);
  const type = random() < 0.8 ? 'application/json' : pick(CONTENT_TYPES);
  return { 'content-type': type, ...(accept !== undefined && { accept }) };
}

/** The beginning of a day, that many days from now. */
function inDays(days: number): string {
  return `${Temporal.Now.plainDateISO('UTC').add({ days }).toString()}T00:00:00Z`;
}

/** Adds rows with texts that have to be escaped, and several people. */
async function fillOddly({ ordinary }: Twins): Promise<void> {
  const ada = await TestBrowser.signedIn(ordinary.url, 'ada@acme.test');
  const { me } = await ada.ask<{ me: { eventTypes: { nodes: { id: string }[] } } }>(
    '{ me { eventTypes { nodes { id } } } }',
  );
  const eventTypeId = me.eventTypes.nodes[0]?.id;
  const { slots } = await ada.ask<{ slots: { start: string }[] }>(
    `{ slots(eventType: { id: "${eventTypeId}" }, start: "${inDays(7)}", end: "${inDays(27)}") { start } }`,
  );
  const names = ['Grüße "Ada" \\ 👋🏽', '<b>', "O'Neill", 'ﷺ'];
  for (const [index, name] of names.entries()) {
    const start = slots[index * 3]?.start;
    const attendee = { name, email: `guest${index}@example.test`, timeZone: 'Asia/Kolkata' };
    await ada.mutate('bookingCreate', { eventTypeId, start, attendee }, 'booking { uid }');
  }
  // Tables hold this text, though forms refuse it.
  const odd = 'a "title" \\ with\ttabs,\nlines\u2028and\u0000'.replace('\u0000', '\u0001');
  await changed(ordinary.database.em.fork(), sql`update event_types set description = ${odd} where slug = 'intro'`);
}

/** The values of arguments by which something is found, and similar ones that find nothing. */
async function valuesKnown({ ordinary }: Twins): Promise<Known> {
  const ada = await TestBrowser.signedIn(ordinary.url, 'ada@acme.test');
  type List = { readonly nodes: readonly { readonly id: string }[]; readonly pageInfo: { readonly endCursor: string } };
  const { me } = await ada.ask<{ me: Record<string, List> }>(
    `{ me { eventTypes(first: 2) { nodes { id } pageInfo { endCursor } } schedules { nodes { id } pageInfo { endCursor } }
       bookings(first: 2) { nodes { id: id } pageInfo { endCursor } } teams { nodes { id } pageInfo { endCursor } }
       organizations { nodes { id } pageInfo { endCursor } } } }`,
  );
  const idsOf = (name: string): string[] => me[name]?.nodes.map(({ id }) => id) ?? [];
  const lists = (name: string, field: string) => idsOf(field).map((id) => ({ [name]: id }));
  const cursors = Object.values(me).map(({ pageInfo }) => pageInfo.endCursor);
  const eventTypes = idsOf('eventTypes');
  const [start, end] = [inDays(7), inDays(9)];
  const named = [
    ...lists('id', 'eventTypes'),
    { ofUser: { username: 'ada', slug: 'intro' } },
    { ofTeam: { team: 'sales', organization: 'acme', slug: 'demo' } },
    { ofUser: { username: 'dan', slug: 'nothing' } },
  ];
  return {
    lists: {
      organization: lists('id', 'organizations'),
      team: lists('id', 'teams'),
      schedule: lists('id', 'schedules'),
      eventType: [...lists('id', 'eventTypes'), { id: 'none' }],
      eventTypesById: [{ ids: [...eventTypes, 'none', ...eventTypes] }, { ids: [] }],
      outOfOfficeById: [{ ids: ['none'] }],
      membershipsById: [{ ids: ['none', 'none'] }],
      invitationsById: [{ ids: ['none'] }],
      schedulesById: [{ ids: ['none', ...idsOf('schedules')] }],
      bookingsById: [{ ids: [...idsOf('bookings'), 'none'] }],
      membership: [{ id: 'none' }],
      invitation: [{ id: 'none' }],
      booking: lists('id', 'bookings'),
      publicBooking: [...lists('uid', 'bookings'), { uid: 'none' }],
      publicEventType: [...named, { privateLinkToken: 'none' }].map((by) => ({ by })),
      publicEventTypes: [{ username: 'ada' }, { username: 'dan' }, { team: 'sales', organization: 'acme' }],
      publicOrganization: [{ organization: 'acme' }, { organization: 'none' }],
      publicTeam: [{ team: 'sales', organization: 'acme' }, { team: 'studio' }, { team: 'none' }],
      workflow: [{ id: 'none' }],
      webhook: [{ id: 'none' }],
      slots: named.map((eventType) => ({ eventType, start, end })),
      publicRoutingForm: [{ id: 'none' }],
      routingFormOutcome: [{ routingFormId: 'none', answers: {} }],
      busyTimes: [{ start, end, timeZone: 'UTC' }],
      bookings: [{}, {}, { after: me['bookings']?.pageInfo.endCursor, orderBy: undefined }].map(defined),
      eventTypes: [{}, {}, { last: 1 }],
    },
    values: {
      id: [...idsOf('teams'), ...idsOf('organizations'), ...eventTypes, ...idsOf('schedules'), 'none', '"'],
      eventTypeId: [...eventTypes, 'none'],
      uid: [...idsOf('bookings'), 'none'],
      username: ['ada', 'ada', 'bob', 'dan', 'nobody', 'ä"'],
      team: ['sales', 'studio', 'none'],
      organization: ['acme', 'none'],
      slug: ['intro', 'deep-dive', 'hidden-review', 'demo', 'none'],
      after: [...cursors, 'garbled', ''],
      before: [...cursors, 'garbled'],
      start: [start, '2026-12-02T08:00:00+01:00'],
      end: [end, '2026-12-04T00:00:00Z'],
      timeZone: ['UTC', 'Asia/Kolkata', 'Nowhere/Else'],
      first: [1, 2, 3, 100, 100, 0, 101],
      last: [1, 2],
    },
  };
}

function defined(list: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(list).filter(([, value]) => value !== undefined));
}
