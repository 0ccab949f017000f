/** Which columns a table has, and of what types, is said by its entity alone; everything here is derived from it. */

import { hash } from 'node:crypto';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Insertable, Selectable } from 'kysely';
import { type RawBuilder, sql } from './sql.ts';
import { isInArrays, PartRows, type Parts } from './wire/part-rows.ts';

/** An entity, as `defineEntity` returns it. */
export type Entity = EntitySchemaWithMeta;

/**
 * A row with all its columns, named as in code: `time_zone` is `timeZone`, and the relation `user` is `userId`. Times are
 * text, as the database writes them: most are only passed on.
 */
export type RowOf<E extends Entity> = {
  readonly [Column in keyof Stored<E> & string as CamelCase<Column>]: AsRead<Stored<E>[Column], Column>;
};
/** A row for an `insert`: columns that may be null or have a default may be left out. */
export type NewRowOf<E extends Entity> = {
  readonly [Column in keyof New<E> as CamelCase<Column & string>]: AsRead<New<E>[Column], Column>;
};
export type ColumnOf<E extends Entity> = keyof RowOf<E> & string;

type Stored<E extends Entity> = Selectable<Table<E>>;
type New<E extends Entity> = Insertable<Table<E>>;
/** MikroORM's type names two columns by a reference by (owner, id); the owner's is the row's own. */
type Table<E extends Entity> = Omit<InferKyselyTable<E>, `${string}_owner_id` | `${string}_user`>;
/** A column of a reference by several is typed as the whole key by MikroORM, and is one id. */
type AsRead<Value, Column> = Value extends Temporal.Instant | Temporal.PlainDate | Temporal.PlainTime
  ? string
  : Value extends readonly (infer Item)[]
    ? Column extends `${string}_id`
      ? Item
      : readonly Item[]
    : Value;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** One column: what MikroORM calls its type (`TextType`). */
export interface Column {
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether it is one of the primary key. */
  readonly isKey: boolean;
}

const COLUMNS = new WeakMap<Entity, ReadonlyMap<string, Column>>();

/** All columns of a table by their names in code. */
export function columnsOf(entity: Entity): ReadonlyMap<string, Column> {
  const known = COLUMNS.get(entity) ?? readColumns(entity);
  COLUMNS.set(entity, known);
  return known;
}

export function tableNameOf(entity: Entity): string {
  return metaOf(entity).tableName;
}

/** Whether a trigger tells who listens that something in it was changed. */
export function notifiesOfChanges(entity: Entity): boolean {
  return (metaOf(entity).triggers ?? []).some(({ timing }) => timing === 'after');
}

export function tableOf(entity: Entity): RawBuilder<unknown> {
  return sql.table(tableNameOf(entity));
}

/** The primary key, by the names of its columns in code. */
export function keyOf(entity: Entity): readonly string[] {
  return [...columnsOf(entity)].filter(([, { isKey }]) => isKey).map(([name]) => name);
}

/** The key columns of a table, in SQL. */
export function keyColumns(entity: Entity): RawBuilder<unknown> {
  return sql.join(keyOf(entity).map((name) => sql.ref(columnOf(name))));
}

/** For `select` and `returning`: these columns of the table under `alias`, each under its name in code. */
export function selectColumns<E extends Entity, Name extends ColumnOf<E>>(
  entity: E,
  names: readonly Name[],
  alias: string,
): RawBuilder<Pick<RowOf<E>, Name>> {
  return columnsAs(
    entity,
    names.map((name) => [name, name]),
    alias,
  );
}

/** The same under other names, as where rows of several tables are one: `{ ownerName: 'name' }`. */
export function selectColumnsAs<E extends Entity, Columns extends Readonly<Record<string, ColumnOf<E>>>>(
  entity: E,
  columns: Columns,
  alias: string,
): RawBuilder<{ readonly [Name in keyof Columns]: RowOf<E>[Columns[Name]] }> {
  return columnsAs(entity, Object.entries(columns), alias);
}

/** The row that a list of columns selects. */
export type Selected<Columns> = Columns extends RawBuilder<infer Row> ? Row : never;

function columnsAs<Row>(
  entity: Entity,
  columns: readonly (readonly [name: string, column: string])[],
  alias: string,
): RawBuilder<Row> {
  const known = columnsOf(entity);
  const texts = columns.map(([name, column]) => {
    if (!known.has(column)) throw new Error(`${metaOf(entity).className} has no column ${column}.`);
    return `"${alias}"."${columnOf(column)}" as "${name}"`;
  });
  // As text: to put it together from its parts would take longer than the rest of a statement.
  return sql<Row>`${sql.raw(texts.join(', '))}`;
}

interface Property {
  readonly kind?: string;
  readonly type?: unknown;
  readonly nullable?: boolean;
  readonly primary?: boolean;
  readonly fieldName?: string;
  readonly fieldNames?: readonly string[];
  readonly joinColumns?: readonly string[];
}

interface Meta {
  readonly className: string;
  readonly triggers?: readonly { readonly timing: 'before' | 'after' | 'instead of' }[];
  readonly tableName: string;
  readonly properties: Readonly<Record<string, Property>>;
}

function metaOf(entity: Entity): Meta {
  return (entity as unknown as { readonly meta: Meta }).meta;
}

function readColumns(entity: Entity): ReadonlyMap<string, Column> {
  const { properties } = metaOf(entity);
  const columns = new Map<string, Column>();
  for (const [name, property] of Object.entries(properties)) {
    const { kind, type, nullable: isNullable = false, primary: isKey = false } = property;
    if (kind !== 'm:1') {
      columns.set(name, { type: nameOfType(type), isNullable, isKey });
      continue;
    }
    // A reference is the columns of a key, some of which may be columns of their own as well.
    for (const column of columnsOfReference(name, property)) {
      const own = nameOf(column);
      if (!(own in properties)) columns.set(own, { type: 'reference', isNullable, isKey });
    }
  }
  return columns;
}

function columnsOfReference(name: string, { joinColumns, fieldNames, fieldName }: Property): readonly string[] {
  return joinColumns ?? fieldNames ?? [fieldName ?? `${columnOf(name)}_id`];
}

const NAMES = new Map<string, string>();

/** `durationInMinutes` → `duration_in_minutes`. Names are those of our entities and statements, never a caller's. */
export function columnOf(name: string): string {
  const known = NAMES.get(name) ?? name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  NAMES.set(name, known);
  return known;
}

/** `duration_in_minutes` → `durationInMinutes` */
function nameOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A type is given as a class or as one of its instances; after discovery it may be a name. */
function nameOfType(type: unknown): string {
  if (typeof type === 'string') return type;
  return typeof type === 'function' ? type.name : ((type as object | undefined)?.constructor.name ?? 'unknown');
}

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
