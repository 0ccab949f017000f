import { hash } from 'node:crypto';
import { columnOf } from './changes.ts';
import { type ColumnOf, columnsOf, type Entity, selectColumns, tableNameOf } from './columns.ts';
import { type RawBuilder, sql } from './sql.ts';
import { isInArrays, PartRows, type Parts } from './wire/part-rows.ts';

/**
 * Rows of another table that a row holds beside its columns, as JSON or arrays in the same statement. `from` writes the
 * expression: the row itself stands under `alias` in the statement around it, and `of` says what is selected of the
 * other table.
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
 * rows that are shown and then forgotten, and for templates: the builder selects columns that the code names, and knows no
 * parts.
 */
export class Selection<E extends Entity = Entity> {
  readonly entity: E;
  readonly columns: readonly ColumnOf<E>[];
  readonly parts: readonly SelectedPart[];
  readonly #more = new Map<string, Selection<E>>();
  #digest: string | undefined;
  readonly #texts = new Map<string, RawBuilder<unknown>>();
  /** Whether its rows are arrays of texts (part-rows.ts), in place of JSON. */
  readonly #isArray: boolean;

  constructor(entity: E, columns: Iterable<string>, parts: Iterable<SelectedPart> = [], isArray = false) {
    const wanted = new Set(columns);
    this.entity = entity;
    this.columns = [...columnsOf(entity).keys()].filter((name) => wanted.has(name)) as ColumnOf<E>[];
    this.parts = [...parts].toSorted((a, b) => (a.part.name < b.part.name ? -1 : 1));
    this.#isArray = isArray;
  }

  /** All columns of a table. */
  static whole<E extends Entity>(entity: E): Selection<E> {
    return new Selection(entity, columnsOf(entity).keys());
  }

  /** An estimate of its size on the heap, with the texts of its statements. */
  get bytes(): number {
    const ofParts = this.parts.reduce((sum, { of }) => sum + of.bytes, 0);
    return SELECTION_BYTES + COLUMN_BYTES * this.columns.length + ofParts;
  }

  /** For `select`, over the table under `alias`. Each part keeps its name, and stays by itself, in what the statement answers. */
  from(alias: string): RawBuilder<unknown> {
    const text = this.#texts.get(alias) ?? this.#withArrays(alias);
    this.#texts.set(alias, text);
    return text;
  }

  /** The same as JSON objects in an array, or arrays: of the rows that `from` (and whatever follows it) tells of, in its order. */
  jsonArray(alias: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
    if (this.#isArray) return sql`array(select ${this.#array(alias)} ${from})`;
    return sql`(select coalesce(json_agg(listed.*), '[]') from (select ${this.#select(alias, this.parts)} ${from}) listed)`;
  }

  /** The same as one JSON object, or array, or null: of the row that `from` tells of. */
  jsonObject(alias: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
    if (this.#isArray) return sql`(select ${this.#array(alias)} ${from})`;
    return sql`(select row_to_json(found.*) from (select ${this.#select(alias, this.parts)} ${from}) found)`;
  }

  /** The selection with further columns that the statement itself needs, such as its keys. */
  with(...columns: readonly ColumnOf<E>[]): Selection<E> {
    if (columns.every((name) => this.columns.includes(name))) return this;
    return this.#more.getOrInsertComputed(
      columns.join(),
      () => new Selection(this.entity, [...this.columns, ...columns], this.parts),
    );
  }

  /** Selections of the same columns and parts have the same digest. Batches are named by it. */
  get digest(): string {
    this.#digest ??= hash(
      'sha256',
      JSON.stringify([tableNameOf(this.entity), this.columns, this.parts.map(({ part, of }) => [part.name, of])]),
      'base64url',
    );
    return this.#digest;
  }

  toJSON(): string {
    return this.digest;
  }

  #columnTypes(): (readonly [name: string, type: string])[] {
    const known = columnsOf(this.entity);
    return this.columns.map((name) => [name, known.get(name)?.type ?? '']);
  }

  #asArray(): Selection {
    const isArray = this.columns.length > 0 && this.#columnTypes().every(([, type]) => isInArrays(type));
    return isArray && this.parts.length === 0 ? new Selection(this.entity, this.columns, [], true) : this;
  }

  #array(alias: string): RawBuilder<unknown> {
    return sql`array[${sql.join(this.columns.map((name) => sql`${sql.ref(`${alias}.${columnOf(name)}`)}::text`))}]`;
  }

  /** Parts as arrays, where they can be that: those of rows that stand in JSON themselves cannot. */
  #withArrays(alias: string): RawBuilder<unknown> {
    const parts = this.parts.map(({ part, of }) => ({ part, of: of.#asArray() }));
    const arrays = parts.filter(({ of }) => of.#isArray);
    const read: Parts = new Map(
      arrays.map(({ part, of }) => [part.name, new PartRows(of.#columnTypes(), part.holds === 'MANY')]),
    );
    return this.#select(alias, parts).withParts(read);
  }

  #select(alias: string, parts: readonly SelectedPart[]): RawBuilder<unknown> {
    const columns = this.columns.length === 0 ? [] : [selectColumns(this.entity, this.columns as never, alias)];
    const held = parts.map(({ part, of }) => sql`${part.from(alias, of)} as ${sql.ref(part.name)}`);
    return sql.join([...columns, ...held]);
  }
}

const [SELECTION_BYTES, COLUMN_BYTES] = [1_500, 600];
