/** Mutations that come again are carried out by plans: the same answers both ways, and each is carried out once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { LIMITS } from '../../src/graphql/limits/limits.ts';
import { type Asked, type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';
import { difference, told } from './compare.ts';

const UPDATE = 'eventTypeUpdate(input: $input)';
const ERRORS = 'userErrors { code message path }';

let twins: Twins;
let callers: Callers;
let eventTypeId: string;
let others: string;
let scheduleId: string;
beforeAll(async () => {
  twins = await openTwins();
  callers = await callersOf(twins, ['EVENT_TYPE_WRITE']);
  const idsOf = async (caller: string) => {
    const { text } = await twins.ask(
      'ordinary',
      asked({ query: '{ me { eventTypes { nodes { id } } schedules { nodes { id } } } }' }, caller),
    );
    return JSON.parse(text).data.me;
  };
  const ada = await idsOf('all scopes');
  [eventTypeId, scheduleId] = [ada.eventTypes.nodes[0].id, ada.schedules.nodes[0].id];
  others = (await idsOf('all scopes, of another user')).schedules.nodes[0].id;
});
afterAll(() => twins?.close());
const { answerBytes } = LIMITS;
afterEach(() => void Object.assign(LIMITS, { answerBytes }));

interface Operation {
  readonly query: string;
  readonly variables?: object;
}

function asked(operation: Operation, caller = 'all scopes'): Asked {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...callers[caller] };
  return { body: JSON.stringify(operation), headers };
}

function update(input: object, selection: string, more = ''): Operation {
  return {
    query: `mutation Change($input: EventTypeUpdateInput!) { ${UPDATE} { ${selection} } ${more} }`,
    variables: { input: { eventTypeId, ...input } },
  };
}

async function ask(which: 'fast' | 'ordinary', operation: Operation) {
  const { status, text } = await twins.ask(which, asked(operation));
  return { status, ...JSON.parse(text) };
}

/** Sends it as often as it takes until a plan is made. @returns how many of the last two the executor answered */
async function byExecutor(operation: Operation): Promise<number> {
  await twins.ask('fast', asked(operation));
  const before = twins.byPlans();
  for (let time = 0; time < 2; time += 1) await twins.ask('fast', asked(operation));
  return 2 - (twins.byPlans() - before);
}

describe('a mutation that changes nothing the second time', () => {
  const done = `eventTypeId eventType { id title description isHidden slug } ${ERRORS}`;
  test.each<[string, () => Operation]>([
    ['a field', () => update({ title: 'A "title" \\ of ours' }, done)],
    ['fields that depend on each other', () => update({ durationInMinutes: 30, bufferBeforeInMinutes: 5 }, done)],
    ['nothing of it shown', () => update({ isHidden: false }, '__typename')],
    ['nothing at all', () => update({}, done)],
    [
      'it shown twice, and differently',
      () => update({ isHidden: false }, `a: eventType { id } b: eventType { title } ${ERRORS}`),
    ],
    ['a mistake', () => update({ title: '', color: 'red' }, done)],
    ['a slug that is taken', () => update({ slug: 'deep-dive' }, done)],
    ['a schedule of somebody else', () => update({ scheduleId: others }, done)],
    [
      'something that is not there',
      () => update({ eventTypeId: `${eventTypeId.slice(0, -8)}AAAAAAAA`, title: 'New' }, done),
    ],
    ['a text that is no id', () => update({ eventTypeId: 'none', title: 'New' }, done)],
    ['a field of teams', () => update({ schedulingType: 'ROUND_ROBIN' }, done)],
    ['variables that do not fit', () => update({ title: 7 }, done)],
    [
      'an error below it',
      () => update({ isHidden: false }, `eventType { id privateLinks(first: 101) { nodes { id } } } ${ERRORS}`),
    ],
    [
      'two in a row',
      () =>
        update(
          { title: 'First' },
          done,
          `b: eventTypeUpdate(input: { eventTypeId: "${eventTypeId}", title: "Second" }) { eventType { title } }`,
        ),
    ],
    [
      'one after an error',
      () =>
        update(
          { title: 'First' },
          'eventType { privateLinks(first: 0) { nodes { id } } }',
          `b: eventTypeUpdate(input: { eventTypeId: "${eventTypeId}", title: "Second" }) { eventType { title } }`,
        ),
    ],
    [
      'another resource',
      () => ({
        query: `mutation($id: ID!) { scheduleUpdate(input: { scheduleId: $id, name: "Office" }) { schedule { name isDefault availability { days } } ${ERRORS} } }`,
        variables: { id: scheduleId },
      }),
    ],
    [
      'the default schedule',
      () => ({
        query: `mutation($id: ID!) { scheduleUpdate(input: { scheduleId: $id, isDefault: true }) { schedule { name isDefault } ${ERRORS} } }`,
        variables: { id: scheduleId },
      }),
    ],
    ['the profile', () => ({ query: `mutation { profileUpdate(input: { bio: "Bio" }) { me { id bio } ${ERRORS} } }` })],
  ])('is answered alike: %s', async (_what, operation) => {
    for (const caller of ['all scopes', 'EVENT_TYPE_WRITE', 'nobody', 'a revoked token']) {
      const found = await difference(twins, asked(operation(), caller), 3);
      expect(told(found ? [found] : [])).toEqual([]);
    }
  });

  test('is done without Yoga', async () => {
    expect(await byExecutor(update({ title: 'Intro' }, done))).toBe(0);
    expect(await byExecutor(update({ title: '' }, done))).toBe(0);
  });
});

