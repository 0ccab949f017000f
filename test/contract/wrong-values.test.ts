/**
 * A wrong value is answered over HTTP, for each kind of mistake, as an argument and as a variable: the same bytes with
 * the fast path and without it, a code, the value, the place, what to write instead, and no statement.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countWork } from '../support/counted-work.ts';
import { openTestDatabase } from '../support/database.ts';
import { unknownId } from '../support/ids.ts';
import { type Asked, type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** The text around the value, which is a literal or a variable. */
type Around = (value: string) => string;

const publicList = (page: string) => `publicEventTypes(username: "ada", ${page}) { nodes { id } }`;
const myBookings = (args: string) => `me { bookings(${args}) { nodes { id } } }`;
const slots = (args: string) => `slots(eventType: { ofUser: { username: "ada", slug: "intro" } }, ${args}) { start }`;
const from = 'start: "2031-01-07T00:00:00Z"';
const until = 'end: "2031-01-08T00:00:00Z"';

interface Mistake {
  /** The type of the variable. */
  readonly type: string;
  readonly around: Around;
  readonly value: unknown;
  /** In a document it has no quotes. */
  readonly isName?: boolean;
  /** Said both ways: the value, and what to do. */
  readonly says: readonly (string | RegExp)[];
}

/** In the document itself it is GRAPHQL_VALIDATION_FAILED, told with its place; in a variable BAD_USER_INPUT, told with its name. */
const OF_TYPES: Readonly<Record<string, Mistake>> = {
  'an unknown value of an enum': {
    type: 'BookingStatus!',
    around: (value) => myBookings(`filter: { statuses: [${value}] }`),
    value: 'GONE',
    isName: true,
    says: ['"GONE"', '"BookingStatus"', 'its values are PENDING, ACCEPTED, REJECTED, CANCELLED'],
  },
  'a misspelt value of an enum': {
    type: 'BookingStatus!',
    around: (value) => myBookings(`filter: { statuses: [${value}] }`),
    value: 'ACEPTED',
    isName: true,
    says: ['"ACEPTED"', 'Did you mean the enum value "ACCEPTED"?'],
  },
  'a number for an enum': {
    type: 'BookingStatus!',
    around: (value) => myBookings(`filter: { statuses: [${value}] }`),
    value: 5,
    says: ['BookingStatus', ': 5', 'the name of one of its values'],
  },
  'a day for a DateTime': {
    type: 'DateTime!',
    around: (value) => slots(`start: ${value}, ${until}`),
    value: '2031-01-07',
    says: ['"2031-01-07" is not a DateTime', 'such as 2026-12-01T09:00:00Z'],
  },
  'a day that does not exist for a DateTime': {
    type: 'DateTime!',
    around: (value) => slots(`start: ${value}, ${until}`),
    value: '2031-02-30T00:00:00Z',
    says: ['"2031-02-30T00:00:00Z" is not a DateTime', 'such as 2026-12-01T09:00:00Z'],
  },
  'a DateTime with invisible characters': {
    type: 'DateTime!',
    around: (value) => slots(`start: ${value}, ${until}`),
    value: `\u202e\u0007${'x'.repeat(1_000)}`,
    says: [/"��x{58}…" is not a DateTime/, 'such as 2026-12-01T09:00:00Z'],
  },
  'a number for a DateTime': {
    type: 'DateTime!',
    around: (value) => slots(`start: ${value}, ${until}`),
    value: 5,
    says: ['5 is not a DateTime', 'such as 2026-12-01T09:00:00Z'],
  },
  'an object for a DateTime': {
    type: 'DateTime!',
    around: (value) => slots(`start: ${value}, ${until}`),
    value: { secret: 'gh_secret_x' },
    says: ['an object is not a DateTime', 'such as 2026-12-01T09:00:00Z'],
  },
  'a number for a TimeZone': {
    type: 'TimeZone',
    around: (value) => slots(`${from}, ${until}, timeZone: ${value}`),
    value: 7,
    says: ['7 is not a TimeZone', 'give a string'],
  },
  'a number for an EmailAddress': {
    type: 'EmailAddress',
    around: (value) => myBookings(`filter: { attendeeEmail: ${value} }`),
    value: 7,
    says: ['7 is not an EmailAddress', 'give a string'],
  },
  'a text for an Int': {
    type: 'Int',
    around: (value) => publicList(`first: ${value}`),
    value: 'ten',
    says: ['Int cannot represent non-integer value: "ten"', 'give a whole number without quotes'],
  },
  'a number for a String': {
    type: 'String',
    around: (value) => publicList(`after: ${value}`),
    value: 5,
    says: ['String cannot represent a non string value: 5', 'give a text in quotes'],
  },
  'a text for a Boolean': {
    type: 'Boolean',
    around: (value) => `team(id: "tea_0") { workflows(filter: { isActive: ${value} }) { nodes { id } } }`,
    value: 'yes',
    says: ['Boolean cannot represent a non boolean value: "yes"', 'give true or false'],
  },
  'true for an ID': {
    type: 'ID!',
    around: (value) => `publicEventType(by: { id: ${value} }) { id }`,
    value: true,
    says: ['ID cannot represent', 'true', 'give a text in quotes'],
  },
  'null for what cannot be null': {
    type: 'ID!',
    around: (value) => `organization(id: ${value}) { id }`,
    value: null,
    says: ['"ID!"', 'null', 'give a value of that type'],
  },
  'an unknown field of an input': {
    type: 'BookingFilterInput',
    around: (value) => myBookings(`filter: ${value}`),
    value: { teamid: 'x', hostUserId: 'gh_secret_x' },
    says: ['"teamid"', '"BookingFilterInput"', 'Did you mean "teamId"?'],
  },
  'a missing field of an input': {
    type: 'BookingOrderInput',
    around: (value) => myBookings(`orderBy: ${value}`),
    value: {},
    says: ['field" of required type "BookingOrderField!" was not provided', 'give it a value'],
  },
};

