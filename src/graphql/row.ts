/**
 * An object type whose values are rows of a table. Its entity says which columns there are and of what types; each field
 * says which of them it reads; the list or look-up above it selects those and no more (selection.ts).
 */

import type {
  FieldNullability,
  FieldOptionsFromKind,
  InputFieldMap,
  InterfaceRef,
  ObjectRef,
  TypeParam,
} from '@pothos/core';
import { type IdKind, type OwnedKind, type PlainKind, publicId, publicOwnedId } from '../core/id.ts';
import { type Column, type ColumnOf, columnsOf, type Entity, type Part, type RowOf } from '../database/columns.ts';
import type { Shown } from '../database/row-copier.ts';
import type { Requirement, ScopeLists } from '../scopes/requirement.ts';
import { builder, type Types } from './builder.ts';
import { describedId } from './descriptions.ts';
import type { Price } from './limits/price.ts';
import { COLUMNS, type NeededPart, PARTS, ROW, SHOWN } from './selection.ts';

export type RowRef<E extends Entity> = ObjectRef<Types, RowOf<E>>;

type Field = ReturnType<PothosSchemaTypes.ObjectFieldBuilder<Types, object>['field']>;
type FieldBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, Record<string, unknown>>;
/** Fields over the rows of an entity. */
export type Fields<E extends Entity> = (t: RowFields<E>) => Record<string, Field>;

interface ColumnOptions {
  readonly requires: Requirement;
  readonly description?: string;
  readonly price?: Price;
  /** Left out: what the column holds. Ids, enums, lists and JSON say what they are. */
  readonly type?: TypeParam<Types>;
  /** Decides what is shown of the value, where that depends on the row. */
  readonly guard?: (row: object, value: unknown) => unknown;
}

type TypedOptions = Omit<ColumnOptions, 'guard'> & Required<Pick<ColumnOptions, 'type'>>;

interface IdOptions extends Pick<ColumnOptions, 'requires' | 'description' | 'guard'> {
  /** Left out: ID. */
  readonly type?: 'String';
}

interface PartOptions extends ColumnOptions {
  readonly type: TypeParam<Types>;
  readonly nullable?: boolean;
}

/** Columns of a part that a value is made of: the resolver is given them under the part's name. */
interface OfPart<Name extends string, E extends Entity, Holds extends 'ONE' | 'MANY', Column extends ColumnOf<E>> {
  readonly part: Part<Name, E, Holds>;
  readonly columns: readonly Column[];
}

export interface RowFields<E extends Entity> {
  /** A column as it is; nullable where the column is. */
  column(name: ColumnOf<E>, options: ColumnOptions): Field;
  /** The text of a UUID with another text behind it; nullable where the column is. */
  uuid(name: ColumnOf<E>, suffix: string, options: Omit<ColumnOptions, 'type' | 'guard'>): Field;
  /** A column; where it is null, the one of that name in a part, or a value that is told here, as it is for an empty text. Nullable where that is null. */
  columnOr(name: ColumnOf<E>, part: Part<string, Entity, 'ONE'>, otherwise: unknown, options: TypedOptions): Field;
  /** A column that holds an id, as callers see it; nullable where the column is. */
  id(name: ColumnOf<E>, kind: PlainKind, options: IdOptions): Field;
  /** The id of what belongs to somebody, as callers see it, from the columns of its owner and its id; nullable where the latter is. */
  ownedId(columns: readonly [ColumnOf<E>, ColumnOf<E>], kind: OwnedKind, options: IdOptions): Field;
  /** A part as it is: rows of another table, of a type over that table, or one of them. */
  part(part: Part, options: PartOptions): Field;
  /** A value made of some columns: its resolver is given those. */
  from<
    Name extends ColumnOf<E>,
    Type extends TypeParam<Types>,
    Nullable extends FieldNullability<Type>,
    Args extends InputFieldMap,
    Shape,
  >(columns: readonly Name[], options: Options<Pick<RowOf<E>, Name>, Type, Nullable, Args, Shape>): Field;
  /** A value made of some columns and of some of the rows of a part. */
  fromPart<
    Name extends ColumnOf<E>,
    PartName extends string,
    Other extends Entity,
    Holds extends 'ONE' | 'MANY',
    PartColumn extends ColumnOf<Other>,
    Type extends TypeParam<Types>,
    Nullable extends FieldNullability<Type>,
    Args extends InputFieldMap,
    Shape,
  >(
    columns: readonly Name[],
    of: OfPart<PartName, Other, Holds, PartColumn>,
    options: Options<
      Pick<RowOf<E>, Name> & { readonly [Key in PartName]: Held<Holds, Pick<RowOf<Other>, PartColumn>> },
      Type,
      Nullable,
      Args,
      Shape
    >,
  ): Field;
}

type Held<Holds extends 'ONE' | 'MANY', Row> = Holds extends 'ONE' ? Row : readonly Row[];

type Options<
  Row,
  Type extends TypeParam<Types>,
  Nullable extends FieldNullability<Type>,
  Args extends InputFieldMap,
  Shape,
> = FieldOptionsFromKind<Types, Row, Type, Nullable, Args, 'Object', Row, Shape>;

interface RowOptions<E extends Entity> {
  readonly description?: string;
  readonly baseScopes?: ScopeLists;
  readonly interfaces?: InterfaceRef<Types, object>[];
  readonly fields: Fields<E>;
}

/** Declares the object type `name` over the rows of an entity. */
export function rowType<E extends Entity>(entity: E, name: string, options: RowOptions<E>): RowRef<E> {
  const { fields, interfaces = [], ...rest } = options;
  return builder.objectRef<RowOf<E>>(name).implement({
    ...rest,
    interfaces: interfaces as [],
    extensions: { [ROW]: entity },
    fields: (t) => fields(rowFields(entity, t as unknown as FieldBuilder)) as never,
  });
}

