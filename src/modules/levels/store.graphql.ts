import type { InputFieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { IdKind, OwnedId } from '../../core/id.ts';
import type { PageArguments } from '../../core/page.ts';
import type { Selection } from '../../database/selection.ts';
import type { LastSeen } from '../../database/updates/if-unchanged.ts';
import type { InputBuilder, Types } from '../../graphql/builder.ts';
import type { ConnectionShape } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import type { LevelName } from './reach.ts';

/** The keys of a row of whatever table. */
export interface Row {
  readonly [key: string]: string;
}

export type RowType = ObjectRef<Types, Row>;
export type Input = Readonly<Record<string, unknown>>;

/** The owner of the things that a mutation is about. */
export interface Whose {
  readonly ownerId: string;
  /** The last change that the caller of an update has seen, if they will not overwrite a later one. */
  readonly lastSeen?: LastSeen;
}

/** The owner of the new thing, and the rest of the input. */
export interface Given<Owner extends Whose = Whose> {
  readonly owner: Owner;
  readonly rest: Input;
}

/** The owner and the id of the thing that the input names. */
export interface Named<Owner extends Whose = Whose> extends Given<Owner> {
  readonly id: string;
}

type Pages = (
  context: GraphQLContext,
  parentId: string,
  page: PageArguments,
  info: GraphQLResolveInfo,
) => Promise<ConnectionShape<Row> | undefined>;
type LookUps = (
  context: GraphQLContext,
  parentId: string,
  id: OwnedId,
  info: GraphQLResolveInfo,
) => Promise<Row | undefined>;
type ReadAgain = (context: GraphQLContext, id: OwnedId, info: GraphQLResolveInfo) => Promise<Row | undefined>;
type ReadInCharge<Owner> = (
  context: GraphQLContext,
  owner: Owner,
  id: OwnedId,
  info: GraphQLResolveInfo,
) => Promise<Row | undefined>;

/**
 * Where the things of a resource are, level by level, as its lists, look-ups and mutations see it: in a table of what
 * belongs to somebody (owned-store.graphql.ts), or among the memberships of a group.
 */
export interface Store<Owner extends Whose = Whose> {
  /** The kind of their ids, which is their name in the schema too. */
  readonly kind: IdKind;
  /** Describes the argument of a look-up. */
  readonly idInWords: string;
  /** The id that a caller names below a parent, and how callers see it. */
  readonly idOf: (named: string, parentId: string) => OwnedId | undefined;
  readonly publicId: (id: OwnedId) => string;

  readonly pagesAt: (level: LevelName) => Pages;
  readonly lookUpsAt: (level: LevelName) => LookUps;
  /** Reads a thing that was just made or changed. Whether the caller may see it has been decided. */
  readonly readAgainAt: (level: LevelName) => ReadAgain;
  /**
   * Reads the thing that an earlier request of the same key made, if the caller may still make it, which the statement
   * that reads it decides.
   */
  readonly readInCharge: ReadInCharge<Owner>;
  /** The columns that a document selects of them, where statements select no more. */
  readonly selected: (info: GraphQLResolveInfo) => Selection | undefined;

  /** The inputs that name the owner of a new one, beside the path. */
  readonly ownerFields: (t: InputBuilder, level: LevelName) => InputFieldMap;
  readonly newOwner: (level: LevelName, input: Input, context: GraphQLContext) => Given<Owner>;
  readonly namedOwner: (level: LevelName, input: Input, context: GraphQLContext) => Named<Owner>;
}