/** A mistake that only the field can tell is an error of the field, beside the data of others. */
const OF_FIELDS: Readonly<Record<string, Mistake & { readonly code: string; readonly argument: readonly string[] }>> = {
  'a made-up cursor': {
    type: 'String',
    around: (value) => publicList(`after: ${value}`),
    value: 'made up',
    code: 'BAD_INPUT',
    argument: ['after'],
    says: ['after is "made up", which is not a cursor of this list', 'use one that its pageInfo or an edge gave you'],
  },
  'a cursor of another list': {
    type: 'String',
    around: (value) => myBookings(`before: ${value}`),
    value: Buffer.from('["x","y"]').toString('base64url'),
    code: 'BAD_INPUT',
    argument: ['before'],
    says: ['before is "WyJ4IiwieSJd', 'use one that its pageInfo or an edge gave you'],
  },
  'a secret for a cursor': {
    type: 'String',
    around: (value) => publicList(`after: ${value}`),
    value: `eyJhbGciOiJF.${'s3cret'.repeat(20)}`,
    code: 'BAD_INPUT',
    argument: ['after'],
    says: ['after is "eyJhbGciOiJF…"'],
  },
  'an unknown time zone': {
    type: 'TimeZone',
    around: (value) => slots(`${from}, ${until}, timeZone: ${value}`),
    value: 'Mars/Olympus',
    code: 'INVALID_TIME_ZONE',
    argument: ['timeZone'],
    says: ['time zone "Mars/Olympus" is not known', 'such as Europe/Berlin'],
  },
  'an impossible e-mail address': {
    type: 'EmailAddress',
    around: (value) => myBookings(`filter: { attendeeEmail: ${value} }`),
    value: 'nobody',
    code: 'INVALID_EMAIL',
    argument: ['filter', 'attendeeEmail'],
    says: ['"nobody"', 'write it as name@example.com'],
  },
  'a range that ends before it begins': {
    type: 'DateTime!',
    around: (value) => slots(`${from}, end: ${value}`),
    value: '2031-01-06T00:00:00Z',
    code: 'INVERTED_RANGE',
    argument: ['end'],
    says: ['The end 2031-01-06T00:00:00Z is not after the start 2031-01-07T00:00:00Z', 'choose a later end'],
  },
  'a range of a filter that ends before it begins': {
    type: 'DateTime',
    around: (value) => myBookings(`filter: { start: { from: "2031-01-07T00:00:00Z", to: ${value} } }`),
    value: '2031-01-06T00:00:00Z',
    code: 'BAD_INPUT',
    argument: ['filter', 'start', 'to'],
    says: ['start ends at 2031-01-06T00:00:00Z, which is not after 2031-01-07T00:00:00Z', 'choose a later end'],
  },
  'a range that is too long': {
    type: 'DateTime!',
    around: (value) => slots(`${from}, end: ${value}`),
    value: '2031-06-01T00:00:00Z',
    code: 'RANGE_TOO_LONG',
    argument: ['end'],
    says: ['2031-06-01T00:00:00Z is more than 93 days', 'ask for less'],
  },
  'no first': {
    type: 'Int',
    around: (value) => publicList(`first: ${value}`),
    value: 0,
    code: 'BAD_INPUT',
    argument: ['first'],
    says: ['first is 0; give a number from 1 to 100'],
  },
  'too large a first': {
    type: 'Int',
    around: (value) => myBookings(`first: ${value}`),
    value: 101,
    code: 'BAD_INPUT',
    argument: ['first'],
    says: ['first is 101; give a number from 1 to 100'],
  },
  'a negative last': {
    type: 'Int',
    around: (value) => publicList(`last: ${value}`),
    value: -1,
    code: 'BAD_INPUT',
    argument: ['last'],
    says: ['last is -1; give a number from 1 to 100'],
  },
  'first and last': {
    type: 'Int',
    around: (value) => publicList(`first: 1, last: ${value}`),
    value: 2,
    code: 'BAD_INPUT',
    argument: ['first'],
    says: ['first is 1 and last is 2; give one of the two'],
  },
  'the id of another kind of thing': {
    type: 'ID!',
    around: (value) => `publicEventType(by: { id: ${value} }) { id }`,
    value: unknownId('booking'),
    code: 'BAD_INPUT',
    argument: ['by', 'id'],
    says: [/^by\.id is "bkg_[\w-]{8}…", the id of another kind of thing \(booking\); give one that begins with evt_/],
  },
  'the id of another kind of thing in a filter': {
    type: 'ID!',
    around: (value) => myBookings(`filter: { eventTypeIds: [${JSON.stringify(unknownId('eventType'))}, ${value}] }`),
    value: unknownId('team'),
    code: 'BAD_INPUT',
    argument: ['filter', 'eventTypeIds', '1'],
    says: [/^filter\.eventTypeIds\[1\] is "tea_[\w-]{8}…", the id of another kind of thing \(team\)/],
  },
  'the id of another kind of thing among several': {
    type: 'ID!',
    around: (value) => `me { eventTypesById(ids: [${value}]) { id } }`,
    value: unknownId('privateLink'),
    code: 'BAD_INPUT',
    argument: ['ids', '0'],
    says: [/^ids\[0\] is "lnk_[\w-]{8}…", the id of another kind of thing \(private link\)/],
  },
};

