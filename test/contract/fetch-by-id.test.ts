/**
 * Whatever has an id is fetched by it, at each door at which its list stands, by one rule of names: the singular of the list. There
 * is no root `node(id:)`: what it required would hang on the id in a variable.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';
import { REQUIREMENT } from '../../src/scopes/requirement.ts';

const { schema } = buildSchemas().forTokens;
const TYPES = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'));
const DOORS = ['Query', 'Viewer', 'Team', 'Organization'];

/** They come with what they are a part of, and change with it: whoever has that has them. */
const PARTS: Readonly<Record<string, string>> = {
  BookingConferencingSession: 'Booking',
  BookingRecording: 'Booking',
  BookingReference: 'Booking',
  BookingTranscript: 'Booking',
  ConnectedCalendar: 'CalendarAccount',
  Location: 'EventType',
  PublicLocation: 'PublicEventType',
  RoutingFormRoute: 'RoutingForm',
  WorkflowStep: 'Workflow',
};

/** They show the id of something else, which is fetched by it. */
const REFERENCES: Readonly<Record<string, string>> = {
  BookingEventType: 'EventType',
  ChildEventType: 'EventType',
  DepartureEventType: 'EventType',
  EventTypeTeam: 'Team',
  ParentEventType: 'EventType',
  User: 'Member',
};

/** An id that names, and opens nothing: these are shown to whoever has a key to them. */
const BY_A_KEY: Readonly<Record<string, string>> = {
  PublicBooking: 'publicBooking(uid:)',
};

/** A plural that has no singular. */
const IRREGULAR: Readonly<Record<string, string>> = { outOfOffice: 'outOfOfficeEntry' };

interface Listed {
  readonly parent: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
const hasId = (type: GraphQLObjectType): boolean => String(type.getFields()['id']?.type) === 'ID!';
const nodeOf = (type: unknown): string | undefined =>
  isObjectType(type) && type.name.endsWith('Connection')
    ? getNamedType(type.getFields()['nodes']?.type)?.name
    : undefined;

const LISTS = new Map<string, Listed[]>();
for (const parent of TYPES) {
  for (const field of fieldsOf(parent)) {
    const node = nodeOf(getNamedType(field.type));
    if (node !== undefined) LISTS.getOrInsertComputed(node, () => []).push({ parent, field });
  }
}

/** The doors behind which it is listed, at whatever depth. */
function doorsOf(name: string, seen: readonly string[] = []): string[] {
  if (seen.includes(name)) return [];
  const lists = LISTS.get(name) ?? [];
  const doors = lists.flatMap(({ parent }) =>
    DOORS.includes(parent.name) ? [parent.name] : doorsOf(parent.name, [...seen, name]),
  );
  return [...new Set(doors)];
}

/** Whether an argument is an id, or an input that names a thing in one of several ways, of which an id is one. */
function takesAnId({ name, type }: GraphQLArgument): boolean {
  const named = getNamedType(type);
  return name === 'id' || (isInputObjectType(named) && named.isOneOf && 'id' in named.getFields());
}

/** The field of a door that shows one by its id. */
function lookUpAt(door: string, name: string): GraphQLField<unknown, unknown> | undefined {
  return fieldsOf(schema.getType(door) as GraphQLObjectType).find(
    ({ type, args }) => type === schema.getType(name) && args.some(takesAnId),
  );
}

const exceptions = { ...PARTS, ...REFERENCES, ...BY_A_KEY };
const fetched = TYPES.filter((type) => hasId(type) && !(type.name in exceptions)).map(({ name }) => name);

describe('what has an id', () => {
  test('is fetched by it at each door behind which it is listed', () => {
    const missing = fetched
      .filter((name) => !DOORS.includes(name))
      .flatMap((name) => {
        // A type that is in no list is fetched at the root.
        const doors = LISTS.has(name) ? doorsOf(name) : ['Query'];
        return doors.filter((door) => !lookUpAt(door, name)).map((door) => `${door}: ${name}`);
      });
    expect(missing).toEqual([]);
    expect(fetched.length).toBeGreaterThan(20);
  });

  test('is fetched under the singular of its list, for the scopes of the list, and is null where it is not', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const name of fetched) {
      for (const { parent, field } of LISTS.get(name) ?? []) {
        // A door is entered, and requires what is selected behind it.
        const found = DOORS.includes(parent.name) && !DOORS.includes(name) ? lookUpAt(parent.name, name) : undefined;
        if (!found) continue;
        compared += 1;
        const singular = IRREGULAR[field.name] ?? field.name.replace(/s$/, '');
        const requirements = [field, found].map(({ extensions }) => JSON.stringify(extensions[REQUIREMENT]));
        if (found.name !== singular || isNonNullType(found.type) || requirements[0] !== requirements[1])
          wrong.push(`${parent.name}.${found.name} beside ${field.name}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(25);
  });

  test('is a door itself, and then has its own at the root', () => {
    expect(DOORS.slice(1).filter((name) => name !== 'Viewer' && !lookUpAt('Query', name))).toEqual([]);
  });
});

const named = (name: string) => schema.getType(name) as GraphQLObjectType;

describe('the exceptions', () => {
  test('are there, have an id, and are no more than these kinds', () => {
    const all = Object.keys(exceptions);
    expect(all.filter((name) => !isObjectType(schema.getType(name)) || !hasId(named(name)))).toEqual([]);
    expect(all.length).toBe(Object.keys(PARTS).length + Object.keys(REFERENCES).length + Object.keys(BY_A_KEY).length);
  });

  test('parts are in no list of pages, and their whole shows them', () => {
    const wrong = Object.entries(PARTS).filter(
      ([part, whole]) =>
        LISTS.has(part) || !fieldsOf(named(whole)).some(({ type }) => getNamedType(type) === schema.getType(part)),
    );
    expect(wrong).toEqual([]);
  });

  test('references are of what is fetched', () => {
    expect(Object.values(REFERENCES).filter((name) => !fetched.includes(name) && !DOORS.includes(name))).toEqual([]);
  });
});

test('there is no root node(id:), and no field whose type would only be known once it has run', () => {
  expect(schema.getQueryType()?.getFields()['node']).toBeUndefined();
  const abstract = TYPES.flatMap((type) =>
    fieldsOf(type).flatMap((field) => (isAbstractType(getNamedType(field.type)) ? [`${type.name}.${field.name}`] : [])),
  );
  expect(abstract).toEqual([]);
});
