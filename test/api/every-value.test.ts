/**
 * Every place of every input is given the ends of what its type can hold. Each value is refused with a reason that names
 * the place, or it is kept: then it is shown as it was sent, and all lists and look-ups can be read for ever. Inputs and
 * documents come from the schema, so that a new mutation or field is tried without a word here.
 */
import {
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttendeeKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Change, openTestApi, type TestApi } from '../support/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { ownedUuidOf } from '../support/ids.ts';
import { uidsOf } from '../support/minted-tokens.ts';
import { paced } from '../support/pace.ts';
import { UIDS } from '../support/uids.ts';
import type { ValidInput } from '../world/fixture.ts';
import { validInputs } from '../world/valid-inputs.ts';
import { FROM } from './booking-pages.ts';
import { type LeafPath, withLeaf } from './every-mutation/input-leaves.ts';
import { extremesOf, type InputPlace, placesOf } from './every-value/extremes.ts';
import { askedFields } from './every-value/field-arguments.ts';
import { byDozens, named, partsOf, Reader, selectionOf } from './every-value/read-everything.ts';
import { isShownAsSent } from './every-value/shown-as-sent.ts';
import { groupId, thingsThere } from './every-value/things-there.ts';

const { schema } = buildSchemas().forTokens;
const MUTATIONS = schema.getMutationType()?.getFields() ?? {};

let api: TestApi;
let app: TestApp;
let valid: (name: string) => Promise<ValidInput>;
beforeAll(async () => {
  api = await openTestApi({ guesses: 1_000_000, asksOnce: true });
  app = await startTestApp({ SEED_DEMO: 'off' }, { database: api.database });
  valid = validInputs(api);
});
// It closes the database that both have.
afterAll(() => app.close());

const DAY_LATER = new Date(Date.parse(FROM) + 86_400_000).toISOString();

/** Where a type of input is used by several mutations, it is tried in the first. */
const tried = new Set<string>();
const PLACES = Object.keys(MUTATIONS).map((name) => {
  const places = placesOf(inputTypeOf(name)).filter(({ coordinate }) => !tried.has(coordinate));
  for (const { coordinate } of places) tried.add(coordinate);
  return [name, places] as const;
});

const counts = { sent: 0, kept: 0 };

