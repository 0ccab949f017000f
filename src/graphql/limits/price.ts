/** A field says its price: how much an answer may hold because of it. The rules for written queries bound it. */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import { inChunks } from '../../core/turns.ts';
import { OneOfMany } from '../one-of-many.ts';

export interface Price {
  /** The most items that a list without pages can hold. */
  readonly max?: number;
  /** The most characters that a text can have, or each text of a list. */
  readonly characters?: number;
  /** The most characters that the texts of a list have together, with the punctuation between them. */
  readonly together?: number;
  /** The weight of one object: 1 unless said otherwise. */
  readonly weight?: number;
  /** The argument, a list, that such a list has an item for each of. */
  readonly sizedBy?: string;
  /** Arguments that bound a time. Before anything is read, such a list counts one item for each day of it. */
  readonly range?: readonly [start: string, end: string];
  /** One of them is read after the other, under however many aliases: what each reads is large. */
  readonly oneAtATime?: true;
}

const PRICE = 'gatehouse.price';
const FREE: Price = {};

/** A value that is read and kept with the object it belongs to: no row, no loader, a few words. */
export const SMALL = 0.25;

/** The object at the end of an edge, which comes in the edge's row: both count once. */
export const WITH_ITS_EDGE: Price = { weight: 0 };

/** A list that is counted: of its index, up to a thousand entries are read. */
export const COUNTED: Price = { weight: 20 };

/** Texts that can be longer than a line, by the most that the rules for what is written let them have. */
export const LONG_TEXT: Price = { characters: 5_000 };
export const TEXT: Price = { characters: 2_000 };
export const REASON: Price = { characters: 1_000 };
export const URL_TEXT: Price = { characters: 2_100 };

declare global {
  export namespace PothosSchemaTypes {
    interface FieldOptions {
      /** Mandatory for a list without pages: a list whose most is not known is refused. */
      price?: Price;
    }
    interface Plugins<Types extends SchemaTypes, T extends object = object> {
      price: PricePlugin<Types, T>;
    }
  }
}

export function priceOf({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Price {
  return (extensions[PRICE] as Price | undefined) ?? FREE;
}

/** The extensions of a field with this price, for schemas that no builder makes. */
export function priced(price: Price): Readonly<Record<string, unknown>> {
  return { [PRICE]: price };
}

/** The load that was begun last, by request. */
const LAST = new WeakMap<object, Promise<unknown>>();

/** Twenty at once would each find the others' rows in memory, and be read in one turn with them. */
function afterOneAnother<Context extends object>(
  resolve: GraphQLFieldResolver<unknown, Context>,
): GraphQLFieldResolver<unknown, Context> {
  return (parent, args, context, info) => {
    const before = LAST.get(context) ?? Promise.resolve();
    const found = before.then(() => resolve(parent, args, context, info));
    LAST.set(
      context,
      found.catch(() => undefined),
    );
    return found;
  };
}

/** From this many objects on, a list looks at the time. */
const LONG = 20;

class PricePlugin<Types extends SchemaTypes, T extends object = object> extends BasePlugin<Types, T> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context']>,
    { type, pothosOptions: { price } }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context']> {
    const resolve = price?.oneAtATime ? afterOneAnother(resolver) : resolver;
    // Only lists of objects take long to write, and only few of them are long.
    const isLong = type.kind === 'List' && ['Object', 'Interface', 'Union'].includes(type.type.kind);
    if (!isLong || (price?.max ?? Number.POSITIVE_INFINITY) < LONG) return resolve;
    return (parent, args, context, info) => listInTurns(resolve(parent, args, context, info));
  }

  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { price } = field.pothosOptions;
    return price ? { ...field, extensions: { ...field.extensions, ...priced(price) } } : field;
  }
}

SchemaBuilder.registerPlugin('price', PricePlugin);

/** A list this short is shown in one go, unless its turn is over already. */
const AT_ONCE = 100;

/** The items of a list for the executor: those beyond the first hundred, and all once a turn has had its time, come later. */
export function listInTurns(list: unknown): unknown {
  if (list instanceof Promise || list instanceof OneOfMany) return list.then(listInTurns);
  return Array.isArray(list) ? inChunks(list, AT_ONCE) : list;
}
