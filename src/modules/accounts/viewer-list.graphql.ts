import type { GraphQLResolveInfo } from 'graphql';
import { type Page, type PageRequest, pageRequest } from '../../core/page.ts';
import { builder } from '../../graphql/builder.ts';
import { type ConnectionRef, connection, type ListOrder, pageArguments } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { Viewer } from './accounts.graphql.ts';

interface ViewerList<Row> {
  readonly type: ConnectionRef<Row>;
  readonly description: string;
  readonly requires: Requirement;
  readonly order: ListOrder<Row>;
  readonly find: (
    context: GraphQLContext,
    userId: string,
    request: PageRequest,
    info: GraphQLResolveInfo,
  ) => Promise<Page<Row>>;
}

/** Declares a list of the caller's own: `me { name(first: …) }`. */
export function viewerList<Row>(name: string, { order, find, ...options }: ViewerList<Row>): void {
  builder.objectField(Viewer, name, (t) =>
    t.field({
      ...options,
      nullable: true,
      args: pageArguments(),
      resolve: async ({ id }, page, context, info) =>
        connection(await find(context, id, pageRequest(page, order.columns), info), order.keyOf),
    }),
  );
}
