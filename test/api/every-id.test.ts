/**
 * Every place that takes an id is given texts that are none: of another kind, in another spelling, longer than any. Each is
 * answered as the id of something that is not there, and changes nothing: no such text reaches a statement, which
 * PostgreSQL would answer by an error. Only the id of another kind of thing is an error in a query, which says so. Places and
 * inputs come from the schema.
 */
import { type GraphQLInputObjectType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ID_TAGS, type IdKind, kindInWords, kindTagged } from '../../src/core/id.ts';
import { shownStart } from '../../src/core/text.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Change, openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { kindSaid, spoiltIds, unknownId, uuidOf } from '../support/ids.ts';
import { paced } from '../support/pace.ts';
import type { ValidInput } from '../world/fixture.ts';
import { validInputs } from '../world/valid-inputs.ts';
import { type LeafPath, withLeaf } from './every-mutation/input-leaves.ts';
import { versionsIn } from './every-mutation/whole-database.ts';
import { type InputPlace, placesOf } from './every-value/extremes.ts';
import { type AskedField, askedFields } from './every-value/field-arguments.ts';
import { thingsThere } from './every-value/things-there.ts';

const SCHEMA = buildSchemas().forTokens.schema;
const MUTATIONS = SCHEMA.getMutationType()?.getFields() ?? {};

/** The kind of id that a place takes, by its name or its coordinate, where `kindSaid` does not find it in them. */
const IDS: Readonly<Record<string, IdKind>> = {
  bookingUidToReschedule: 'booking',
  fromHostId: 'user',
  hostId: 'user',
  hostsRemove: 'user',
  keepIds: 'icsFeed',
  redirectToUserId: 'user',
  stepsOrder: 'workflowStep',
  stepsRemove: 'workflowStep',
  uid: 'booking',
  'BookingLocationInput.id': 'location',
  'LocationInput.id': 'location',
  'WorkflowStepPatchInput.id': 'workflowStep',
  'Viewer_calendarConnectionsById.ids': 'calendarAccount',
};
const used = new Set<string>();

/** Where it may be of a second kind. */
const ALSO: Readonly<Record<string, IdKind>> = {
  'Query_publicBooking.uid': 'seat',
  'Query_slots.bookingUidToReschedule': 'seat',
};
const KINDS = Object.keys(ID_TAGS) as IdKind[];

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

test('no place is listed whose name says what it takes, or that is not there', async () => {
  await askedPlaces();
  expect([...used].toSorted()).toEqual(Object.keys(IDS).toSorted());
});

describe('an id in a mutation', () => {
  test.each(PLACES)('%s: %s', async (name, _, path, kind) => {
    let request = await valid(name);
    const own = uuidOf(api.as(request.username).userId);
    const unknown = await send(name, request, path, unknownId(kind));
    const isDone = unknown.mistakes.length === 0 && unknown.codes.length === 0;
    const there = valueAt(request.input, path);
    const wrong = { 'of one’s own': unknownId(kind, own), ...spoiltIds(there ?? unknownId(kind)) };
    const before = await versionsIn(api.database);
    for (const [what, text] of Object.entries(wrong)) {
      // A change that is carried out needs something new each time.
      if (isDone) request = await valid(name);
      const answered = answer(await send(name, request, path, text), path);
      expect({ [what]: answered }).toEqual({ [what]: answer(unknown, path) });
    }
    expect(isDone ? before : await versionsIn(api.database)).toEqual(before);
  });
});

describe('an id in a query', () => {
  test('that is none is answered like one that does not exist', { timeout: paced(120_000) }, async () => {
    const ada = api.as('ada');
    for (const { field, place, kinds, ask } of await askedPlaces()) {
      const [kind] = kinds;
      const { data, codes } = await ask(unknownId(kind));
      const there = valueAt(field.given, place.path) ?? unknownId(kind);
      const wrong = { 'of one’s own': unknownId(kind, uuidOf(ada.userId)), ...spoiltIds(there) };
      for (const [what, text] of Object.entries(wrong)) {
        if (isOfOther(kinds, text)) continue;
        const answered = await ask(text);
        const at = `${place.coordinate} ${what}`;
        expect({ at, data: answered.data, codes: answered.codes }).toEqual({ at, data, codes });
      }
    }
  });

  test('the id of another kind of thing is an error of the field, for which nothing is read', {
    timeout: paced(120_000),
  }, async () => {
    const ada = api.as('ada');
    for (const { field, place, kinds, ask } of await askedPlaces()) {
      const unknown = await ask(unknownId(kinds[0]));
      const { statements } = await ada.ask(field.parent);
      const others = KINDS.filter((one) => !kinds.includes(one)).map((one) => unknownId(one));
      // Whatever stands behind the tag.
      for (const text of [...others, `${others[0]?.slice(0, 4)}`, `${others[0]}\n\u202e${'x'.repeat(10_000)}`]) {
        const answered = await ask(text);
        const [error] = answered.errors;
        const at = `${place.coordinate} ${text.slice(0, 30)}`;
        const argument = place.path.map(String);
        expect({ at, codes: answered.codes, argument: error?.extensions?.['argument'] }).toEqual({
          at,
          codes: ['BAD_INPUT'],
          argument,
        });
        const { message, path = [] } = error ?? { message: '' };
        expect({ at, data: answered.data }).toEqual({ at, data: withNull(unknown.data, path) });
        // A plan leaves the mistake to the executor, which reads what is around it once more.
        expect({ at, isIn: [statements, 2 * statements].includes(answered.statements) }).toEqual({ at, isIn: true });
        expect(message).toContain(`${argument.join('.').replace(/\.(\d+)/, '[$1]')} is ${shownStart(text)},`);
        expect(message).toContain(`(${kindInWords(kindTagged(text) ?? 'user')}); give one`);
        for (const kind of kinds) expect(message).toContain(`${ID_TAGS[kind]}_ (${kindInWords(kind)})`);
        expect(message.length).toBeLessThan(200);
      }
    }
  });
});

