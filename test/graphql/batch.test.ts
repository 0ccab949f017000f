import { describe, expect, test } from 'vitest';
import { giveUpAfter, statementLimit } from '../../src/database/deadline.ts';
import type { Em } from '../../src/database/sql.ts';
import { batched, batchedEach, batchedEachForAll, batchedForAll } from '../../src/graphql/batch.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';

function aContext(): GraphQLContext {
  return {
    em: undefined as never,
    sharedEm: 'shared' as never,
    caller: { kind: 'anonymous' },
    budget: undefined as never,
    address: '192.0.2.1',
    publicUrl: '',
    passwordGuesses: {} as never,
    verification: {} as never,
    invitationMails: {} as never,
    accountMails: {} as never,
    profiles: {} as never,
    furnishMember: undefined as never,
    oauth: {} as never,
    codesBySms: undefined,
    allowPrivateNetwork: false,
    hasRooms: false,
    uids: undefined as never,
    conferencingAccounts: {} as never,
    webhooksKey: undefined as never,
    isLetIn: undefined as never,
    calendarAccounts: {} as never,
    calendarAccountTries: {} as never,
    connections: {} as never,
    feeds: undefined as never,
    feedTries: undefined as never,
    requestedDeliveries: undefined as never,
    formSubmissions: undefined as never,
  };
}

function aLoader() {
  const calls: { ids: readonly string[]; args: unknown }[] = [];
  const load = batched(async (_context, ids, args: unknown) => {
    calls.push({ ids, args });
    return new Map(ids.filter((id) => id !== 'missing').map((id) => [id, `${id}!`]));
  });
  return { calls, load };
}

