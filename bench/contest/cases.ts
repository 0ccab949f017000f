/**
 * The cases that every contestant is asked: documents in the peers' schema (peers/common/schema.mjs) and in
 * Gatehouse's, and what a right answer says.
 */
import { publicOwnedId } from '../../src/core/id.ts';
import { eventTypeId, userId } from './gatehouse-rows.ts';
import { bookingRow, CHANGED_EVENT_TYPE, EVENT_TYPES, eventTypeRow, firstPage, userRow } from './rows.ts';

export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: object;
  readonly operationName?: string;
}

export interface Case {
  readonly says: string;
  /** The n-th request, of this user. */
  request(schema: Schema, user: number, n: number): GraphQLRequest;
  /** The data of its answer, as `comparable` gives it; undefined: a refusal. */
  expected(user: number, n: number): unknown;
  /** Gatehouse's answer to a refusal, for the contestant that only sends bytes. */
  readonly refused?: { readonly status: number; readonly text: string };
  /** The token that lacks scopes has the one that this takes. */
  readonly isForWeak?: true;
  /** The peers' schema has nothing like it. */
  readonly isOurs?: true;
}

interface Schema {
  /** Around what belongs to the caller. */
  own(selection: string): string;
  readonly eventType: readonly string[];
  readonly booking: string;
  /** The public id of the k-th event type of a user. */
  idOf(user: number, k: number): string;
  /** A mutation, and its variables. */
  readonly update: string;
  newTitle(id: string, title: string): object;
}

/** In Gatehouse's words; `comparable` knows them. */
const GATEHOUSE: Schema = {
  own: (selection) => `{ me { ${selection} } }`,
  eventType: ['id', 'title', 'slug', 'description', 'durationInMinutes', 'isHidden', 'color', 'createdAt'],
  booking: 'id icsUid title status start end attendees { name email timeZone } eventType { id title slug }',
  idOf: (user, k) => publicOwnedId('eventType', { ownerId: userId(user), id: eventTypeId(user, k) }),
  update: `mutation($input: EventTypeUpdateInput!) {
    eventTypeUpdate(input: $input) { eventType { title } userErrors { code } } }`,
  newTitle: (eventTypeId, title) => ({ input: { eventTypeId, title } }),
};

const SHARED: Schema = {
  own: (selection) => `{ ${selection} }`,
  eventType: ['id', 'title', 'slug', 'description', 'length', 'hidden', 'position', 'createdAt'],
  booking: 'id uid title status startAt endAt attendees { name email timeZone } eventType { id title slug }',
  idOf: (user, k) => String((user - 1) * EVENT_TYPES + k),
  update: 'mutation($id: ID!, $title: String!) { eventTypeUpdate(id: $id, title: $title) { title } }',
  newTitle: (id, title) => ({ id, title }),
};

export const SCHEMAS = { gatehouse: GATEHOUSE, shared: SHARED } as const;

const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const eventTypes = (schema: Schema, fields = schema.eventType) =>
  schema.own(`eventTypes(first: 20) { nodes { ${fields.join(' ')} } ${PAGE_INFO} }`);
const bookings = (schema: Schema) => schema.own(`bookings(first: 20) { nodes { ${schema.booking} } ${PAGE_INFO} }`);

const SUBSETS = 100;
const TEN = Array.from({ length: 10 }, (_, index) => index + 1);
/** One of ten requests. */
const isOdd = (n: number): boolean => n % 10 === 9;

const typesOf = (user: number) => ({ eventTypes: firstPage((k) => eventTypeRow(user, k)) });
const nameOf = (user: number) => ({ me: userRow(user) });
const newTitle = (n: number): string => `Title ${n}`;

