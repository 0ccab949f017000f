import type { ObjectRef } from '@pothos/core';
import type { OwnedId } from '../core/id.ts';
import {
  DEFAULT_PAGE_SIZE,
  encodeCursor,
  type KeyColumn,
  MAX_PAGE_SIZE,
  type Page,
  type PageArguments,
  type PageRequest,
  pageRequest,
} from '../core/page.ts';
import type { Em } from '../database/sql.ts';
import { INHERIT, PUBLIC } from '../scopes/declare.ts';
import type { Requirement } from '../scopes/requirement.ts';
import { batched, batchedForAll } from './batch.ts';
import { builder, type Types } from './builder.ts';
import type { GraphQLContext } from './context.ts';

const PageInfo = pageInfoType('PageInfo', INHERIT);
// Below a public field everything is public, so what is listed there has wrappers of its own.
const PublicPageInfo = pageInfoType('PublicPageInfo', PUBLIC);

/** A page whose rows know their place: `cursorOf` names the list's key columns. */
export interface ConnectionShape<Row> extends Page<Row> {
  readonly cursorOf: (row: Row) => string;
}

/** The shape of a page with any rows: `pageInfo` is worked out field by field, as it is asked for. */
type PageInfoShape = ConnectionShape<unknown>;

export type ConnectionRef<Row> = ObjectRef<Types, ConnectionShape<Row>>;

/** The connection and edge types of a list (Relay's cursor connections), named after its nodes. */
export function connectionOf<Row>(node: ObjectRef<Types, Row>, name: string = node.name): ConnectionRef<Row> {
  return connectionType(node, name, INHERIT, PageInfo);
}

/** A list below a public field; nothing else may lead to its nodes. */
export function publicConnectionOf<Row>(node: ObjectRef<Types, Row>): ConnectionRef<Row> {
  return connectionType(node, node.name, PUBLIC, PublicPageInfo);
}

function connectionType<Row>(
  node: ObjectRef<Types, Row>,
  name: string,
  requires: Requirement,
  pageInfoRef: ObjectRef<Types, PageInfoShape>,
): ConnectionRef<Row> {
  const Edge = builder.objectRef<{ readonly row: Row; readonly cursor: string }>(`${name}Edge`).implement({
    description: `One place of a list of \`${node.name}\`, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        requires,
        description: 'This place, for `after` and `before` of the same list. It is opaque.',
      }),
      node: t.field({
        type: node,
        requires,
        description: 'The entry itself.',
        resolve: ({ row }) => row as never,
      }),
    }),
  });
  return builder.objectRef<ConnectionShape<Row>>(`${name}Connection`).implement({
    description: `A page of a list of \`${node.name}\`.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        requires,
        description: 'What is on the page, each with its cursor.',
        resolve: ({ rows, cursorOf }) => rows.map((row) => ({ row, cursor: cursorOf(row) })),
      }),
      nodes: t.field({
        type: [node],
        requires,
        description: 'What is on the page, without cursors.',
        resolve: ({ rows }) => rows as never,
      }),
      pageInfo: t.field({
        type: pageInfoRef,
        requires,
        description: 'Where the page begins and ends, and whether there is more.',
        resolve: (page) => page as PageInfoShape,
      }),
    }),
  });
}

function pageInfoType(name: string, requires: Requirement) {
  return builder.objectRef<PageInfoShape>(name).implement({
    description: 'Where a page lies in its list.',
    fields: (t) => ({
      startCursor: t.string({
        nullable: true,
        requires,
        description: 'What `before` takes for the page before this one. Null for an empty page.',
        resolve: (page) => cursorAt(page, 0),
      }),
      endCursor: t.string({
        nullable: true,
        requires,
        description: 'What `after` takes for the page after this one. Null for an empty page.',
        resolve: (page) => cursorAt(page, -1),
      }),
      hasNextPage: t.exposeBoolean('hasNextPage', {
        requires,
        description: 'Whether more follow. With `last`: whether `before` was given.',
      }),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
        requires,
        description: 'With `last`: whether more precede. Otherwise: whether `after` was given.',
      }),
    }),
  });
}

/** A page with its cursors, from the values of the key columns of a row. */
export function connection<Row>(page: Page<Row>, keyOf: (row: Row) => readonly string[]): ConnectionShape<Row> {
  return { ...page, cursorOf: (row) => encodeCursor(keyOf(row)) };
}

/** The order of a list: its key columns, as its cursors hold them, and the key of a row. */
export interface ListOrder<Row> {
  readonly columns: readonly KeyColumn[];
  readonly keyOf: (row: Row) => readonly string[];
}

interface Wanted<Selected> {
  readonly page: PageArguments;
  readonly selection: Selected;
}

/** Loads lists that stand below the rows of other lists: one statement brings a page for each of the parents. */
export function pagesBelow<Row, Selected = undefined, Of extends string | OwnedId = string>(
  order: ListOrder<Row>,
  load: (
    context: GraphQLContext,
    parents: readonly Of[],
    request: PageRequest,
    selection: Selected,
  ) => Promise<ReadonlyMap<string, Page<Row>>>,
) {
  return connectionsBy(
    order,
    batched((context, parents: readonly Of[], { page, selection }: Wanted<Selected>) =>
      load(context, parents, pageRequest(page, order.columns), selection),
    ),
  );
}

/** The same for lists that are alike for all who may see them: one statement for several requests (`batchedForAll`). */
export function pagesForAll<Row, Selected = undefined>(
  order: ListOrder<Row>,
  load: (
    em: Em,
    parents: readonly string[],
    request: PageRequest,
    selection: Selected,
  ) => Promise<ReadonlyMap<string, Page<Row>>>,
) {
  return connectionsBy(
    order,
    batchedForAll((em, parents, { page, selection }: Wanted<Selected>) =>
      load(em, parents, pageRequest(page, order.columns), selection),
    ),
  );
}

function connectionsBy<Row, Selected, Of>(
  { keyOf }: ListOrder<Row>,
  loadPage: (context: GraphQLContext, parent: Of, wanted: Wanted<Selected>) => Promise<Page<Row> | undefined>,
) {
  return async (
    context: GraphQLContext,
    parent: Of,
    page: PageArguments,
    selection: Selected,
  ): Promise<ConnectionShape<Row> | undefined> => {
    const found = await loadPage(context, parent, { page, selection });
    return found && connection(found, keyOf);
  };
}

/** `first`, `after`, `last`, `before`, for a field that lists. */
export function pageArguments() {
  return {
    first: builder.args((t) => ({
      first: t.int({
        description: `At most this many, from the start: 1 to ${MAX_PAGE_SIZE}, ${DEFAULT_PAGE_SIZE} if left out.`,
      }),
    })).first,
    after: builder.args((t) => ({
      after: t.string({
        description: 'Only what follows this cursor, which is an `endCursor` or the `cursor` of an edge.',
      }),
    })).after,
    last: builder.args((t) => ({
      last: t.int({ description: `At most this many, from the end: 1 to ${MAX_PAGE_SIZE}.` }),
    })).last,
    before: builder.args((t) => ({
      before: t.string({
        description: 'Only what precedes this cursor, which is a `startCursor` or the `cursor` of an edge.',
      }),
    })).before,
  };
}

function cursorAt({ rows, cursorOf }: PageInfoShape, index: 0 | -1): string | null {
  const row = rows.at(index);
  return row === undefined ? null : cursorOf(row);
}