describe('keys that are asked for in one turn', () => {
  test('is loaded by one call, each id once', async () => {
    const { calls, load } = aLoader();
    const context = aContext();
    const values = await Promise.all(['a', 'b', 'a', 'missing'].map((id) => load(context, id, { first: 1 })));
    expect(values).toEqual(['a!', 'b!', 'a!', undefined]);
    expect(calls).toEqual([{ ids: ['a', 'b', 'missing'], args: { first: 1 } }]);
  });

  test('with other arguments, or by another request, is loaded apart', async () => {
    const { calls, load } = aLoader();
    const [one, other] = [aContext(), aContext()];
    await Promise.all([load(one, 'a', { first: 1 }), load(one, 'a', { first: 2 }), load(other, 'a', { first: 1 })]);
    expect(calls).toHaveLength(3);
  });

  test('fails for all when the one call fails', async () => {
    const load = batched(async () => {
      throw new Error('broken');
    });
    const context = aContext();
    const answers = await Promise.allSettled([load(context, 'a', undefined), load(context, 'b', undefined)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

test('nothing is kept: the next turn loads anew', async () => {
  const { calls, load } = aLoader();
  const context = aContext();
  await load(context, 'a', undefined);
  await load(context, 'a', undefined);
  expect(calls).toHaveLength(2);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('values that do not depend on the caller', () => {
  interface Call {
    readonly em: Em;
    readonly ids: readonly string[];
    readonly args: unknown;
  }

  function aSharedLoader(gate: () => Promise<unknown> = async () => undefined) {
    const calls: Call[] = [];
    const load = batchedForAll(async (em, ids, args: unknown) => {
      calls.push({ em, ids, args });
      await gate();
      if (ids.includes('broken')) throw new Error('broken');
      return new Map(ids.filter((id) => id !== 'missing').map((id) => [id, `${id}!`]));
    });
    return { calls, load };
  }

  test('is loaded by one call for all requests of one turn, and each has what it asked for', async () => {
    const { calls, load } = aSharedLoader();
    const [one, other] = [aContext(), aContext()];
    const values = await Promise.all([
      load(one, 'a', { first: 1 }),
      load(other, 'b', { first: 1 }),
      load(one, 'missing', { first: 1 }),
      load(other, 'a', { first: 1 }),
    ]);
    expect(values).toEqual(['a!', 'b!', undefined, 'a!']);
    expect(calls).toEqual([{ em: 'shared', ids: ['a', 'b', 'missing'], args: { first: 1 } }]);
  });

  test('with other arguments is loaded apart', async () => {
    const { calls, load } = aSharedLoader();
    const [one, other] = [aContext(), aContext()];
    await Promise.all([load(one, 'a', { first: 1 }), load(other, 'a', { first: 2 }), load(other, 'a', undefined)]);
    expect(calls.map(({ args }) => args)).toEqual([{ first: 1 }, { first: 2 }, undefined]);
  });

  test('fails for nobody because of what another asked for', async () => {
    const { load } = aSharedLoader();
    const answers = await Promise.allSettled([
      load(aContext(), 'a', undefined),
      load(aContext(), 'broken', undefined),
      load(aContext(), 'b', undefined),
    ]);
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: new Error('broken') },
      { status: 'fulfilled', value: 'b!' },
    ]);
  });

  test('waits for company only while six are under way, and is then as new as the call', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { calls, load } = aSharedLoader(() => opened);
    const asked: Promise<unknown>[] = [];
    for (const id of 'abcdefgh') {
      asked.push(load(aContext(), id, undefined));
      await turn();
    }
    const alone = [['a'], ['b'], ['c'], ['d'], ['e'], ['f']];
    expect(calls.map(({ ids }) => ids)).toEqual(alone);
    open();
    expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!', 'f!', 'g!', 'h!']);
    expect(calls.map(({ ids }) => ids)).toEqual([...alone, ['g', 'h']]);
  });

  test('shares a statement with five others at most', async () => {
    const { calls, load } = aSharedLoader();
    await Promise.all(Array.from('abcdefgh', (id) => load(aContext(), id, undefined)));
    expect(calls.map(({ ids }) => ids.length)).toEqual([6, 2]);
  });

  test('goes on when the caller who began it has given up', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const { load } = aSharedLoader(() => {
      signal = statementLimit().signal;
      return opened;
    });
    const gone = giveUpAfter(
      5,
      () => load(aContext(), 'a', undefined),
      () => new Error('given up'),
    );
    const patient = load(aContext(), 'a', undefined);
    await expect(gone).rejects.toThrow('given up');
    open();
    expect(await patient).toBe('a!');
    expect(signal).toBeUndefined();
  });

  test('is not kept, however many kinds of it there are', async () => {
    const { calls, load } = aSharedLoader();
    const context = aContext();
    const asked = Array.from({ length: 1_200 }, (_, first) => load(context, 'a', { first }));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['a!']));
    await load(context, 'a', { first: 0 });
    expect(calls).toHaveLength(1_201);
  });
});

const told = (items: readonly string[]) => items.map((item) => (item === 'missing' ? undefined : `${item}!`));

describe('a loader with a value for each item', () => {
  interface Call {
    readonly items: readonly string[];
    readonly args: unknown;
  }

  test('is loaded by one call for one turn of a request, and told in the order of the items', async () => {
    const calls: Call[] = [];
    const load = batchedEach(async (_context, items: readonly string[], args: unknown) => {
      calls.push({ items, args });
      return told(items);
    });
    const [one, other] = [aContext(), aContext()];
    const asked = ['a', 'missing', 'b', 'a'].map((item) => load(one, item, 1));
    const values = await Promise.all([...asked, load(one, 'c', 2), load(other, 'd', 1)]);
    expect(values).toEqual(['a!', undefined, 'b!', 'a!', 'c!', 'd!']);
    expect(calls).toEqual([
      { items: ['a', 'missing', 'b', 'a'], args: 1 },
      { items: ['c'], args: 2 },
      { items: ['d'], args: 1 },
    ]);
    await load(one, 'a', 1);
    expect(calls).toHaveLength(4);
  });

  function aSharedLoader(gate: () => Promise<unknown> = async () => undefined) {
    const calls: Call[] = [];
    const load = batchedEachForAll(async (em, items: readonly string[], args: unknown) => {
      expect(em).toBe('shared');
      calls.push({ items, args });
      await gate();
      if (items.includes('broken')) throw new Error('broken');
      return told(items);
    });
    return { calls, load };
  }

  test('is loaded by one call for the requests that wait at the same moment, where it does not depend on the caller', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { calls, load } = aSharedLoader(() => opened);
    const asked: Promise<unknown>[] = [];
    for (const items of [['a'], ['b', 'c'], ['d', 'missing', 'd'], ['e'], ['f', 'g']]) {
      const context = aContext();
      asked.push(...items.map((item) => load(context, item, undefined)));
      await turn();
    }
    asked.push(load(aContext(), 'x', 'other'));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['x']]);
    open();
    const values = ['a!', 'b!', 'c!', 'd!', undefined, 'd!', 'e!', 'f!', 'g!', 'x!'];
    expect(await Promise.all(asked)).toEqual(values);
    expect(calls.map(({ items }) => items).slice(3)).toEqual([['d', 'missing', 'd', 'e', 'f', 'g']]);
  });

  test('is loaded for twenty requests by one call', async () => {
    const { calls, load } = aSharedLoader();
    const asked = Array.from({ length: 45 }, (_, n) => load(aContext(), String(n), undefined));
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => `${n}!`));
    expect(calls.map(({ items }) => items.length)).toEqual([1, 1, 20, 20, 3]);
  });

  test('fails for nobody because of what another request asked for', async () => {
    const { load } = aSharedLoader();
    const [one, other] = [aContext(), aContext()];
    const answers = await Promise.allSettled([
      load(aContext(), 'a', undefined),
      load(aContext(), 'a', undefined),
      load(one, 'b', undefined),
      load(one, 'broken', undefined),
      load(other, 'c', undefined),
      load(other, 'd', undefined),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });
});
