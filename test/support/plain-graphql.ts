/** The GraphQL server over any schema, all of whose fields are for anybody: what it does beside scopes. */
import { type GraphQLSchema, isObjectType } from 'graphql';
import type { Authentication } from '../../src/graphql/context.ts';
import type { GuardedSchema } from '../../src/graphql/operation.ts';
import { type GraphQLServer, type GraphQLServerOptions, graphqlServer } from '../../src/graphql/server.ts';
import { PUBLIC } from '../../src/scopes/declare.ts';
import { withRequirement } from '../../src/scopes/directive.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';

export const ANONYMOUS: Authentication = { caller: { kind: 'anonymous' }, address: '192.0.2.1' };

export function forAnybody(schema: GraphQLSchema): GuardedSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      field.extensions = withRequirement({ extensions: field.extensions }, PUBLIC, field.name).extensions ?? {};
  }
  return { schema, rules: rulesOf(schema) };
}

export function plainGraphql(schema: GraphQLSchema, options: Partial<GraphQLServerOptions> = {}): GraphQLServer {
  const guarded = forAnybody(schema);
  return graphqlServer({
    forTokens: guarded,
    forSessions: guarded,
    authenticate: async () => ANONYMOUS,
    resource: { realm: 'test', resourceMetadata: 'https://gatehouse.test' },
    em: { fork: () => undefined } as never,
    publicUrl: 'http://gatehouse.test',
    failedRequests: { note: () => undefined } as never,
    announcements: { of: () => undefined, note: () => undefined } as never,
    modules: {} as never,
    report: (_id, error) => console.error(error),
    elsewhere: () => new Response(null, { status: 404 }),
    ...options,
  });
}

/** Posts a body; `accept` says how its answer comes. */
export async function post(
  { fetch }: Pick<GraphQLServer, 'fetch'>,
  body: unknown,
  accept = 'application/json',
): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept };
  return fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body: JSON.stringify(body) }), {});
}
