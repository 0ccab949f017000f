import { describe, expect, test } from 'vitest';
import { batched } from '../../src/graphql/batch.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';

function aContext(): GraphQLContext {
  return {
    em: undefined as never,
    caller: { kind: 'anonymous' },
    budget: undefined as never,
    address: '192.0.2.1',
    publicUrl: '',
    passwordGuesses: {} as never,
    verification: {} as never,
    accountMails: {} as never,
    furnishMember: undefined as never,
    oauth: {} as never,
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

describe('what is asked for in one turn', () => {
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
