/**
 * Plain statements over one table, in Kysely's builder, typed by the entity: columns have their names in code, and what is
 * selected is a row as `RowOf` has it. They are values that go to the database by `rows`, `row` and `changed`, as those of
 * the `sql` template do.
 */
import {
  type AliasNode,
  type ColumnType,
  type DeleteQueryBuilder,
  type DeleteResult,
  DummyDriver,
  IdentifierNode,
  type InsertQueryBuilder,
  type InsertResult,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectionNode,
  type SelectQueryBuilder,
  type UpdateObject,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { columnOf, type Entity, type NewRowOf, type RowOf, tableNameOf } from './columns.ts';

/** In a statement, rows of its table are called so. */
type Item = 'item';

/** Tells Kysely about a table: its rows, and which columns an `insert` may leave out. */
interface Tables<E extends Entity> {
  readonly item: {
    readonly [Name in keyof RowOf<E> & keyof NewRowOf<E>]: ColumnType<
      RowOf<E>[Name],
      NewRowOf<E>[Name],
      RowOf<E>[Name]
    >;
  };
}

/** Selects the rows that have these values. */
type Values<E extends Entity> = Partial<RowOf<E>>;

/** For `set`: values, or expressions of their types. */
export type ChangesOf<E extends Entity> = UpdateObject<Tables<E>, Item, Item>;

export function selectFrom<E extends Entity>(entity: E, are?: Values<E>): SelectQueryBuilder<Tables<E>, Item, object> {
  return narrowed(BUILDER.selectFrom(named(entity)), are);
}

export function updateTable<E extends Entity>(
  entity: E,
  are?: Values<E>,
): UpdateQueryBuilder<Tables<E>, Item, Item, UpdateResult> {
  return narrowed(BUILDER.updateTable(named(entity)), are);
}

export function deleteFrom<E extends Entity>(
  entity: E,
  are?: Values<E>,
): DeleteQueryBuilder<Tables<E>, Item, DeleteResult> {
  return narrowed(BUILDER.deleteFrom(named(entity)), are);
}

export function insertInto<E extends Entity>(entity: E): InsertQueryBuilder<Tables<E>, Item, InsertResult> {
  return BUILDER.insertInto(tableNameOf(entity) as never) as never;
}

function named(entity: Entity): never {
  return `${tableNameOf(entity)} as item` as never;
}

function narrowed(statement: object, are: Readonly<Record<string, unknown>> = {}): never {
  const whole = statement as SelectQueryBuilder<Record<Item, Record<string, unknown>>, Item, object>;
  return (Object.keys(are).length === 0 ? whole : whole.where((eb) => eb.and(are))) as never;
}

/** Columns by the names that the database has for them; what is selected goes back to its name in code. */
class ColumnNames extends PostgresQueryCompiler {
  protected override visitIdentifier({ name }: IdentifierNode): void {
    super.visitIdentifier(IdentifierNode.create(columnOf(name)));
  }

  protected override visitAlias({ node, alias }: AliasNode): void {
    this.visitNode(node);
    this.append(' as ');
    if (IdentifierNode.is(alias)) super.visitIdentifier(alias);
    else this.visitNode(alias);
  }

  protected override visitSelection(node: SelectionNode): void {
    super.visitSelection(node);
    const { selection } = node;
    if (selection.kind !== 'ReferenceNode' || selection.column.kind !== 'ColumnNode') return;
    const { name } = selection.column.column;
    if (columnOf(name) !== name) this.append(` as "${name}"`);
  }
}

/** It builds and sends nothing: a statement belongs to no transaction before it is given to one. */
const BUILDER = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ColumnNames(),
  },
});