export const CASES: Readonly<Record<string, Case>> = {
  Q1: {
    says: '`me { id name }`',
    request: () => ({ query: '{ me { id name } }' }),
    expected: nameOf,
  },
  Q2: {
    says: '20 event types × 8 fields',
    request: (schema) => ({ query: eventTypes(schema) }),
    expected: typesOf,
    isForWeak: true,
  },
  Q3: {
    says: '20 bookings, their attendees and event types',
    request: (schema) => ({ query: bookings(schema) }),
    expected: (user) => ({ bookings: firstPage((n) => bookingRow(user, n)) }),
  },
  variables: {
    says: 'Q2 with a variable, one of two operations by its name',
    request: (schema) => ({
      query: `query Me { me { id name } } query Types($first: Int!) ${eventTypes(schema).replace('first: 20', 'first: $first')}`,
      operationName: 'Types',
      variables: { first: 20 },
    }),
    expected: typesOf,
    isForWeak: true,
  },
  hundred: {
    says: 'Q2 as a hundred documents in turn, each with other fields',
    request: (schema, _user, n) => ({ query: eventTypes(schema, subset(schema.eventType, n)) }),
    expected: (user, n) => {
      const shown = new Set(subset(SHARED.eventType, n));
      const row = (k: number) =>
        Object.fromEntries(Object.entries(eventTypeRow(user, k)).filter(([name]) => shown.has(name)));
      return { eventTypes: firstPage(row) };
    },
    isForWeak: true,
  },
  'look-ups': {
    says: 'ten event types by their ids, in one document',
    request: (schema, user) => ({
      query: `query(${TEN.map((k) => `$id${k}: ID!`).join(', ')}) ${schema.own(TEN.map((k) => `t${k}: eventType(id: $id${k}) { id title slug }`).join(' '))}`,
      variables: Object.fromEntries(TEN.map((k) => [`id${k}`, schema.idOf(user, k)])),
    }),
    expected: (user) =>
      Object.fromEntries(
        TEN.map((k) => {
          const { title, slug } = eventTypeRow(user, k);
          return [`t${k}`, { title, slug }];
        }),
      ),
    isForWeak: true,
  },
  mutation: {
    says: 'one field of an event type is changed',
    request: (schema, user, n) => ({
      query: schema.update,
      variables: schema.newTitle(schema.idOf(user, CHANGED_EVENT_TYPE), newTitle(n)),
    }),
    expected: (_user, n) => ({ eventTypeUpdate: { title: newTitle(n) } }),
  },
  refusal: {
    says: 'Q1 with a token that lacks the scope',
    request: () => ({ query: '{ me { id name } }' }),
    expected: () => undefined,
    refused: { status: 403, text: JSON.stringify({ errors: [refusalOf('PROFILE_READ', ['id', 'name'])] }) },
  },
  slots: {
    says: 'the slots of a week of one host',
    request: (schema, user) => {
      const monday = Temporal.Now.plainDateISO('UTC').add({ days: 14 });
      const day = (days: number): string => `${monday.add({ days }).toString()}T00:00:00Z`;
      const range = `start: "${day(0)}", end: "${day(7)}"`;
      return { query: `{ slots(eventType: { id: "${schema.idOf(user, 1)}" }, ${range}) { start } }` };
    },
    expected: () => 'SLOTS',
    isOurs: true,
  },
  mixed: {
    says: 'Q2, but one of ten is a document that also looks at the schema, with a fragment and a directive',
    request: (schema, _user, n) =>
      isOdd(n)
        ? {
            query: `query Odd($with: Boolean!) { me { ...Name } __type(name: "Int") @include(if: $with) { kind } } fragment Name on ${schema === SHARED ? 'User' : 'Viewer'} { id name }`,
            variables: { with: true },
          }
        : { query: eventTypes(schema) },
    expected: (user, n) => (isOdd(n) ? { ...nameOf(user), __type: { kind: 'SCALAR' } } : typesOf(user)),
    isForWeak: true,
  },
};

function refusalOf(scope: string, fields: readonly string[]) {
  const fieldsOf = fields.map((field) => ({
    coordinate: `Viewer.${field}`,
    level: 'USER',
    path: ['me', field],
    requires: [scope],
  }));
  return {
    message: `The access token lacks scopes that this operation needs: ${scope}.`,
    locations: [8, 11].map((column) => ({ line: 1, column })),
    extensions: { code: 'INSUFFICIENT_SCOPE', requiredScopes: [scope], missingScopes: [scope], fields: fieldsOf },
  };
}

/** The id, and of the others those whose bit is set. */
function subset(fields: readonly string[], n: number): readonly string[] {
  return fields.filter((_, bit) => bit === 0 || (((n % SUBSETS) + 1) >> (bit - 1)) & 1);
}

/** Ids, cursors and what only one of the two schemas has. */
const LEFT_OUT = new Set(['id', 'uid', 'icsUid', 'position', 'color', 'endCursor', 'userErrors']);
const RENAMED: Readonly<Record<string, string>> = {
  durationInMinutes: 'length',
  isHidden: 'hidden',
  start: 'startAt',
  end: 'endAt',
};

/** The data of an answer in the words of the rows, whichever schema it comes from. */
export function comparable(data: unknown): unknown {
  const { me, ...rest } = plain(data) as { readonly me?: object };
  // Gatehouse's lists and look-ups stand below the viewer.
  const isOwn = me !== undefined && !('name' in me);
  const { eventTypeUpdate } = rest as { readonly eventTypeUpdate?: { readonly eventType?: unknown } };
  if (eventTypeUpdate?.eventType) return { eventTypeUpdate: eventTypeUpdate.eventType };
  if ('slots' in rest && Array.isArray(rest.slots) && rest.slots.length > 20) return 'SLOTS';
  return isOwn ? me : me === undefined ? rest : { me, ...rest };
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return new Date(value).toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, inner]) => [RENAMED[name] ?? name, plain(inner)]),
  );
}
