/**
 * Narrows lists. A list says what it can be narrowed by, each with a condition; from that come the input of its `filter`, its SQL,
 * and the parameters of its REST paths. It names only what the scope of the list shows, of each row to whoever sees the row: what
 * one cannot read, one cannot search for.
 *
 * A condition is asked of the rows that the list walks along its index, so it is bounded by what the owner has, and rows of others
 * cost nothing.
 */
import type { InputFieldRef, InputRef, TypeParam } from '@pothos/core';
import { rangeMistake, type TimeRange } from '../core/page.ts';
import { Problem } from '../core/problem.ts';
import { emailMistake, isStorable } from '../core/text.ts';
import { columnOf } from '../database/columns.ts';
import type { Apart, Narrowed } from '../database/pages.ts';
import { hasText } from '../database/search.ts';
import { type RawBuilder, sql } from '../database/sql.ts';
import { builder, type Types } from './builder.ts';
import type { GraphQLContext } from './context.ts';

export const TimeRangeInput = builder.inputType('TimeRangeInput', {
  description: 'From one instant up to, not including, another; either may be left open.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first instant in it. Null: no beginning.' }),
    to: t.field({ type: 'DateTime', description: 'The first instant after it. Null: no end.' }),
  }),
});

interface Condition {
  /** A name of the schema, an enum, or a list of one. */
  readonly type: TypeParam<Types> | readonly [TypeParam<Types>] | InputRef;
  readonly description: string;
  readonly condition: (value: never, context: GraphQLContext) => RawBuilder<unknown>;
  /** Says what is wrong with a value that has the right type. */
  readonly mistake?: (value: never) => string | undefined;
}

/** One thing that a list can be narrowed by. */
export interface Narrowing extends Condition {
  readonly apart?: undefined;
  readonly isOfOrder?: undefined;
}

/** The same where an index has the rows of each value in the order of the list (`Narrowed`). */
interface NarrowingApart extends Condition {
  readonly apart: (value: never) => Apart;
  readonly isOfOrder?: undefined;
}

/** A period of the time that the list is sorted by, which bounds its walk (`byTime`). */
interface NarrowingOfOrder extends Condition {
  readonly apart?: undefined;
  readonly isOfOrder: true;
}

type AnyNarrowing = Narrowing | NarrowingApart | NarrowingOfOrder;

type ApartOf<One> = One extends NarrowingApart ? Apart : never;
type PeriodOf<One> = One extends NarrowingOfOrder ? TimeRange : never;
type AnyNarrowed = Narrowed<Apart, TimeRange>;

/** The values that a caller gives. */
export type GivenFilter = Readonly<Record<string, unknown>>;

export interface ListFilter<By extends AnyNarrowed = Narrowed> {
  readonly input: InputRef<GivenFilter>;
  /** @throws Problem BAD_INPUT */
  readonly narrowedBy: (given: GivenFilter | null | undefined, context: GraphQLContext) => By;
}

/** Declares the filter of a list of `name`. */
export function listFilter<Narrowings extends Readonly<Record<string, AnyNarrowing>>>(
  name: string,
  narrowings: Narrowings,
): ListFilter<Narrowed<ApartOf<Narrowings[keyof Narrowings]>, PeriodOf<Narrowings[keyof Narrowings]>>> {
  const givenOf = (filter: GivenFilter | null | undefined) =>
    Object.entries(narrowings).flatMap(([field, narrowing]) => {
      const value = filter?.[field];
      if (value == null) return [];
      refuseMistake(field, narrowing, value);
      return [{ narrowing, value }];
    });
  return {
    input: filterInput(name, narrowings),
    narrowedBy(filter, context) {
      const given = givenOf(filter);
      const apart = given.find(({ narrowing }) => narrowing.apart);
      const period = given.find(({ narrowing }) => narrowing.isOfOrder);
      const byApart = apart && apartOf(apart);
      const isSaid = (one: Given) => one === period || (one === apart && byApart && 'values' in byApart);
      const others = given.filter((one) => !isSaid(one));
      return {
        condition: conditionOf(others, context),
        // The compiler does not see that only such narrowings have these parts.
        apart: byApart as never,
        period: period?.value as never,
      };
    },
  };
}

interface Given {
  readonly narrowing: AnyNarrowing;
  readonly value: unknown;
}

function apartOf({ narrowing: { apart: partsOf }, value }: Given): Apart | undefined {
  return isStorableIn(value) ? partsOf?.(value as never) : { column: sql`null`, values: [] };
}

/** Whether the texts in a value can stand in a row: of others, no row has any. */
function isStorableIn(value: unknown): boolean {
  return [value].flat().every((one) => typeof one !== 'string' || isStorable(one));
}

function conditionOf(given: readonly Given[], context: GraphQLContext): RawBuilder<boolean> {
  const conditions = given.map(({ narrowing, value }) =>
    isStorableIn(value) ? sql`(${narrowing.condition(value as never, context)})` : sql`false`,
  );
  return conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` and `);
}

function filterInput(
  name: string,
  narrowings: Readonly<Record<string, Pick<Condition, 'type' | 'description'>>>,
): InputRef<GivenFilter> {
  return builder.inputType(`${name}FilterInput`, {
    description: `Only entries that match every field you give.`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(narrowings).map(([field, { type, description }]) => [
          field,
          t.field({ type: type as 'String', description }),
        ]),
      ),
  });
}

