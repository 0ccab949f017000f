import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../core/problem.ts';
import { retryHeaders, statusOf } from '../database/failure.ts';
import { type Authenticate, isRefusedAnyway } from '../graphql/context.ts';
import { tooManyRequests } from '../graphql/errors.ts';
import { countedAs, type RateLimit, rateLimitHeaders } from '../limits/request-limit.ts';
import { explain } from '../scopes/explain.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import type { ClientScopes } from '../scopes/scope-advice.ts';
import { isJson, readText } from '../screens/kit/request.ts';
import type { Visitors } from '../screens/kit/visitors.ts';
import { openToScripts } from './open-to-scripts.ts';
import { refusalOfCredentials } from './shown-credentials.ts';

const PATH = '/graphql/scopes';

export interface ExplainSettings {
  /** The schema that tokens see: nothing of what it hides is told here. */
  readonly rules: SchemaRules;
  readonly findClientScopes: (clientId: string, viewerId: string | undefined) => Promise<ClientScopes | undefined>;
  /** The visitors' sessions: a client's owner is told more of it than others. */
  readonly visitors: Visitors;
  readonly authenticate: Authenticate;
  readonly addressOf: (c: Context) => string;
  /** Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
}

interface Question {
  readonly query: string;
  readonly operationName?: string | null;
  readonly clientId?: string | null;
}

/** Explains what an operation requires, to any caller: nothing is executed and no token is needed. */
export function explainRoutes(settings: ExplainSettings): Hono {
  const routes = new Hono();
  routes.use(PATH, openToScripts(['POST'], ['Retry-After', 'WWW-Authenticate']));
  routes.post(PATH, async (c) => {
    const refusal = await refusalOfCredentials(c, settings.authenticate);
    const limited = await limitedAnswer(c, settings);
    if (limited && !(refusal && isRefusedAnyway(refusal))) return limited;
    if (refusal) return errorAnswer(c, refusal.status, refusal.code, refusal.message, refusal.headers);
    const answer = await answerTo(await readQuestion(c.req.raw), c.req.raw, settings);
    return 'errors' in answer
      ? c.json({ errors: answer.errors.map(withCode) }, 400, { 'Cache-Control': 'no-store' })
      : c.json(answer, 200, { 'Cache-Control': 'no-store' });
  });
  routes.all(PATH, (c) => errorAnswer(c, 405, 'METHOD_NOT_ALLOWED', `${PATH} takes POST.`, { Allow: 'POST, OPTIONS' }));
  routes.onError((error, c) => {
    if (!(error instanceof Problem)) throw error;
    return errorAnswer(c, statusOf(error), error.code, error.message, retryHeaders(error));
  });
  return routes;
}

async function answerTo({ query, operationName, clientId }: Question, request: Request, settings: ExplainSettings) {
  const viewer = clientId == null ? undefined : await settings.visitors.sessionOf(request);
  const client = clientId == null ? undefined : await settings.findClientScopes(clientId, viewer?.userId);
  if (clientId != null && !client) {
    throw new Problem('NOT_FOUND', 'No client has this clientId; copy it from the developer settings.', ['clientId']);
  }
  return explain(settings.rules, { query, operationName: operationName ?? null, ...(client && { client }) });
}

async function readQuestion(request: Request): Promise<Question> {
  if (!isJson(request)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the question as JSON: Content-Type: application/json.');
  }
  const text = await readText(request);
  const question = jsonOf(text);
  if (isQuestion(question)) return question;
  throw new Problem(
    'BAD_REQUEST',
    'Send a JSON object with query and, if you like, operationName and clientId, all of them strings, and nothing else.',
  );
}

function isQuestion(value: unknown): value is Question {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { query, operationName, clientId, ...unknown } = value as Readonly<Record<string, unknown>>;
  const areTexts = [operationName, clientId].every((one) => one == null || typeof one === 'string');
  return typeof query === 'string' && areTexts && Object.keys(unknown).length === 0;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever asks, the address is what counts here. */
const ANONYMOUS = { kind: 'anonymous' } as const;

async function limitedAnswer(c: Context, { rateLimit, addressOf }: ExplainSettings): Promise<Response | undefined> {
  if (!rateLimit) return undefined;
  const verdict = await rateLimit.requests.take(
    countedAs({ caller: ANONYMOUS, address: addressOf(c) }, rateLimit.rates),
  );
  for (const [name, value] of Object.entries(rateLimitHeaders(verdict))) c.header(name, value);
  if (verdict.isAllowed) return undefined;
  const { message, extensions } = tooManyRequests(verdict);
  return errorAnswer(c, 429, String(extensions['code']), message);
}

/** The document is at fault, whatever about it: clients branch on the code and show the message. */
function withCode<Mistake extends object>(mistake: Mistake) {
  return { ...mistake, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
}

/** Errors look as GraphQL's do, because those of the document are. */
function errorAnswer(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return c.json({ errors: [{ message, extensions: { code } }] }, status, { 'Cache-Control': 'no-store', ...headers });
}
