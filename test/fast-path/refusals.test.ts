/** Operations that are refused, or depend on conditions: the same answer both ways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/scopes/catalog.ts';
import { type Asked, type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';
import { difference, told } from './compare.ts';

const ALONE: readonly Scope[] = ['PROFILE_READ', 'EVENT_TYPE_READ', 'BOOKING_READ'];
/** Reads that a plan covers and that none does, changes, and one of two operations. */
const OPERATIONS: readonly { readonly query: string; readonly variables?: object; readonly operationName?: string }[] =
  [
    {
      query: '{ me { name eventTypes { nodes { id title } } bookings { nodes { id } } schedules { nodes { id } } } }',
    },
    {
      query:
        'query($if: Boolean!) { me { id bookings @include(if: $if) { nodes { id } } schedules { nodes { id } } } }',
      variables: { if: false },
    },
    { query: '{ __schema { queryType { name } } me { schedules { nodes { id } } } }' },
    {
      query:
        'mutation Rename($input: EventTypeUpdateInput!) { eventTypeUpdate(input: $input) { eventType { title } userErrors { code } } }',
      variables: { input: { eventTypeId: 'none', title: 'New' } },
    },
    { query: 'query A { __typename } query B { me {\n  schedules {\r\n nodes { id } } } }', operationName: 'B' },
    { query: '{ oauthClientReviewQueue { nodes { clientId } } }' },
  ];
/** All but the last of these are refused by their scopes. */
const CALLERS = ['nobody', ...ALONE, 'all scopes'];
const ACCEPTED = ['application/json', 'application/graphql-response+json'];

let twins: Twins;
let callers: Callers;
beforeAll(async () => {
  twins = await openTwins();
  callers = await callersOf(twins, ALONE);
});
afterAll(() => twins?.close());

function asked(operation: object, caller: string, accept = 'application/json', isByGet = false): Asked {
  const headers = { 'content-type': 'application/json', accept, ...callers[caller] };
  return { body: JSON.stringify(operation), headers, isByGet };
}

describe.each(CALLERS)('%s', (caller) => {
  test.each(ACCEPTED.flatMap((accept) => [[accept, 'POST'] as const, [accept, 'GET'] as const]))(
    'is answered alike, as %s, by %s',
    async (accept, method) => {
      for (const operation of OPERATIONS) {
        const found = await difference(twins, asked(operation, caller, accept, method === 'GET'), 3);
        expect(told(found ? [found] : [])).toEqual([]);
      }
    },
  );
});

test('a refused request that comes again is refused without Yoga, whatever it is', async () => {
  for (const operation of OPERATIONS.slice(0, -1)) {
    for (const caller of ['nobody', ...ALONE]) {
      const one = asked(operation, caller);
      await twins.ask('fast', one);
      const before = twins.handedOn();
      const { status, headers } = await twins.ask('fast', one);
      expect([status, twins.handedOn() - before]).toEqual([caller === 'nobody' ? 401 : 403, 0]);
      expect(headers.get('www-authenticate')).toMatch(caller === 'nobody' ? /^Bearer realm/ : /insufficient_scope/);
    }
  }
});

test('callers who lack different scopes are told of theirs, in whatever order they come', async () => {
  const [operation = {}] = OPERATIONS;
  const texts = async () => {
    const answers = await Promise.all(ALONE.map((caller) => twins.ask('fast', asked(operation, caller))));
    return answers.map(({ text }) => JSON.parse(text).errors[0].extensions.missingScopes);
  };
  const expected = ALONE.map((held) =>
    ['EVENT_TYPE_READ', 'BOOKING_READ', 'SCHEDULE_READ', 'PROFILE_READ'].filter((scope) => scope !== held),
  );
  for (let time = 0; time < 3; time += 1) expect(await texts()).toEqual(expected);
});

describe.each([3, 4])('a document with %i conditions', (count) => {
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  const query = `query(${names.map((name) => `$${name}: Boolean!`).join(' ')}) { me { id
    ${names.map((name, index) => `${name}: name @${index % 2 ? 'skip' : 'include'}(if: $${name})`).join(' ')}
    eventTypes(first: 2) @include(if: $c0) { nodes { title id @skip(if: $c1) } } } }`;
  const chosen = (choice: number) =>
    Object.fromEntries(names.map((name, index) => [name, Boolean(choice & (1 << index))]));

  test(`is answered alike, whichever are true, by ${count === 3 ? 'a plan for each choice' : 'the executor'}`, async () => {
    const choices = Array.from({ length: 2 ** count }, (_, choice) => choice);
    const answered: number[] = [];
    // Each choice comes between the others, twice.
    for (const choice of [...choices, ...choices]) {
      const one = asked({ query, variables: chosen(choice) }, 'all scopes');
      const before = twins.byPlans();
      const found = await difference(twins, one, 1);
      expect(told(found ? [found] : [])).toEqual([]);
      answered.push(twins.byPlans() - before);
    }
    expect(answered.slice(choices.length)).toEqual(choices.map(() => (count === 3 ? 1 : 0)));
  });
});

test('a choice that leaves nothing of an object goes to the executor, however often, and the other one keeps its plan', async () => {
  const query = 'query($if: Boolean!) { me { name @include(if: $if) } }';
  const one = (choice: boolean) => asked({ query, variables: { if: choice } }, 'all scopes');
  for (const choice of [false, true, ...Array.from({ length: 8 }, () => false)]) {
    const found = await difference(twins, one(choice), 1);
    expect(told(found ? [found] : [])).toEqual([]);
  }
  const before = twins.byPlans();
  for (let time = 0; time < 5; time += 1) await twins.ask('fast', one(true));
  expect(twins.byPlans() - before).toBe(5);
});