let twins: Twins;
let callers: Callers;
let counting: ReturnType<typeof countWork>;
beforeAll(async () => {
  const database = await openTestDatabase('demo');
  counting = countWork(database.em);
  twins = await openTwins({ RATE_LIMITS: 'off' }, { ...database, em: counting.em });
  callers = await callersOf(twins, []);
});
afterAll(async () => {
  await twins?.close();
  counting?.stop();
});

/** Reading the caller, and what was revoked, is asked whatever the document says. */
const OF_CALLERS = /\boauth_(?:grants|revocations)\b/;

function statements(): string[] {
  return counting.work.sent.filter((statement) => !OF_CALLERS.test(statement));
}

interface Told {
  readonly status: number;
  readonly message: string;
  readonly code: string;
  readonly argument?: readonly string[];
  readonly path?: readonly string[];
  readonly locations?: readonly object[];
  readonly hasData: boolean;
}

/** The one error, the same four times: what comes again has a plan. @throws where the two say different things, or read something */
async function told(operation: object, accept: string, isByGet = false): Promise<Told> {
  const headers = { 'content-type': JSON_TYPE, accept, ...callers['all scopes'] };
  const asked: Asked = { body: JSON.stringify(operation), headers, isByGet };
  counting.work.sent.length = 0;
  const answers: { readonly status: number; readonly text: string }[] = [];
  for (const which of ['fast', 'fast', 'fast', 'ordinary'] as const) {
    const { status, text } = await twins.ask(which, asked);
    answers.push({ status, text });
  }
  const [first = { status: 0, text: '{}' }] = answers;
  expect(answers).toEqual(answers.map(() => first));
  expect(statements()).toEqual([]);
  const { errors, data } = JSON.parse(first.text);
  expect(errors).toHaveLength(1);
  const [{ message, locations, path, extensions }] = errors;
  expect(message.length).toBeLessThanOrEqual(500);
  expect(first.text).not.toMatch(/gh_secret|s3cret/);
  return { status: first.status, message, locations, path, ...extensions, hasData: data !== undefined };
}

function operationsOf({ type, around, value, isName = false }: Mistake) {
  // The keys of an object have no quotes in GraphQL.
  const literal = JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1: ');
  return {
    argument: { query: `{ ${around(isName ? String(value) : literal)} }` },
    variable: { query: `query($v: ${type}) { ${around('$v')} }`, variables: { v: value } },
  };
}

