import type { ObjectRef } from '@pothos/core';
import type { OwnedId } from '../core/id.ts';
import {
  encodeCursor,
  type KeyColumn,
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

interface PageInfoShape {
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

const PageInfo = pageInfoType('PageInfo', INHERIT);
// Below a public field everything is public, so what is listed there has wrappers of its own.
const PublicPageInfo = pageInfoType('PublicPageInfo', PUBLIC);

/** A page whose rows know their place: `cursorOf` names the list's key columns. */
export interface ConnectionShape<Row> extends Page<Row> {
  readonly cursorOf: (row: Row) => string;
}

export type ConnectionRef<Row> = ObjectRef<Types, ConnectionShape<Row>>;

/** The connection and edge types of a list (Relay's cursor connections), named after its nodes. */
export function connectionOf<Row>(node: ObjectRef<Types, Row>, name: string = node.name): ConnectionRef<Row> {
  return connectionType(node, name, INHERIT, PageInfo);
}

/** The same for a list below a public field; nothing else may lead to its nodes. */
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
    fields: (t) => ({
      cursor: t.exposeString('cursor', { requires }),
      node: t.field({ type: node, requires, resolve: ({ row }) => row as never }),
    }),
  });
  return builder.objectRef<ConnectionShape<Row>>(`${name}Connection`).implement({
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        requires,
        resolve: ({ rows, cursorOf }) => rows.map((row) => ({ row, cursor: cursorOf(row) })),
      }),
      nodes: t.field({ type: [node], requires, resolve: ({ rows }) => rows as never }),
      pageInfo: t.field({ type: pageInfoRef, requires, resolve: (page) => pageInfo(page) }),
    }),
  });
}

function pageInfoType(name: string, requires: Requirement) {
  return builder.objectRef<PageInfoShape>(name).implement({
    description: 'Where a page lies in its list.',
    fields: (t) => ({
      startCursor: t.exposeString('startCursor', { nullable: true, requires }),
      endCursor: t.exposeString('endCursor', { nullable: true, requires }),
      hasNextPage: t.exposeBoolean('hasNextPage', { requires }),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage', { requires }),
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
      first: t.int({ description: 'At most this many, from the start: 1 to 100, 25 if left out.' }),
    })).first,
    after: builder.args((t) => ({ after: t.string({ description: 'Only what follows this cursor.' }) })).after,
    last: builder.args((t) => ({ last: t.int({ description: 'At most this many, from the end: 1 to 100.' }) })).last,
    before: builder.args((t) => ({ before: t.string({ description: 'Only what precedes this cursor.' }) })).before,
  };
}

function pageInfo<Row>(page: ConnectionShape<Row>): PageInfoShape {
  const { rows, cursorOf, hasNextPage, hasPreviousPage } = page;
  const [first] = rows;
  const last = rows.at(-1);
  return {
    startCursor: first === undefined ? null : cursorOf(first),
    endCursor: last === undefined ? null : cursorOf(last),
    hasNextPage,
    hasPreviousPage,
  };
}