/** @throws Problem BAD_INPUT; for what can be nobody's address INVALID_EMAIL, and REQUIRED for no text */
export function refuseMistake(
  field: string,
  { type, mistake }: Pick<Condition, 'type' | 'mistake'>,
  value: unknown,
): void {
  const ofEmail = type === 'EmailAddress' ? emailMistake(['filter', field], String(value)) : undefined;
  if (ofEmail) Problem.throwIfAny([ofEmail]);
  const said = mistake?.(value as never);
  if (said) throw new Problem('BAD_INPUT', `${field} ${said}`, ['filter', field]);
}

/** `filter`, for a field that lists; none for a list that is read as it is. */
export function filterArgument(filter: ListFilter<AnyNarrowed>): {
  filter: InputFieldRef<Types, GivenFilter | null | undefined>;
};
export function filterArgument(filter: ListFilter<AnyNarrowed> | undefined): {
  filter?: InputFieldRef<Types, GivenFilter | null | undefined>;
};
export function filterArgument(filter: ListFilter<AnyNarrowed> | undefined) {
  if (!filter) return {};
  return builder.args((t) => ({
    filter: t.field({ type: filter.input, description: 'Which entries to list. Default: all.' }),
  }));
}

/** Whether anything is asked of the rows. */
export function isNarrowed(given: GivenFilter | null | undefined): given is GivenFilter {
  return Object.values(given ?? {}).some((value) => value != null);
}

/** A column of a row, which is called `item` where no other name stands before: `hidden`, `u.name`. */
type ColumnName = string;

function at(column: ColumnName): RawBuilder<unknown> {
  return sql.ref(column.includes('.') ? column : `item.${columnOf(column)}`);
}

/** The rows with this value. */
export function equal(column: ColumnName, type: TypeParam<Types>, description: string): Narrowing {
  return { type, description, condition: (value: unknown) => sql`${at(column)} = ${value}` };
}

/** The same, where an index has the rows of each value in the order of the list. */
export function apart(column: ColumnName | RawBuilder<unknown>, narrowing: Narrowing): NarrowingApart {
  const indexed = typeof column === 'string' ? at(column) : column;
  return { ...narrowing, apart: (value: unknown) => ({ column: indexed, values: [value].flat() }) };
}

/** The rows that have one of these values in a list. */
export function holding(column: ColumnName, type: TypeParam<Types>, description: string): Narrowing {
  return {
    type: [type],
    description: `${description} Any, if left out.`,
    condition: (values: readonly string[]) => sql`${at(column)} && ${values}::text[]`,
  };
}

/** The rows with one of these texts or values of an enum. */
export function among(column: ColumnName, type: TypeParam<Types>, description: string): Narrowing {
  return {
    type: [type],
    description: `${description} Any, if left out.`,
    condition: (values: readonly string[]) => sql`${at(column)} = any(${values}::text[])`,
  };
}

export const MOST_SEARCHED = 100;

/** Says what is wrong with a text that is searched for, behind the name of its field. */
export function searchMistake(text: string): string | undefined {
  const { length } = text;
  if (length > 0 && text.trim() === '') return `is blank; search for 1 to ${MOST_SEARCHED} characters.`;
  if (length >= 1 && length <= MOST_SEARCHED) return undefined;
  return `has ${length} characters; search for 1 to ${MOST_SEARCHED}.`;
}

/** The rows of which one of these columns has the text in it. */
export function containing(columns: readonly ColumnName[], what: string): Narrowing {
  return {
    type: 'String',
    description: `With this text in ${what}, in any capitals: 1 to ${MOST_SEARCHED} characters.`,
    mistake: searchMistake,
    condition: (text: string) => hasText(text, columns.map(at)),
  };
}

/** The same of rows of which something else holds too: what is not shown of a row is not searched. */
export function where<One extends AnyNarrowing>(condition: RawBuilder<unknown>, narrowing: One): One {
  return {
    ...narrowing,
    condition: (value: never, context: GraphQLContext) =>
      sql`${condition} and (${narrowing.condition(value, context)})`,
  };
}

/** The rows whose time, from its start to its end, has something of this period in it. */
export function meeting(start: ColumnName, end: ColumnName, description: string): Narrowing {
  return inPeriod(description, {
    from: (from) => sql`${at(end)} > ${from}::timestamptz`,
    to: (to) => sql`${at(start)} < ${to}::timestamptz`,
  });
}

/** The rows of which this moment, by which the list is sorted, is in the period. */
export function within(time: ColumnName, description: string): NarrowingOfOrder {
  const bounds = {
    from: (from: string) => sql`${at(time)} >= ${from}::timestamptz`,
    to: (to: string) => sql`${at(time)} < ${to}::timestamptz`,
  };
  return { ...inPeriod(description, bounds), isOfOrder: true };
}

function inPeriod(
  description: string,
  bounds: Readonly<Record<'from' | 'to', (instant: string) => RawBuilder<unknown>>>,
): Narrowing {
  return {
    type: TimeRangeInput,
    description,
    mistake: rangeMistake,
    condition: ({ from, to }: TimeRange) =>
      sql.join(
        [sql`true`, ...(from ? [bounds.from(from.toString())] : []), ...(to ? [bounds.to(to.toString())] : [])],
        sql` and `,
      ),
  };
}
