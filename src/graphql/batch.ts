import { LRUCache } from 'lru-cache';
import type { OwnedId } from '../core/id.ts';
import type { Em } from '../database/sql.ts';
import { together } from '../database/together.ts';
import type { GraphQLContext } from './context.ts';

/** What is loaded for: an id, or that of something which belongs to somebody. */
type Key = string | OwnedId;

/** Answers many parents at once, by their ids alone; a parent without an answer is left out. */
export type LoadMany<Args, Value, Of extends Key = string> = (
  context: GraphQLContext,
  keys: readonly Of[],
  args: Args,
) => Promise<ReadonlyMap<string, Value>>;

interface Batch<Value, Of> {
  readonly keys: Map<string, Of>;
  readonly values: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Loads a field that stands below lists: what all rows of a list ask for in one turn is answered by one call of
 * `loadMany`, so by one statement. Nothing is kept afterwards, so that a mutation's payload never shows an old value.
 */
export function batched<Args, Value, Of extends Key = string>(
  loadMany: LoadMany<Args, Value, Of>,
): (context: GraphQLContext, key: Of, args: Args) => Promise<Value | undefined> {
  const open = new WeakMap<GraphQLContext, Map<string, Batch<Value, Of>>>();

  const openBatch = (context: GraphQLContext, args: Args): Batch<Value, Of> => {
    const batches = open.get(context) ?? new Map<string, Batch<Value, Of>>();
    open.set(context, batches);
    const name = JSON.stringify(args);
    const known = batches.get(name);
    if (known) return known;

    const keys = new Map<string, Of>();
    // The executor requests all rows of a list before it yields to other tasks; then the batch is closed.
    const values = Promise.resolve().then(() => {
      batches.delete(name);
      return loadMany(context, [...keys.values()], args);
    });
    const batch = { keys, values };
    batches.set(name, batch);
    return batch;
  };

  return async (context, key, args) => {
    const { keys, values } = openBatch(context, args);
    const id = typeof key === 'string' ? key : key.id;
    keys.set(id, key);
    return (await values).get(id);
  };
}

/** Answers many parents at once, by their ids, whoever asks; a parent without an answer is left out. */
export type LoadForAll<Args, Value> = (
  em: Em,
  ids: readonly string[],
  args: Args,
) => Promise<ReadonlyMap<string, Value>>;

/**
 * The same for what does not depend on who asks: requests that wait at the same moment are answered by one statement,
 * too. The loader is given no caller, so that it cannot but answer all alike; what it gives is not to be changed.
 */
export function batchedForAll<Args, Value>(
  loadMany: LoadForAll<Args, Value>,
): (context: GraphQLContext, id: string, args: Args) => Promise<Value | undefined> {
  const load = (args: Args) =>
    together<Asked, Value | undefined>(
      async (asked) => {
        const [{ context }] = asked as readonly [Asked, ...Asked[]];
        const found = await loadMany(context.sharedEm, [...new Set(asked.map(({ id }) => id))], args);
        return asked.map(({ id }) => found.get(id));
      },
      // What all rows of a list ask for in one turn goes together.
      { atOnce: AT_ONCE, when: (begin) => queueMicrotask(begin) },
    );
  // Those of the same arguments. They may be as long as a body is, and are as many as callers like.
  const kinds = new LRUCache<string, ReturnType<typeof load>>({
    maxSize: KINDS_CHARACTERS,
    sizeCalculation: (_kind, name) => name.length + 1,
  });
  return (context, id, args) => {
    const name = JSON.stringify(args) ?? '';
    const known = kinds.get(name);
    const ask = known ?? load(args);
    if (!known) kinds.set(name, ask);
    return ask({ context, id });
  };
}

const KINDS_CHARACTERS = 100_000;

interface Asked {
  readonly context: GraphQLContext;
  readonly id: string;
}

/** Statements of one kind that are under way before the others wait for each other. */
const AT_ONCE = 2;
