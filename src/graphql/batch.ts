import type { GraphQLContext } from './context.ts';

/** Answers many parents at once, by their ids; a parent without an answer is left out. */
export type LoadMany<Args, Value> = (
  context: GraphQLContext,
  ids: readonly string[],
  args: Args,
) => Promise<ReadonlyMap<string, Value>>;

interface Batch<Value> {
  readonly ids: Set<string>;
  readonly values: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Loads a field that stands below lists: what all rows of a list ask for in one turn is answered by one call of
 * `loadMany`, so by one statement. Nothing is kept afterwards, so that a mutation's payload never shows an old value.
 */
export function batched<Args, Value>(
  loadMany: LoadMany<Args, Value>,
): (context: GraphQLContext, id: string, args: Args) => Promise<Value | undefined> {
  const open = new WeakMap<GraphQLContext, Map<string, Batch<Value>>>();

  const openBatch = (context: GraphQLContext, args: Args): Batch<Value> => {
    const batches = open.get(context) ?? new Map<string, Batch<Value>>();
    open.set(context, batches);
    const name = JSON.stringify(args);
    const known = batches.get(name);
    if (known) return known;

    const ids = new Set<string>();
    // The executor requests all rows of a list before it yields to other tasks; then the batch is closed.
    const values = Promise.resolve().then(() => {
      batches.delete(name);
      return loadMany(context, [...ids], args);
    });
    const batch = { ids, values };
    batches.set(name, batch);
    return batch;
  };

  return async (context, id, args) => {
    const { ids, values } = openBatch(context, args);
    ids.add(id);
    return (await values).get(id);
  };
}
