import type { ObjectRef } from '@pothos/core';
import type { OwnedId } from '../core/id.ts';
import { lazily } from '../core/lazily.ts';
import {
  COUNT,
  cursorMarks,
  DEFAULT_PAGE_SIZE,
  encodeCursor,
  type KeyColumn,
  MAX_PAGE_SIZE,
  MOST_COUNTED,
  type Page,
  type PageArguments,
  type PageRequest,
  pageRequest,
} from '../core/page.ts';
import { Selection } from '../database/columns.ts';
import type { Em } from '../database/sql.ts';
import { INHERIT, PUBLIC } from '../scopes/declare.ts';
import type { Requirement } from '../scopes/requirement.ts';
import { batched, batchedForAll } from './batch.ts';
import { builder, type Types } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { COUNTED } from './limits/price.ts';

/** A page whose rows know their place: `cursorOf` names the list's key columns. */
export interface ConnectionShape<Row> extends Page<Row> {
  readonly cursorOf: (row: Row) => string;
  /** Counts the whole list, for those who ask. */
  readonly counted: () => Promise<number>;
}

/** The shape of a page with any rows: `pageInfo` is worked out field by field, as it is asked for. */
type PageInfoShape = ConnectionShape<unknown>;

/** Whoever is shown a page may know where it lies: what leads to it has its scopes, or is public. */
const PageInfo = builder.objectRef<PageInfoShape>('PageInfo').implement({
  description: 'The position of a page in its list.',
  fields: (t) => ({
    startCursor: t.string({
      nullable: true,
      requires: PUBLIC,
      description:
        'The cursor of the first entry. Send it as `before` to get the previous page. Null for an empty page.',
      resolve: (page) => cursorAt(page, 0),
    }),
    endCursor: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'The cursor of the last entry. Send it as `after` to get the next page. Null for an empty page.',
      resolve: (page) => cursorAt(page, -1),
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', {
      requires: PUBLIC,
      description: 'Whether more follow. With `last`: whether `before` was given.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      requires: PUBLIC,
      description: 'With `last`: whether more precede. Otherwise: whether `after` was given.',
    }),
  }),
});

export type ConnectionRef<Row> = ObjectRef<Types, ConnectionShape<Row>>;

/** The connection and edge types of a list (Relay's cursor connections), named after its nodes. */
export function connectionOf<Row>(node: ObjectRef<Types, Row>, name: string = node.name): ConnectionRef<Row> {
  return connectionType(node, name, INHERIT);
}

/** A list below a public field, below which everything is public; nothing else may lead to its nodes. */
export function publicConnectionOf<Row>(node: ObjectRef<Types, Row>): ConnectionRef<Row> {
  return connectionType(node, node.name, PUBLIC);
}

function connectionType<Row>(node: ObjectRef<Types, Row>, name: string, requires: Requirement): ConnectionRef<Row> {
  const Edge = builder.objectRef<{ readonly row: Row; readonly cursor: string }>(`${name}Edge`).implement({
    description: `One place of a list of \`${node.name}\`, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        requires,
        description:
          'The cursor of this entry: an opaque text for `after` and `before` of the same list, with the same filter and order.',
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
        description: 'The entries of the page, each with its cursor.',
        resolve: ({ rows, cursorOf }) => rows.map((row) => ({ row, cursor: cursorOf(row) })),
      }),
      nodes: t.field({
        type: [node],
        requires,
        description: 'The entries of the page, without cursors.',
        resolve: ({ rows }) => rows as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        requires,
        description: 'Where the page begins and ends, and whether there is more.',
        resolve: (page) => page as PageInfoShape,
      }),
      totalCount: t.int({
        nullable: true,
        requires,
        price: COUNTED,
        description: `How many entries the whole list has, on all pages. Null above ${MOST_COUNTED}, which are not counted.`,
        resolve: async ({ counted }) => unlessMore(await counted()),
      }),
      isMoreThan: t.int({
        nullable: true,
        requires,
        price: COUNTED,
        description: `${MOST_COUNTED} where \`totalCount\` is null, as the list has more entries. Otherwise null.`,
        resolve: async ({ counted }) => (unlessMore(await counted()) === null ? MOST_COUNTED : null),
      }),
    }),
  });
}

function unlessMore(count: number): number | null {
  return count > MOST_COUNTED ? null : count;
}

/** The order of a list: its key columns, as its cursors hold them, and the key of a row. */
export interface ListOrder<Row> {
  readonly columns: readonly KeyColumn[];
  readonly keyOf: (row: Row) => readonly string[];
}

/** The page of a list that is asked for, with its cursors. @throws Problem BAD_INPUT */
export async function connection<Row>(
  { columns, keyOf }: ListOrder<Row>,
  page: PageArguments,
  find: (request: PageRequest) => Promise<Page<Row>>,
): Promise<ConnectionShape<Row>> {
  return shapeOf(await find(pageRequest(page, columns)), page, keyOf, () => find(COUNT));
}

function shapeOf<Row>(
  page: Page<Row>,
  args: PageArguments,
  keyOf: ListOrder<Row>['keyOf'],
  count: () => Promise<Page<Row> | undefined>,
): ConnectionShape<Row> {
  const marks = lazily(() => cursorMarks(args));
  return {
    ...page,
    cursorOf: (row) => encodeCursor(keyOf(row), marks()),
    counted: lazily(async () => (await count())?.count ?? 0),
  };
}

/** Null: the list is to be counted. */
interface Wanted<Selected> {
  readonly page: PageArguments | null;
  readonly selection: Selected;
}

function requestOf({ page }: Wanted<unknown>, { columns }: Pick<ListOrder<never>, 'columns'>): PageRequest {
  return page ? pageRequest(page, columns) : COUNT;
}

/** The same with nothing selected: what is counted need not be shown. */
function bare<Selected>(selected: Selected): Selected {
  if (selected instanceof Selection) return new Selection(selected.entity, []) as Selected;
  if (typeof selected !== 'object' || selected === null || !('selection' in selected)) return selected;
  return { ...selected, selection: bare(selected.selection) };
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
    batched((context, parents: readonly Of[], wanted: Wanted<Selected>) =>
      load(context, parents, requestOf(wanted, order), wanted.selection),
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
    batchedForAll((em, parents, wanted: Wanted<Selected>) =>
      load(em, parents, requestOf(wanted, order), wanted.selection),
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
    return (
      found && shapeOf(found, page, keyOf, () => loadPage(context, parent, { page: null, selection: bare(selection) }))
    );
  };
}

/** `first`, `after`, `last`, `before`, for a field that lists, which passes on all its arguments: cursors hold to them. */
export function pageArguments() {
  return {
    first: builder.args((t) => ({
      first: t.int({
        description: `How many: 1 to ${MAX_PAGE_SIZE}, ${DEFAULT_PAGE_SIZE} if left out.`,
      }),
    })).first,
    after: builder.args((t) => ({
      after: t.string({
        description: 'Entries after this cursor.',
      }),
    })).after,
    last: builder.args((t) => ({
      last: t.int({ description: `How many, from the end: 1 to ${MAX_PAGE_SIZE}.` }),
    })).last,
    before: builder.args((t) => ({
      before: t.string({
        description: 'Entries before this cursor: a `startCursor`, or the `cursor` of an edge.',
      }),
    })).before,
  };
}

function cursorAt({ rows, cursorOf }: PageInfoShape, index: 0 | -1): string | null {
  const row = rows.at(index);
  return row === undefined ? null : cursorOf(row);
}
