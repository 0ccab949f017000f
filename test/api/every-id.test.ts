/**
 * Every place that takes an id or a uid is given texts that are none: of another kind, in another spelling, longer than any, and
 * in the place of a uid the id of what it opens. Each is answered as the id of something that is not there, and changes nothing: no such text reaches a statement, which
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
import { spoiltUids, type UidKind, unknownUid } from '../support/uids.ts';
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
  fromUserId: 'user',
  hostUserId: 'user',
  hostsRemove: 'user',
  keepIds: 'icsFeed',
  redirectToUserId: 'user',
  stepsOrder: 'workflowStep',
  stepsRemove: 'workflowStep',
  toUserId: 'user',
  uid: 'booking',
  'BookingLocationInput.id': 'location',
  'EventTypeIdentifierInput.id': 'eventType',
  'LocationInput.id': 'location',
  'WorkflowStepInput.id': 'workflowStep',
};
const used = new Set<string>();

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
    const key = keyAt(place);
    return key ? [[name, place.path.join('.'), place.path, key] as const] : [];
  }),
);

test('no place is listed whose name says what it takes, or that is not there', async () => {
  await askedPlaces();
  expect([...used].toSorted()).toEqual(Object.keys(IDS).toSorted());
});

describe('an id in a mutation', () => {
  test.each(PLACES)('%s: %s', async (name, _, path, key) => {
    let request = await valid(name);
    const own = uuidOf(api.as(request.username).userId);
    const unknown = await send(name, request, path, key.unknown());
    const isDone = unknown.mistakes.length === 0 && unknown.codes.length === 0;
    const there = valueAt(request.input, path);
    const wrong = { 'of one’s own': key.unknown(own), ...key.spoilt(there ?? key.unknown()) };
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
    for (const { field, place, key, ask } of await askedPlaces()) {
      const { data, codes } = await ask(key.unknown());
      const there = valueAt(field.given, place.path) ?? key.unknown();
      const wrong = { 'of one’s own': key.unknown(uuidOf(ada.userId)), ...key.spoilt(there) };
      for (const [what, text] of Object.entries(wrong)) {
        if (!key.isUid && (kindTagged(text) ?? key.kind) !== key.kind) continue;
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
    for (const { field, place, key, ask } of await askedPlaces()) {
      if (key.isUid) continue;
      const unknown = await ask(key.unknown());
      const { statements } = await ada.ask(field.parent);
      const others = KINDS.filter((one) => one !== key.kind).map((one) => unknownId(one));
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
        expect(message).toContain(`${ID_TAGS[key.kind]}_ (${kindInWords(key.kind)})`);
        expect(message.length).toBeLessThan(200);
      }
    }
  });
});

interface AskedPlace {
  readonly field: AskedField;
  readonly place: InputPlace;
  readonly key: Key;
  readonly ask: (text: string) => ReturnType<TestCaller['ask']>;
}

/** The id of something, or the uid that opens it: a place takes one of both. */
interface Key {
  readonly kind: IdKind;
  readonly isUid: boolean;
  /** One of what is not there: of this owner's, or of nobody's. */
  unknown(ownerId?: string): string;
  spoilt(good: string): Readonly<Record<string, string>>;
}

/** Every place in a query that takes an id or a uid. */
async function askedPlaces(): Promise<readonly AskedPlace[]> {
  const ada = api.as('ada');
  const fields = askedFields(await thingsThere(api, valid));
  const places = fields.flatMap((field) =>
    placesOf(field.arguments).flatMap((place): AskedPlace[] => {
      const key = keyAt(place);
      if (!key) return [];
      const ask = (text: string) => {
        const values = withLeaf(field.arguments, field.given, place.path, text);
        return ada.ask(field.document(values), values);
      };
      return [{ field, place, key, ask }];
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

/** With null in the place of the field that has failed. */
function withNull(data: unknown, [step, ...path]: readonly (string | number)[]): unknown {
  if (step === undefined) return null;
  return { ...(data as object), [step]: withNull((data as Record<string | number, unknown>)[step], path) };
}

/** Undefined where a place takes something else. */
function keyAt(place: InputPlace): Key | undefined {
  const name = String(place.path.findLast((step) => typeof step === 'string'));
  const type = String(place.type).replace(/!$/, '');
  const isUid = type === 'String' && /^uid$|Uid/.test(name);
  if (type !== 'ID' && !isUid) return undefined;
  const kind = kindAt(place, name);
  if (!isUid) return { kind, isUid, unknown: (ownerId) => unknownId(kind, ownerId), spoilt: spoiltIds };
  return { kind, isUid, unknown: (ownerId) => unknownUid(kind as UidKind, ownerId), spoilt: spoiltUids };
}

function kindAt({ coordinate }: InputPlace, name: string): IdKind {
  const [, field] = /^\w+_(\w+)\./.exec(coordinate) ?? [];
  const said = kindSaid(name, field);
  if (said) return said;
  const listed = [coordinate.replace('[]', ''), name].find((one) => Object.hasOwn(IDS, one));
  if (listed === undefined) throw new Error(`What does ${coordinate} name? Add it to IDS.`);
  used.add(listed);
  return IDS[listed] as IdKind;
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