describe.each(PLACES)('%s', (name, places) => {
  test('keeps what it can show, and refuses the rest by name', async () => {
    const wrong: unknown[] = [];
    let request = await valid(name);
    for (const place of places) {
      for (const value of extremesOf(place)) {
        counts.sent += 1;
        const change = await send(name, request, place.path, value);
        const faults = faultsOf(change, place, value);
        if (faults.length > 0) wrong.push({ at: place.path.join('.'), value: brief(value), faults });
        if (change.codes.length > 0 || change.mistakes.length > 0) continue;
        counts.kept += 1;
        request = await valid(name);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('everything that was kept can be read', () => {
  /** By all that each shows: one stands for those that show the same, where others see them. */
  const eventTypes = new Map<string, { readonly id: string; readonly url: string }>();
  const bookings = new Map<string, AttendeeKey>();
  const seen = new Set<string>();

  test('by its owner, in every list and by every look-up', { timeout: paced(180_000) }, async () => {
    const reader = new Reader((node) => {
      const { __typename: type, id, bookingUrl } = node;
      if (type !== 'EventType' && type !== 'Booking') return;
      seen.add(String(id));
      if (type === 'Booking') bookings.getOrInsert(shownBy(node), { ...ownedUuidOf(String(id)), version: 0 });
      else
        eventTypes.getOrInsert(shownBy(node), {
          id: String(id),
          url: typeof bookingUrl === 'string' ? bookingUrl : '',
        });
    });
    const ada = api.as('ada').userId;
    const [team, organization] = [await groupId(api, 'team', 'sales'), await groupId(api, 'organization', 'acme')];
    for (const user of api.everybody()) {
      await reader.read(
        user,
        user.userId === ada
          ? [
              ['Team', team],
              ['Organization', organization],
            ]
          : [],
      );
    }
    expect(reader.failures).toEqual([]);
    expect(counts.kept).toBeGreaterThan(1_000);
    expect(seen.size).toBeGreaterThan(counts.kept / 4);
    expect([eventTypes.size, bookings.size].map((size) => size > 100)).toEqual([true, true]);
  });

  test('by everybody, as far as it is public', { timeout: paced(180_000) }, async () => {
    const ids = [...eventTypes.values()].map(({ id }) => id);
    const range = `start: ${JSON.stringify(FROM)} end: ${JSON.stringify(DAY_LATER)}`;
    expect(await asNobody('publicEventType', 'by.id: ID!', ids)).toEqual([]);
    expect(await asNobody('slots', 'eventType.id: ID!', ids, range)).toEqual([]);
    expect(
      await asNobody(
        'publicBooking',
        'uid: String!',
        [...bookings.values()].map((key) => UIDS.of(key)),
      ),
    ).toEqual([]);
  });

  test('on pages and in calendar files', { timeout: paced(180_000) }, async () => {
    const uids = await uidsOf(app);
    const statuses = new Map<string, number>();
    const visit = async (kind: string, path: string) => {
      const { status } = await fetch(`${app.url}${path}`, { redirect: 'manual' });
      statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
    };
    for (const key of bookings.values()) {
      await visit('page', `/bookings/${uids.of(key)}`);
      await visit('file', `/bookings/${uids.ofFile(key)}.ics`);
    }
    for (const { url } of eventTypes.values()) if (url) await visit('event type', new URL(url).pathname);
    expect([...statuses.keys()].filter((status) => / 5\d\d$/.test(status))).toEqual([]);
    expect(statuses.get('page 200')).toBe(bookings.size);
    expect(statuses.get('file 200')).toBe(bookings.size);
  });
});

test('every argument of a query is given the ends of its type too: each is refused, or answered', {
  timeout: paced(180_000),
}, async () => {
  const faults: unknown[] = [];
  for (const field of askedFields(await thingsThere(api, valid))) {
    for (const { path, type } of placesOf(field.arguments)) {
      for (const value of extremesOf({ path, coordinate: field.coordinate, type })) {
        const values = withLeaf(field.arguments, field.given, path, value);
        const { codes } = await api.as('ada').ask(field.document(values), values);
        const wrong = codes.filter((code) => code === 'INTERNAL_SERVER_ERROR' || code === 'EXECUTION_TIMEOUT');
        if (wrong.length > 0) faults.push({ at: `${field.coordinate} ${path.join('.')}`, value: brief(value), wrong });
      }
    }
  }
  expect(faults).toEqual([]);
});

/** Asks a public field of many things, and answers the codes of what went wrong. */
async function asNobody(
  field: string,
  argument: `${string}: ${string}`,
  values: readonly string[],
  more = '',
): Promise<unknown[]> {
  const type = getNamedType(schema.getQueryType()?.getFields()[field]?.type);
  if (!isObjectType(type)) throw new Error(`There is no ${field}.`);
  const asked = { field, of: type.name, shows: selectionOf(type), more };
  const wrong: unknown[] = [];
  // Slots may cost so much together, and some event types have one every minute.
  for (const some of byDozens(values, field === 'slots' ? 1 / 12 : 1)) {
    const { codes } = await api.nobody.ask(...named(asked, argument, some));
    // Nobody is told of an event type that is hidden or managed.
    wrong.push(...codes.filter((code) => code !== 'NOT_FOUND'));
  }
  return wrong;
}

function send(name: string, { username, input }: ValidInput, path: LeafPath, value: unknown): Promise<Change> {
  const caller = isPublic(name) ? api.nobody : api.as(username);
  return caller.change(name, withLeaf(inputTypeOf(name), input, path, value), payloadOf(name));
}

/** All that is shown of something, but for ids, times of these years, and the number in its name. */
function shownBy(node: object): string {
  return JSON.stringify(node).replaceAll(NAMES_AND_TIMES, '');
}

const NAMES_AND_TIMES =
  /\b[a-z]{3}_[\w-]{20,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|20[23]\d-?\d\d-?\d\dT(?:[\d:.]|%3A)+Z|every-\d+/g;

function isPublic(name: string): boolean {
  const { requiresScope } = (MUTATIONS[name]?.extensions['directives'] ?? {}) as {
    requiresScope?: { access?: string };
  };
  return requiresScope?.access === 'PUBLIC';
}

/** Finds what is wrong with an answer: faults of ours, reasons that name nothing, values that changed on the way. */
function faultsOf({ data, codes, mistakes }: Change, { path }: InputPlace, value: unknown): unknown[] {
  const faults: unknown[] = codes.filter((code) => code !== 'BAD_USER_INPUT');
  faults.push(...mistakes.filter((mistake) => !mistake.includes(' ')));
  if (codes.length > 0 || mistakes.length > 0) return faults;
  const entities = Object.values((data ?? {}) as object).filter(
    (one) => typeof one === 'object' && !Array.isArray(one),
  );
  return [...faults, ...entities.flatMap((entity) => isShownAsSent(entity, path, value) ?? [])];
}

/**
 * Selects what the payload of a mutation shows of the thing that it has made or changed, without what belongs to that.
 */
function payloadOf(name: string): string {
  return PAYLOADS.getOrInsertComputed(name, selectedOf);
}

const PAYLOADS = new Map<string, string>();

function selectedOf(name: string): string {
  const type = getNamedType(MUTATIONS[name]?.type);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).filter((field) => field.name !== 'userErrors');
  return fields
    .map((field) => {
      const below = getNamedType(field.type);
      if (!isObjectType(below)) return field.name;
      // A list of things shows less of each: all of it would cost too much.
      const isMany = isListType(getNullableType(field.type));
      return `${field.name} { ${isMany ? partsOf(below)[0] : selectionOf(below, { connections: false })} }`;
    })
    .join(' ');
}

function inputTypeOf(name: string): GraphQLInputObjectType {
  const named = getNamedType(MUTATIONS[name]?.args[0]?.type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}
