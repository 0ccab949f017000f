import { LRUCache } from 'lru-cache';
import { type ColumnOf, columnsOf, type Entity, selectColumns, tableNameOf } from './columns.ts';
import { type RawBuilder, sql } from './sql.ts';

/**
 * What a row holds beside its columns: rows of another table, as JSON in the same statement. `from` writes the expression:
 * the row itself stands under `alias` in the statement around it, and `of` says what is selected of the other table.
 */
export interface Part<
  Name extends string = string,
  E extends Entity = Entity,
  Holds extends 'ONE' | 'MANY' = 'ONE' | 'MANY',
> {
  readonly name: Name;
  readonly holds: Holds;
  readonly entity: E;
  readonly from: (alias: string, of: Selection) => RawBuilder<unknown>;
}

interface SelectedPart {
  readonly part: Part;
  readonly of: Selection;
}

/**
 * Columns of one table, in the order of its entity, and parts, so that the same set is always the same statement. It is for
 * templates: the builder selects columns that the code names, and knows no parts.
 */
export class Selection<E extends Entity = Entity> {
  readonly entity: E;
  readonly columns: readonly ColumnOf<E>[];
  readonly parts: readonly SelectedPart[];
  readonly #more = new Map<string, Selection<E>>();
  #number: number | undefined;
  readonly #texts = new Map<string, RawBuilder<unknown>>();

  constructor(entity: E, columns: Iterable<string>, parts: Iterable<SelectedPart> = []) {
    const wanted = new Set(columns);
    this.entity = entity;
    this.columns = [...columnsOf(entity).keys()].filter((name) => wanted.has(name)) as ColumnOf<E>[];
    this.parts = [...parts].toSorted((a, b) => (a.part.name < b.part.name ? -1 : 1));
  }

  /** All columns of a table. */
  static whole<E extends Entity>(entity: E): Selection<E> {
    return new Selection(entity, columnsOf(entity).keys());
  }

  /** For `select`, over the table under `alias`. */
  from(alias: string): RawBuilder<unknown> {
    const text = this.#texts.get(alias) ?? this.#select(alias);
    this.#texts.set(alias, text);
    return text;
  }

  /** The same as JSON objects in an array: of the rows that `from` (and whatever follows it) tells of, in its order. */
  jsonArray(alias: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`(select coalesce(json_agg(listed.*), '[]') from (select ${this.from(alias)} ${from}) listed)`;
  }

  /** The same as one JSON object, or null: of the row that `from` tells of. */
  jsonObject(alias: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`(select row_to_json(found.*) from (select ${this.from(alias)} ${from}) found)`;
  }

  /** With some columns that the statement itself needs: its keys. */
  with(...columns: readonly ColumnOf<E>[]): Selection<E> {
    if (columns.every((name) => this.columns.includes(name))) return this;
    return this.#more.getOrInsertComputed(
      columns.join(),
      () => new Selection(this.entity, [...this.columns, ...columns], this.parts),
    );
  }

  /** What tells two selections apart: those of the same columns and parts have the same number, and batches are named by it. */
  get number(): number {
    this.#number ??= numberOf(
      JSON.stringify([tableNameOf(this.entity), this.columns, this.parts.map(({ part, of }) => [part.name, of])]),
    );
    return this.#number;
  }

  toJSON(): number {
    return this.number;
  }

  #select(alias: string): RawBuilder<unknown> {
    const columns = this.columns.length === 0 ? [] : [selectColumns(this.entity, this.columns as never, alias)];
    const parts = this.parts.map(({ part, of }) => sql`${part.from(alias, of)} as ${sql.ref(part.name)}`);
    return sql.join([...columns, ...parts]);
  }
}

/** One whose name is forgotten gets another number when it comes again, so that two that are alike are loaded apart. */
const NUMBERS = new LRUCache<string, number>({
  maxSize: 1_000_000,
  sizeCalculation: (_number, name) => name.length + 100,
});
let numbered = 0;

function numberOf(name: string): number {
  const known = NUMBERS.get(name);
  if (known !== undefined) return known;
  numbered += 1;
  NUMBERS.set(name, numbered);
  return numbered;
}
