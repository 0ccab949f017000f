import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { Authenticate, Authentication } from '../../graphql/authentication.ts';
import type { InsideDoor } from '../../graphql/inside.ts';
import { hasTokenInAddress } from '../../graphql/request/address-params.ts';
import type { Visitors } from '../../screens/kit/visitors.ts';
import { openToScripts } from '../open-to-scripts.ts';
import { errorAnswer, PASSED_HEADERS, passedHeaders, restAnswer } from './answer.ts';
import { otherTimesSeen, variablesOf } from './request.ts';
import type { RestRoute } from './route.ts';

/** Carries out the documents of paths. */
export interface RestDoor {
  readonly inside: InsideDoor;
  readonly authenticate: Authenticate;
  /** Finds the caller where that takes no statement. */
  readonly recall?: ((request: IncomingMessage) => Authentication | undefined) | undefined;
}

const EXPOSED = [...PASSED_HEADERS, 'ETag', 'Location', 'Allow', 'Preference-Applied'];

/** In the order in which `Allow` lists them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;

/** The paths of a table, each answered by its document. */
export function restRoutes(
  table: readonly RestRoute[],
  door: RestDoor,
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
    for (const route of offered) routes.on(route.method, path, (c) => answered(route, c, door));
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

async function answered(route: RestRoute, c: Context, door: RestDoor): Promise<Response> {
  const { req } = c;
  const { res: response } = (c.env ?? {}) as Environment;
  const isShown = route.showing !== undefined && prefersRepresentation(req.header('prefer'));
  const query = isShown && route.showing ? route.showing() : route.document();
  const parameters = req.param() as Readonly<Record<string, string>>;
  const ifNoneMatch = req.header('if-none-match');
  const authentication = await callerOf(c, door);
  const attempt = async (read: () => Variables | Promise<Variables>): Promise<Attempt> => {
    let variables: Variables = {};
    let [unreadable, refusal]: (Problem | undefined)[] = [];
    const answer = await door.inside({
      authentication,
      response,
      async read() {
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
    });
    const answered = unreadable
      ? unreadableAnswer(unreadable, passedHeaders(answer))
      : restAnswer(answer, { route, parameters, variables, ifNoneMatch, isShown, refusal });
    return { answered, variables };
  };
  const { answered: first, variables } = await attempt(() => variablesOf(route, c));
  let last = first;
  // It has changed since one of the times that were seen, and each change compares one.
  for (const ifUpdatedAt of otherTimesSeen(c)) {
    if (last.status !== 412) break;
    const input = { ...(variables['input'] as Variables), ifUpdatedAt };
    ({ answered: last } = await attempt(() => ({ input })));
  }
  return last;
}

type Variables = Readonly<Record<string, unknown>>;

interface Attempt {
  readonly answered: Response;
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

/** The members of the environment that Node's server gives, and a request that comes otherwise has not. */
interface Environment {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
}

/** Only the token counts here: a session belongs to this service's own pages. */
async function callerOf({ req, env }: Context, { authenticate, recall }: RestDoor): Promise<Authentication> {
  const { req: incoming } = (env ?? {}) as Environment;
  // A token in the address is refused, with or without another one in the header.
  const recalled = hasTokenInAddress(req.url) || !incoming ? undefined : recall?.(incoming);
  if (recalled) return recalled;
  const headers = new Headers();
  for (const name of ['authorization', 'x-forwarded-for']) {
    const value = req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return authenticate(new Request(req.url, { headers }), env ?? {});
}