const create = (slug: string, selection: string): Operation => ({
  query: `mutation($slug: String!) { eventTypeCreate(input: { slug: $slug, title: "New", durationInMinutes: 30 }) { ${selection} ${ERRORS} } }`,
  variables: { slug },
});
const made = async (slug: string): Promise<number | undefined> => {
  const em = twins.ordinary.database.em.fork();
  return (await row(em, sql<{ count: number }>`select count(*)::int as count from event_types where slug = ${slug}`))
    ?.count;
};

describe('a mutation is carried out once,', () => {
  test('also when its answer has an error that a plan cannot write', async () => {
    const selection = 'eventType { slug privateLinks(first: 1000) { nodes { id } } }';
    const [before] = [twins.byPlans()];
    for (const slug of ['first', 'second', 'third']) {
      const answer = await ask('fast', create(slug, selection));
      expect(answer.data).toEqual({ eventTypeCreate: { eventType: { slug, privateLinks: null }, userErrors: [] } });
      expect(answer.errors).toMatchObject([{ path: ['eventTypeCreate', 'eventType', 'privateLinks'] }]);
      expect(await made(slug)).toBe(1);
    }
    expect(twins.byPlans() - before).toBe(0);
    const again = await ask('fast', create('third', selection));
    expect(again.data.eventTypeCreate.userErrors).toMatchObject([{ code: 'SLUG_TAKEN' }]);
  });

  test('also when its answer is larger than a plan may write', async () => {
    await ask('fast', create('small', 'eventType { slug }'));
    Object.assign(LIMITS, { answerBytes: 100 });
    for (const slug of ['larger', 'larger-too']) {
      const answer = await ask('fast', create(slug, 'eventType { slug }'));
      expect(answer.data).toEqual({ eventTypeCreate: { eventType: { slug }, userErrors: [] } });
      expect(await made(slug)).toBe(1);
    }
  });

  test('and what stands behind it sees what it did', async () => {
    const operation = {
      query: `mutation($id: ID!) {
        a: eventTypeUpdate(input: { eventTypeId: $id, title: "A" }) { eventType { title } }
        b: eventTypeUpdate(input: { eventTypeId: $id, durationInMinutes: 45 }) { eventType { title durationInMinutes } }
        c: eventTypeUpdate(input: { eventTypeId: $id, title: "C" }) { eventType { title durationInMinutes } } }`,
      variables: { id: eventTypeId },
    };
    expect(await byExecutor(operation)).toBe(0);
    expect((await ask('fast', operation)).data).toEqual({
      a: { eventType: { title: 'A' } },
      b: { eventType: { title: 'A', durationInMinutes: 45 } },
      c: { eventType: { title: 'C', durationInMinutes: 45 } },
    });
  });
});
