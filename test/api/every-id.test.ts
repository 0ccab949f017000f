/**
 * Every place that takes an id is given texts that are none: of another kind, in another spelling, longer than any. Each is
 * answered as the id of something that is not there, and changes nothing: no such text reaches a statement, which
 * PostgreSQL would answer by an error. Places and inputs come from the schema.
 */
import { type GraphQLInputObjectType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdKind } from '../../src/core/id.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Answer, type Change, openTestApi, type TestApi } from '../support/api.ts';
import { spoiltIds, unknownId, uuidOf } from '../support/ids.ts';
import { type LeafPath, withLeaf } from './every-mutation/input-leaves.ts';
import { type ValidInput, validInputs } from './every-mutation/valid-inputs.ts';
import { versionsIn } from './every-mutation/whole-database.ts';
import { type InputPlace, placesOf } from './every-value/extremes.ts';
import { askedFields } from './every-value/field-arguments.ts';
import { thingsThere } from './every-value/things-there.ts';

const MUTATIONS = buildSchemas().forTokens.schema.getMutationType()?.getFields() ?? {};

/** What a place names, by its name, or by its coordinate where that does not say it. */
const IDS: Readonly<Record<string, IdKind>> = {
  eventTypeId: 'eventType',
  eventTypeIds: 'eventType',
  hostId: 'user',
  hostsRemove: 'user',
  membershipId: 'membership',
  organizationId: 'organization',
  outOfOfficeId: 'outOfOffice',
  privateLinkId: 'privateLink',
  redirectToUserId: 'user',
  reservationId: 'reservation',
  scheduleId: 'schedule',
  teamId: 'team',
  uid: 'booking',
  userId: 'user',
  'BookingLocationInput.id': 'location',
  'LocationInput.id': 'location',
  'Organization_eventType.id': 'eventType',
  'Organization_membership.id': 'membership',
  'Organization_outOfOffice.id': 'outOfOffice',
  'Organization_schedule.id': 'schedule',
  'Organization_team.id': 'team',
  'Query_organization.id': 'organization',
  'Query_publicEventType.id': 'eventType',
  'Query_team.id': 'team',
  'Team_eventType.id': 'eventType',
  'Team_membership.id': 'membership',
  'Team_outOfOffice.id': 'outOfOffice',
  'Team_schedule.id': 'schedule',
  'Viewer_eventType.id': 'eventType',
  'Viewer_schedule.id': 'schedule',
  'Organization_eventTypesById.ids': 'eventType',
  'Organization_membershipsById.ids': 'membership',
  'Organization_outOfOfficeById.ids': 'outOfOffice',
  'Organization_schedulesById.ids': 'schedule',
  'Team_eventTypesById.ids': 'eventType',
  'Team_membershipsById.ids': 'membership',
  'Team_outOfOfficeById.ids': 'outOfOffice',
  'Team_schedulesById.ids': 'schedule',
  'Viewer_eventTypesById.ids': 'eventType',
  'Viewer_bookingsById.ids': 'booking',
  'Viewer_outOfOfficeById.ids': 'outOfOffice',
  'Viewer_schedulesById.ids': 'schedule',
};

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
beforeAll(async () => {
  api = await openTestApi({ guesses: 1_000_000 });
  valid = validInputs(api);
});
afterAll(() => api.close());

const PLACES = Object.keys(MUTATIONS).flatMap((name) =>
  placesOf(inputTypeOf(name)).flatMap((place) => {
    const kind = kindAt(place);
    return kind ? [[name, place.path.join('.'), place.path, kind] as const] : [];
  }),
);

test('every place for an id is known, and says what it names', () => {
  const names = new Set(PLACES.map(([, path]) => path.replace(/.*\.(?=[a-z])/, '').replace(/\.0$/, '')));
  const told = Object.keys(IDS).filter((name) => !name.includes('.'));
  // These are arguments of queries alone.
  const asked = ['eventTypeIds'];
  expect([...names, ...asked].filter((name) => name !== 'id').toSorted()).toEqual(told.toSorted());
});

describe('of a mutation', () => {
  test.each(PLACES)('%s: %s', async (name, _, path, kind) => {
    let request = await valid(name);
    const own = uuidOf(api.as(request.username).userId);
    const unknown = await send(name, request, path, unknownId(kind));
    const isDone = unknown.mistakes.length === 0 && unknown.codes.length === 0;
    const there = valueAt(request.input, path);
    const wrong = { 'of one’s own': unknownId(kind, own), ...spoiltIds(there ?? unknownId(kind)) };
    const before = await versionsIn(api.database);
    for (const [what, text] of Object.entries(wrong)) {
      // What is done needs something new each time.
      if (isDone) request = await valid(name);
      const answered = answer(await send(name, request, path, text), path);
      expect({ [what]: answered }).toEqual({ [what]: answer(unknown, path) });
    }
    expect(isDone ? before : await versionsIn(api.database)).toEqual(before);
  });
});

test('of a query', { timeout: 120_000 }, async () => {
  const ada = api.as('ada');
  let count = 0;
  for (const field of askedFields(await thingsThere(api, valid))) {
    for (const place of placesOf(field.arguments)) {
      const kind = kindAt(place);
      if (!kind) continue;
      count += 1;
      const ask = (text: string): Promise<Answer> => {
        const values = withLeaf(field.arguments, field.given, place.path, text);
        return ada.ask(field.document(values), values);
      };
      const { data, codes } = await ask(unknownId(kind));
      const there = valueAt(field.given, place.path) ?? unknownId(kind);
      const wrong = { 'of one’s own': unknownId(kind, uuidOf(ada.userId)), ...spoiltIds(there) };
      for (const [what, text] of Object.entries(wrong)) {
        const answered = await ask(text);
        const at = `${place.coordinate} ${what}`;
        expect({ at, data: answered.data, codes: answered.codes }).toEqual({ at, data, codes });
      }
    }
  }
  expect(count).toBeGreaterThan(10);
});

/** What a place takes the id of; undefined where it takes something else. */
function kindAt({ path, coordinate, type }: InputPlace): IdKind | undefined {
  const name = String(path.findLast((step) => typeof step === 'string'));
  const scalar = String(type).replaceAll(/[[\]!]/g, '');
  if (String(type).startsWith('[') || (scalar !== 'ID' && name !== 'uid')) return undefined;
  const kind = IDS[coordinate.replace('[]', '')] ?? IDS[name];
  if (!kind) throw new Error(`What does ${coordinate} name? Add it to IDS.`);
  return kind;
}

function valueAt(input: unknown, path: LeafPath): string | undefined {
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], input);
  return typeof value === 'string' ? value : undefined;
}

function send(name: string, { username, input }: ValidInput, path: LeafPath, text: string): Promise<Change> {
  return api.as(username).change(name, withLeaf(inputTypeOf(name), input, path, text));
}

/** Who names a group may be told that it is not there, or that what else they name is not in it. */
function answer({ codes, mistakes }: Change, path: LeafPath) {
  const isGroup = path.length === 1 && /^(?:team|organization)Id$/.test(String(path[0]));
  return { codes, mistakes: isGroup ? mistakes.map((mistake) => mistake.split(' ')[0]) : mistakes };
}

function inputTypeOf(name: string): GraphQLInputObjectType {
  const named = getNamedType(MUTATIONS[name]?.args[0]?.type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}
