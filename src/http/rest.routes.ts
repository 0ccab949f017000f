import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { RestRoute } from './openapi.ts';

/** Carries out one GraphQL request inside this process. */
export type GraphQLFetch = (request: Request, server: object) => Response | Promise<Response>;

/**
 * The paths of the specification for REST callers. Each is a fixed GraphQL document, so that it goes through the same
 * door: its scopes are those of its fields, in the same catalogue, and refused by the same guard.
 */
export const REST_ROUTES: readonly RestRoute[] = [
  {
    path: '/v2/me',
    summary: 'The authorized user’s profile; also the way to verify an access token',
    document: '{ me { id name username email timeZone weekStart timeFormat locale bio avatarUrl metadata createdAt } }',
    field: 'me',
  },
];

/** What of the GraphQL answer's head is the caller's business, on errors too. */
const PASSED_HEADERS = ['WWW-Authenticate', 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** What they send to the GraphQL endpoint. */
export const REST_DOCUMENTS = REST_ROUTES.map(({ document }) => document);

export function restRoutes(graphql: GraphQLFetch): Hono {
  const routes = new Hono();
  for (const { path, document, field } of REST_ROUTES) {
    routes.use(path, cors({ origin: '*', exposeHeaders: PASSED_HEADERS, allowHeaders: ['Authorization'] }));
    routes.get(path, async ({ req, env }) => {
      const answer = await graphql(graphqlRequest(req.raw, document), env ?? {});
      return restAnswer(answer, field);
    });
    routes.all(path, () =>
      errorAnswer(
        405,
        { Allow: 'GET, HEAD, OPTIONS' },
        { code: 'METHOD_NOT_ALLOWED', message: `${path} is read by GET.` },
      ),
    );
  }
  return routes;
}

function graphqlRequest(request: Request, document: string): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  // Only the token counts here: a session belongs to this service's own pages.
  const authorization = request.headers.get('authorization');
  if (authorization !== null) headers.set('authorization', authorization);
  const forwardedFor = request.headers.get('x-forwarded-for');
  if (forwardedFor !== null) headers.set('x-forwarded-for', forwardedFor);
  const { search } = new URL(request.url);
  return new Request(new URL(`/graphql${search}`, request.url), {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: document }),
  });
}

async function restAnswer(answer: Response, field: string): Promise<Response> {
  const body = (await answer.json()) as { data?: Record<string, unknown>; errors?: [RestError] };
  const error = body.errors?.[0];
  const headers: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  if (!error) return Response.json(body.data?.[field], { headers: { 'Cache-Control': 'no-store', ...headers } });
  const status = answer.status === 200 ? 500 : answer.status;
  const { fields: _paths, ...extensions } = error.extensions ?? {};
  return errorAnswer(status, headers, { ...extensions, message: error.message });
}

interface RestError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

function errorAnswer(status: number, headers: Record<string, string>, error: Record<string, unknown>): Response {
  return Response.json({ error }, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}
