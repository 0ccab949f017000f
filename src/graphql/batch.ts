import type { OwnedId } from '../core/id.ts';
import { Selection } from '../database/columns.ts';
import type { Em } from '../database/sql.ts';
import { type TogetherOptions, together } from '../database/together.ts';
import type { GraphQLContext } from './context.ts';
import { OneOfMany } from './one-of-many.ts';

/** Answers many at once: a value for each item, in their order, or undefined. */
type LoadEach<Args, Item, Value> = (
  context: GraphQLContext,
  items: readonly Item[],
  args: Args,
) => Promise<readonly (Value | undefined)[]>;

interface Batch<Item, Value> {
  readonly context: GraphQLContext;
  readonly name: string;
  readonly items: Item[];
  readonly values: Promise<readonly (Value | undefined)[]>;
}

/**
 * Loads a field that stands below lists, or several times in a document: what is asked for in one turn is answered by one
 * call of `loadEach`, so by one statement. Nothing is kept afterwards, so that a mutation's payload never shows an old value.
 */
export function batchedEach<Args, Item, Value>(
  loadEach: LoadEach<Args, Item, Value>,
): (context: GraphQLContext, item: Item, args: Args) => Promise<Value | undefined> {
  // Few at a time. In a `Map`, contexts would outlive their requests: V8 keeps the tables from which one has grown.
  const open: Batch<Item, Value>[] = [];

  const openBatch = (context: GraphQLContext, args: Args): Batch<Item, Value> => {
    const name = nameOf(args);
    const known = open.find((batch) => batch.context === context && batch.name === name);
    if (known) return known;

    const items: Item[] = [];
    // The executor requests all rows of a list before it yields to other tasks; then the batch is closed.
    const values = Promise.resolve().then(() => {
      open.splice(open.indexOf(batch), 1);
      return loadEach(context, items, args);
    });
    const batch: Batch<Item, Value> = { context, name, items, values };
    open.push(batch);
    return batch;
  };

  return (context, item, args) => {
    const { items, values } = openBatch(context, args);
    return new OneOfMany(values, items.push(item) - 1);
  };
}

/** Requests with the same arguments have the same name. Most say only what is selected. */
function nameOf(args: unknown): string {
  return args instanceof Selection ? args.digest : (JSON.stringify(args) ?? '');
}

/** The key of a parent: an id, or that of something which belongs to somebody. */
type Key = string | OwnedId;

/** Answers many parents at once, by their ids alone; a parent without an answer is left out. */
type LoadMany<Args, Value, Of extends Key = string> = (
  context: GraphQLContext,
  keys: readonly Of[],
  args: Args,
) => Promise<ReadonlyMap<string, Value>>;

/** The same by the ids of parents, of which many rows of a list may have the same: `loadMany` is given each once. */
export function batched<Args, Value, Of extends Key = string>(
  loadMany: LoadMany<Args, Value, Of>,
): (context: GraphQLContext, key: Of, args: Args) => Promise<Value | undefined> {
  return batchedEach(async (context, keys: readonly Of[], args: Args) => {
    const distinct = new Map(keys.map((key) => [idOf(key), key]));
    const found = await loadMany(context, [...distinct.values()], args);
    return keys.map((key) => found.get(idOf(key)));
  });
}

function idOf(key: Key): string {
  return typeof key === 'string' ? key : key.id;
}

/** Answers many parents at once, by their ids, for every caller alike; a parent without an answer is left out. */
type LoadForAll<Args, Value> = (em: Em, ids: readonly string[], args: Args) => Promise<ReadonlyMap<string, Value>>;

/**
 * The same for what does not depend on who asks: requests that wait at the same moment are answered by one statement,
 * too. The loader is given no caller, so that it cannot but answer all alike; what it gives is not to be changed.
 */
export function batchedForAll<Args, Value>(
  loadMany: LoadForAll<Args, Value>,
): (context: GraphQLContext, id: string, args: Args) => Promise<Value | undefined> {
  const ask = sharedByName(
    async (em, ids: readonly string[], args: Args) => {
      const found = await loadMany(em, [...new Set(ids)], args);
      return ids.map((id) => found.get(id));
    },
    // The rows of a list ask in one turn, and are answered together.
    { when: (begin) => queueMicrotask(begin) },
  );
  return (context, id, args) => ask(args)({ context, item: id });
}

/** Loads many items at once, for every caller alike: a value or undefined for each, in their order. */
type LoadEachForAll<Args, Item, Value> = (
  em: Em,
  items: readonly Item[],
  args: Args,
) => Promise<readonly (Value | undefined)[]>;

/** Does the same as `batchedEach`, by a statement for the callers of all requests. */
export function batchedEachForAll<Args, Item, Value>(
  loadEach: LoadEachForAll<Args, Item, Value>,
): (context: GraphQLContext, item: Item, args: Args) => Promise<Value | undefined> {
  const ask = sharedByName(
    async (em, asked: readonly (readonly Item[])[], args: Args) => {
      const [first] = asked;
      if (first && asked.length === 1) return [await loadEach(em, first, args)];
      const found = await loadEach(em, asked.flat(), args);
      let end = 0;
      return asked.map(({ length }) => found.slice(end, (end += length)));
    },
    { atOnce: 2, mostItems: MOST_REQUESTS },
  );
  // One who asks for many keeps nobody waiting who asks for few.
  return batchedEach((context, items: readonly Item[], args: Args) =>
    items.length > MOST_SHARED ? loadEach(context.em, items, args) : ask(args)({ context, item: items }),
  );
}

const MOST_SHARED = 100;

/** The most requests that share one statement, as each of them may hold many look-ups and makes it longer. */
const MOST_REQUESTS = 20;

interface Asked<Item> {
  readonly context: GraphQLContext;
  readonly item: Item;
}

/** Those who ask with the same arguments wait together. */
function sharedByName<Args, Item, Value>(
  run: (em: Em, items: readonly Item[], args: Args) => Promise<readonly Value[]>,
  options: TogetherOptions,
): (args: Args) => (asked: Asked<Item>) => Promise<Value> {
  // Arguments may be as long as a body is, and are as many as callers like: a kind is known while somebody asks.
  const kinds = new Map<string, (asked: Asked<Item>) => Promise<Value>>();
  return (args) => {
    const name = nameOf(args);
    return kinds.getOrInsertComputed(name, () =>
      together<Asked<Item>, Value>(
        (asked) => {
          const [{ context }] = asked as readonly [Asked<Item>, ...Asked<Item>[]];
          return run(
            context.sharedEm,
            asked.map(({ item }) => item),
            args,
          );
        },
        { atOnce: AT_ONCE, mostItems: REQUESTS_A_STATEMENT, ...options, onIdle: () => kinds.delete(name) },
      ),
    );
  };
}

/** Statements of one kind that are under way before the others wait for each other. */
const AT_ONCE = 6;
/** One that carried all who wait would have the server and this process work in turns, and not at the same time. */
const REQUESTS_A_STATEMENT = 6;
