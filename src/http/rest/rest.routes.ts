import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { InsideRequest } from '../../graphql/request/inside-request.ts';
import { openToScripts } from '../open-to-scripts.ts';
import type { Visitors } from '../visitors.ts';
import { errorAnswer, PASSED_HEADERS, passedHeaders, restAnswer } from './answer.ts';
import { CREDENTIALS } from './query-parameters.ts';
import { otherTimesSeen, variablesOf } from './request.ts';
import type { RestRoute } from './route.ts';

/** Carries out one GraphQL request inside this process. */
export type GraphQLFetch = (request: Request, server: object) => Response | Promise<Response>;

const EXPOSED = [...PASSED_HEADERS, 'ETag', 'Location', 'Allow', 'Preference-Applied'];

/** In the order in which `Allow` lists them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;

/** The paths of a table, each answered by its document. */
export function restRoutes(
  table: readonly RestRoute[],
  graphql: GraphQLFetch,
  visitors: Pick<Visitors, 'countRequest'>,
): Hono {
  const routes = new Hono();
  const paths = Map.groupBy(table, ({ path }) => path);
  for (const [path, offered] of paths) {
    const methods = METHODS.filter((one) =>
      offered.some(({ method }) => method === one || (method === 'GET' && one === 'HEAD')),
    );
    const allow = [...methods, 'OPTIONS'].join(', ');
    routes.use(path, allowHeader(allow), openToScripts(methods, EXPOSED));
    for (const route of offered) routes.on(route.method, path, (c) => answered(route, c, graphql));
    routes.all(path, async (c) => {
      const error = {
        code: 'METHOD_NOT_ALLOWED',
        message: `${c.req.method} is not possible here; there are ${allow}.`,
      };
      return (await visitors.countRequest(c, undefined)) ?? errorAnswer(405, { Allow: allow }, error);
    });
  }
  // Addresses below that are none: they are counted as those that GraphQL answers, and scripts of other sites can read it.
  routes.use('/v2/*', async (c, next) => {
    const tooMany = await visitors.countRequest(c, undefined);
    if (tooMany) c.res = tooMany;
    else await next();
    if (!c.res.headers.has(OPEN)) c.res.headers.set(OPEN, '*');
  });
  return routes;
}

const OPEN = 'Access-Control-Allow-Origin';

/** Adds `Allow` to answers to OPTIONS. */
function allowHeader(allow: string): MiddlewareHandler {
  return (c, next) => {
    if (c.req.method === 'OPTIONS') c.header('Allow', allow);
    return next();
  };
}

async function answered(route: RestRoute, c: Context, graphql: GraphQLFetch): Promise<Response> {
  const { req, env } = c;
  const isShown = route.showing !== undefined && prefersRepresentation(req.header('prefer'));
  const query = isShown && route.showing ? route.showing() : route.document();
  const parameters = req.param() as Readonly<Record<string, string>>;
  const ifNoneMatch = req.header('if-none-match');
  const attempt = async (read: () => Variables | Promise<Variables>): Promise<Attempt> => {
    let variables: Variables = {};
    let [unreadable, refusal]: (Problem | undefined)[] = [];
    const inside: InsideRequest = {
      async readParams() {
        try {
          variables = await read();
        } catch (error) {
          if (error instanceof Problem) unreadable = error;
          throw error;
        }
        return { query, variables };
      },
      onRefusal: (problem) => {
        refusal = problem;
      },
    };
    const answer = await graphql(graphqlRequest(req.raw), { ...env, ...inside });
    const response = unreadable
      ? unreadableAnswer(unreadable, passedHeaders(answer))
      : await restAnswer(answer, { route, parameters, variables, ifNoneMatch, isShown, refusal });
    return { response, variables };
  };
  const { response, variables } = await attempt(() => variablesOf(route, c));
  let last = response;
  // It has changed since one of the times that were seen, and each change compares one.
  for (const ifUpdatedAt of otherTimesSeen(c)) {
    if (last.status !== 412) break;
    const input = { ...(variables['input'] as Variables), ifUpdatedAt };
    ({ response: last } = await attempt(() => ({ input })));
  }
  return last;
}

type Variables = Readonly<Record<string, unknown>>;

interface Attempt {
  readonly response: Response;
  readonly variables: Variables;
}

function unreadableAnswer(problem: Problem, headers: Readonly<Record<string, string>>): Response {
  const [{ code, message, path }] = problem.mistakes;
  const status = path?.[0] === 'If-Match' && code === 'CONFLICT' ? 412 : statusOf(problem);
  return errorAnswer(status, headers, { code, message, ...(path && { path }) });
}

/** RFC 7240 §4.2 */
function prefersRepresentation(prefer: string | undefined): boolean {
  return prefer !== undefined && /(?:^|[,;])\s*return\s*=\s*"?representation"?\s*(?:[,;]|$)/i.test(prefer);
}

/** The request to GraphQL's door; what it asks is read there. */
function graphqlRequest(request: Request): Request {
  // In this type, a request that is refused has a status that says so (GraphQL over HTTP).
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/graphql-response+json' });
  // Only the token counts here: a session belongs to this service's own pages.
  for (const name of ['authorization', 'x-forwarded-for']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { search, searchParams } = new URL(request.url);
  // A token in the address is refused where GraphQL's door refuses it.
  const shown = searchParams.has(CREDENTIALS) ? search : '';
  return new Request(new URL(`/graphql${shown}`, request.url), { method: 'POST', headers });
}