/** Declares an interface of types over rows: what is the same of one for those who manage it and for everybody. */
export function rowInterface<E extends Entity>(
  entity: E,
  name: string,
  { fields, ...rest }: Pick<RowOptions<E>, 'fields'> & { readonly description: string },
): InterfaceRef<Types, object> {
  return builder.interfaceRef<object>(name).implement({
    ...rest,
    fields: (t) => fields(rowFields(entity, t as unknown as FieldBuilder)) as never,
  });
}

/**
 * The same for a door: a type whose rows bring, beside their columns, something that was found out with them whatever is
 * selected (the caller's role), for the fields that others hang on it.
 */
export function doorType<E extends Entity, Beside extends object>(
  entity: E,
  name: string,
  options: RowOptions<E>,
): ObjectRef<Types, RowOf<E> & Beside> {
  return rowType(entity, name, options) as unknown as ObjectRef<Types, RowOf<E> & Beside>;
}

/** Adds fields to a type over rows that another file declares. */
export function addRowFields<E extends Entity>(ref: RowRef<E>, entity: E, fields: Fields<E>): void {
  builder.objectFields(ref, (t) => fields(rowFields(entity, t as unknown as FieldBuilder)) as never);
}

const TYPES: Readonly<Record<string, TypeParam<Types>>> = {
  TextType: 'String',
  IntegerType: 'Int',
  SmallIntType: 'Int',
  BooleanType: 'Boolean',
  InstantType: 'DateTime',
  ArrayType: ['String'],
};

function rowFields<E extends Entity>(entity: E, t: FieldBuilder): RowFields<E> {
  const columns = columnsOf(entity);
  return {
    column: (name, { type, guard, ...options }) => {
      const column = columns.get(name);
      if (!column) throw new Error(`${entity.name} has no column ${name}.`);
      return t.field({
        ...options,
        type: (type ?? typeOf(column, name)) as 'String',
        nullable: column.isNullable,
        extensions: { [COLUMNS]: [name], ...shownAs({ column: name }, guard) },
        resolve: (row) => guarded(guard, row, row[name]) as string,
      }) as Field;
    },
    uuid: (name, suffix, options) =>
      t.field({
        ...options,
        type: 'String',
        nullable: columns.get(name)?.isNullable ?? false,
        extensions: { [COLUMNS]: [name], ...shownAs({ uuid: name, suffix }, undefined) },
        resolve: ({ [name]: id }) => (id == null ? null : `${id as string}${suffix}`) as string,
      }) as Field,
    columnOr: (name, part, otherwise, options) => {
      const needed: NeededPart = { part, columns: [name], isShown: false };
      const resolve = (row: Record<string, unknown>) => {
        const value = row[name] ?? (row[part.name] as Record<string, unknown> | null)?.[name] ?? otherwise;
        return value === '' ? otherwise : value;
      };
      const extensions = { [COLUMNS]: [name], [PARTS]: [needed] };
      return t.field({ ...options, nullable: otherwise === null, resolve, extensions } as never);
    },
    id: (name, kind, options) => idField(t, columns, [name], kind, options, ([id]) => publicId(kind, id as string)),
    ownedId: (names, kind, options) =>
      idField(t, columns, names, kind, options, ([ownerId, id]) =>
        publicOwnedId(kind, { ownerId: ownerId as string, id: id as string }),
      ),
    part: (part, { type, nullable = false, guard, ...options }) =>
      t.field({
        ...options,
        type: type as 'String',
        nullable,
        extensions: {
          [PARTS]: [{ part, columns: [], isShown: true }] satisfies NeededPart[],
          ...shownAs({ part: part.name }, guard),
        },
        resolve: (row) => guarded(guard, row, row[part.name]) as string,
      }) as Field,
    from: (names, options) => t.field({ ...options, extensions: { [COLUMNS]: names } } as never),
    fromPart: (names, of, options) => {
      const part: NeededPart = { part: of.part, columns: of.columns, isShown: false };
      return t.field({ ...options, extensions: { [COLUMNS]: names, [PARTS]: [part] } } as never);
    },
  };
}

/** A guarded value is shown by its resolver alone. */
function shownAs(shown: Shown, guard: ColumnOptions['guard']): { readonly [SHOWN]?: Shown } {
  return guard ? {} : { [SHOWN]: shown };
}

function guarded(guard: ColumnOptions['guard'], row: object, value: unknown): unknown {
  return guard ? guard(row, value) : value;
}

/** The last of the columns is the id itself. */
function idField(
  t: FieldBuilder,
  columns: ReadonlyMap<string, Column>,
  names: readonly string[],
  kind: IdKind,
  { guard, type = 'ID' as 'String', ...options }: IdOptions,
  shown: (values: readonly unknown[]) => string,
): Field {
  return t.field({
    description: describedId(kind),
    ...options,
    type,
    nullable: columns.get(names.at(-1) ?? '')?.isNullable ?? false,
    extensions: { [COLUMNS]: names, ...shownAs({ id: kind, columns: names }, guard) },
    resolve: (row) => {
      const values = names.map((name) => row[name]);
      return guarded(guard, row, values.at(-1) == null ? null : shown(values)) as string;
    },
  }) as Field;
}

function typeOf({ type }: Column, name: string): TypeParam<Types> {
  const found = TYPES[type];
  if (found === undefined) throw new Error(`Say which type the column ${name} (${type}) has in the schema.`);
  return found;
}