interface AskedPlace {
  readonly field: AskedField;
  readonly place: InputPlace;
  readonly kinds: readonly [IdKind, ...IdKind[]];
  readonly ask: (text: string) => ReturnType<TestCaller['ask']>;
}

/** Every place in a query that takes an id. */
async function askedPlaces(): Promise<readonly AskedPlace[]> {
  const ada = api.as('ada');
  const fields = askedFields(await thingsThere(api, valid));
  const places = fields.flatMap((field) =>
    placesOf(field.arguments).flatMap((place): AskedPlace[] => {
      const kind = kindAt(place);
      if (!kind) return [];
      const also = ALSO[place.coordinate];
      const ask = (text: string) => {
        const values = withLeaf(field.arguments, field.given, place.path, text);
        return ada.ask(field.document(values), values);
      };
      const kinds: AskedPlace['kinds'] = also ? [kind, also] : [kind];
      return [{ field, place, kinds, ask }];
    }),
  );
  const found = places.map(({ place }) => place.coordinate.replace('[]', ''));
  expect(found).toEqual(expect.arrayContaining(idArguments()));
  return places;
}

/** The arguments of queries that take ids, by the schema. */
function idArguments(): string[] {
  const types = Object.values(SCHEMA.getTypeMap()).filter((type) => isObjectType(type) && type.name !== 'Mutation');
  return types.flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap(({ name, args }) =>
          args.filter((one) => getNamedType(one.type).name === 'ID').map((one) => `${type.name}_${name}.${one.name}`),
        )
      : [],
  );
}

function isOfOther(kinds: readonly IdKind[], text: string): boolean {
  const kind = kindTagged(text);
  return kind !== undefined && !kinds.includes(kind);
}

/** With null in the place of the field that has failed. */
function withNull(data: unknown, [step, ...path]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  return { ...(data as object), [step]: withNull((data as Record<string | number, unknown>)[step], path) };
}

/** The kind of id that a place takes; undefined where it takes something else. */
function kindAt({ path, coordinate, type }: InputPlace): IdKind | undefined {
  const name = String(path.findLast((step) => typeof step === 'string'));
  const scalar = String(type).replaceAll(/[[\]!]/g, '');
  if (String(type).startsWith('[') || (scalar !== 'ID' && !/^uid$|Uid/.test(name))) return undefined;
  const [, field] = /^\w+_(\w+)\./.exec(coordinate) ?? [];
  const said = kindSaid(name, field);
  if (said) return said;
  const listed = [coordinate.replace('[]', ''), name].find((one) => Object.hasOwn(IDS, one));
  if (listed === undefined) throw new Error(`What does ${coordinate} name? Add it to IDS.`);
  used.add(listed);
  return IDS[listed];
}

function valueAt(input: unknown, path: LeafPath): string | undefined {
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], input);
  return typeof value === 'string' ? value : undefined;
}

function send(name: string, { username, input }: ValidInput, path: LeafPath, text: string): Promise<Change> {
  return api.as(username).change(name, withLeaf(inputTypeOf(name), input, path, text));
}

/** A caller who names a group may be told that it is not there, or that the other thing is not in it. */
function answer({ codes, mistakes }: Change, path: LeafPath) {
  const isGroup = path.length === 1 && /^(?:team|organization)Id$/.test(String(path[0]));
  return { codes, mistakes: isGroup ? mistakes.map((mistake) => mistake.split(' ')[0]) : mistakes };
}

function inputTypeOf(name: string): GraphQLInputObjectType {
  const named = getNamedType(MUTATIONS[name]?.args[0]?.type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}