function expectAll(message: string, says: Mistake['says']): void {
  for (const one of says) expect(message).toMatch(one);
}

test.each(['fast', 'ordinary'] as const)('right values are read, by the %s way', async (which) => {
  const headers = { 'content-type': JSON_TYPE, ...callers['all scopes'] };
  for (const query of [publicList('first: 1'), myBookings('first: 1'), slots(`${from}, ${until}`)]) {
    counting.work.sent.length = 0;
    const { status, text } = await twins.ask(which, { body: JSON.stringify({ query: `{ ${query} }` }), headers });
    expect([status, JSON.parse(text).errors]).toEqual([200, undefined]);
    expect(statements()).not.toEqual([]);
  }
});

/** GraphQL over HTTP: a request that does not run is 4xx in its own type, and 200 in the other one, as before there were two. */
const STATUS_OF_REFUSED = [
  [JSON_TYPE, 200],
  [RESPONSE_TYPE, 400],
] as const;

describe.each(STATUS_OF_REFUSED)(
  'a value that does not fit its type is refused before anything runs, as %s',
  (accept, status) => {
    const refused = { status, hasData: false };
    test.each(Object.entries(OF_TYPES))('%s', async (_name, mistake) => {
      const { argument, variable } = operationsOf(mistake);
      const inDocument = await told(argument, accept);
      expect(inDocument).toMatchObject({ ...refused, code: 'GRAPHQL_VALIDATION_FAILED', locations: [{ line: 1 }] });
      expectAll(inDocument.message, mistake.says);
      const inVariables = await told(variable, accept);
      expect(inVariables).toMatchObject({ ...refused, code: 'BAD_USER_INPUT', locations: [{ line: 1, column: 7 }] });
      expectAll(inVariables.message, ['Variable "$v" got an invalid value', ...mistake.says]);
      expect(await told(variable, accept, true)).toEqual(inVariables);
    });

    test('a variable that is missing', async () => {
      const missing = await told({ query: 'query($id: ID!) { organization(id: $id) { id } }' }, accept);
      expect(missing).toMatchObject({ ...refused, code: 'BAD_USER_INPUT', locations: [{ line: 1, column: 7 }] });
      expect(missing.message).toBe('Variable "$id" of required type "ID!" was not provided; send it in `variables`.');
    });

    test.each([
      [
        'field',
        /* invalid */ '{ publicBooking(uid: "x") { stat } }',
        /"stat" on type "PublicBooking". Did you mean "start" or "status"\?/,
      ],
      ['argument', `{ ${publicList('frist: 1')} }`, /"frist" on field "Query.publicEventTypes". Did you mean "first"/],
      [
        'type of a variable',
        /* invalid */ 'query($v: Strin) { publicBooking(uid: $v) { id } }',
        /"Strin". Did you mean "String"/,
      ],
    ])('an unknown %s', async (_what, query, says) => {
      const { message, ...rest } = await told({ query, variables: { v: 'x' } }, accept);
      expect(rest).toMatchObject({ ...refused, code: 'GRAPHQL_VALIDATION_FAILED', locations: [{ line: 1 }] });
      expect(message).toMatch(says);
    });

    test('a variable of another type than its place', async () => {
      const query = `query($v: String) { ${publicList('first: $v')} }`;
      const { message, ...rest } = await told({ query, variables: { v: 'x' } }, accept);
      expect(rest).toMatchObject({ ...refused, code: 'GRAPHQL_VALIDATION_FAILED' });
      expect(message).toBe('Variable "$v" of type "String" used in position expecting type "Int".');
    });

    test('the name of an operation that is not there', async () => {
      const { message, ...rest } = await told({ query: 'query A { __typename }', operationName: 'B' }, accept);
      expect(rest).toMatchObject({ hasData: false, code: 'OPERATION_RESOLUTION_FAILURE' });
      expect(message).toMatch(/operation/i);
    });
  },
);

describe.each([JSON_TYPE, RESPONSE_TYPE])(
  'a value that only a field can judge is an error of that field, as %s',
  (accept) => {
    test.each(Object.entries(OF_FIELDS))('%s', async (_name, { code, argument, says, ...mistake }) => {
      for (const operation of Object.values(operationsOf({ says, ...mistake }))) {
        const { message, ...error } = await told(operation, accept);
        expect(error).toMatchObject({ status: 200, code, argument, hasData: true, locations: [{ line: 1 }] });
        expect(error.path?.at(-1)).toMatch(/^(?:publicEventTypes?|bookings|slots|eventTypesById)$/);
        expectAll(message, says);
      }
    });
  },
);
