/**
 * Answers the queries that have a plan on Node's own request and response, before Yoga, and refuses operations that come
 * again to callers who lack scopes. It decides by the very functions that Yoga's plugins decide by (documents, limits,
 * scopes, rate limits, credentials). Whatever else there is to say, and whatever it does not know for certain, is Yoga's:
 * it gets the request as it came, with the body that was read and the verdict of the rate limit that was taken.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { giveUpAfter } from '../../database/deadline.ts';
import type { RequestVerdict } from '../../limits/request-limit.ts';
import type { Authentication } from '../authentication.ts';
import type { GraphQLContext } from '../context.ts';
import { API_HEADERS } from '../cors.ts';
import { MAX_BODY_BYTES } from '../json-body.ts';
import { type Cost, type CostBudget, costError } from '../limits/cost-budget.ts';
import { type Begun, EXECUTION_SECONDS, timeoutError } from '../limits/deadline.ts';
import type { Documents } from '../limits/documents.ts';
import { LIMITS } from '../limits/limits.ts';
import type { OperationLimits } from '../limits/operation-limits.ts';
import { countedAs, type RateLimit, rateLimitHeaders, type TakenVerdicts } from '../rate-limit.ts';
import type { Refusals } from '../refusals.ts';
import { isJson, takesJson } from '../request-rules.ts';
import type { KnownOperation, PlannedQuery, QueryPlans } from './query-plans.ts';
import { writtenRefusal } from './written-refusal.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface CompiledOptions {
  readonly endpoint: string;
  readonly plans: QueryPlans;
  readonly documents: Documents;
  readonly limits: OperationLimits;
  readonly refusals: Refusals;
  /** Who calls, where that is known at once: an anonymous caller, or a token that was seen before. */
  readonly recall: (request: IncomingMessage) => Authentication | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly verdicts: TakenVerdicts;
  /** When they began to run. */
  readonly begun: Begun;
  readonly contextOf: (authentication: Authentication, budget: CostBudget) => GraphQLContext;
}

export function answeringQueries(options: CompiledOptions, otherwise: Listener): Listener {
  return (request, response) => {
    const type = answerType(request, options.endpoint);
    if (type === undefined) return otherwise(request, response);
    const leave = (bytes: Buffer): unknown => otherwise(withBody(request, bytes), response);
    return readBody(request, (bytes) => void answerOr(leave, options, { request, response, bytes, type }));
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytes: Buffer;
  readonly type: string;
}

async function answerOr(
  leave: (bytes: Buffer) => unknown,
  options: CompiledOptions,
  exchange: Exchange,
): Promise<void> {
  const isAnswered = await answer(options, exchange).catch(() => false);
  if (!isAnswered) leave(exchange.bytes);
}

/** What the answer comes in; undefined for a request that Yoga has to look at. */
function answerType({ method, url, headers }: IncomingMessage, endpoint: string): string | undefined {
  if (method !== 'POST' || url !== endpoint) return undefined;
  const length = headers['content-length'];
  if (length === undefined || !(Number(length) <= MAX_BODY_BYTES)) return undefined;
  if (headers['content-encoding'] !== undefined || headers.expect !== undefined) return undefined;
  if (!isJson(headers['content-type'] ?? '')) return undefined;
  return typeFor(headers.accept ?? '*/*');
}

/** There are as many texts as there are kinds of clients. */
const TYPES = new LRUCache<string, { readonly type: string | undefined }>({ max: 100 });

function typeFor(accept: string): string | undefined {
  const known = TYPES.get(accept) ?? { type: takesJson(accept) ? firstOfOurs(accept) : undefined };
  if (accept.length < 500) TYPES.set(accept, known);
  return known.type;
}

/** Of the types that we answer with, the one that a caller names first; Yoga's way of reading the header. */
function firstOfOurs(accept: string): string | undefined {
  for (const entry of accept.replace(/\s/g, '').toLowerCase().split(',')) {
    const [type = '', ...params] = entry.split(';');
    const charset = params.find((param) => param.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') continue;
    const [before, after] = type.split('/');
    if (before !== '*' && before !== 'application') continue;
    const ours = after === '*' ? 'json' : OURS.find((one) => one === after);
    if (ours !== undefined) return `application/${ours}`;
  }
  return undefined;
}

const OURS = ['json', 'graphql-response+json'];

/**
 * The whole body; nothing happens when the client goes away before its end. What follows belongs to this request, and ends
 * with it (`statementsUntil`): Node tells of the end in the name of the connection.
 */
function readBody(request: IncomingMessage, then: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const done = AsyncLocalStorage.bind(then);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

/** The request as Yoga's adapter takes it once its stream is read. */
function withBody(request: IncomingMessage, bytes: Buffer): IncomingMessage {
  const body = {
    length: bytes.length,
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
  return Object.assign(request, { body });
}

interface Params {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

/** Undefined for what is not just a document, the name of an operation, and variables. */
function paramsOf(bytes: Buffer): Params | undefined {
  if (!isUtf8(bytes)) return undefined;
  const params: unknown = JSON.parse(bytes.toString());
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
  const { query, operationName, variables, ...others } = params as Record<string, unknown>;
  if (typeof query !== 'string' || Object.keys(others).length > 0) return undefined;
  if (operationName != null && typeof operationName !== 'string') return undefined;
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables))) return undefined;
  return params as Params;
}

/** Whether it was answered. @throws whatever is Yoga's to say */
async function answer(options: CompiledOptions, { request, response, bytes, type }: Exchange): Promise<boolean> {
  const params = paramsOf(bytes);
  const authentication = params && options.recall(request);
  if (!params || !authentication) return false;
  // What came for the first time is parsed after its caller was counted.
  const document = options.documents.known(params.query);
  const operation = document && options.plans.find(document, params.operationName ?? undefined);
  const { caller } = authentication;
  if (!operation || caller.kind === 'refused') return false;
  const verdict = await take(options, authentication, request);
  if (verdict && !verdict.isAllowed) return false;
  const sent = params.variables ?? NO_VARIABLES;
  const cost = costWithinLimits(options.limits, operation, sent);
  if (!cost) return false;
  const common = { ...API_HEADERS, ...(verdict && rateLimitHeaders(verdict)) };
  const refusal = options.refusals.of(operation.required, caller);
  if (refusal) {
    const { status, headers, text } = await writtenRefusal(refusal, type);
    response.writeHead(status, { ...headers, ...common }).end(text);
    return true;
  }
  const { query } = operation;
  if (!query?.breaker.letsThrough) return false;
  options.begun.set(request, performance.now());
  const text = await query.breaker.run(() => resultOf(options, query, authentication, sent, cost));
  const length = text && Buffer.byteLength(text);
  if (!length || length > LIMITS.answerBytes) return false;
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-length': length, ...common }).end(text);
  return true;
}

const NO_VARIABLES = {};

async function take(
  { rateLimit, verdicts }: CompiledOptions,
  authentication: Authentication,
  request: IncomingMessage,
): Promise<RequestVerdict | undefined> {
  if (!rateLimit) return undefined;
  const [key, rate] = countedAs(authentication, rateLimit.rates);
  const taken = rateLimit.requests.take(key, rate);
  const verdict = taken instanceof Promise ? await taken : taken;
  verdicts.set(request, verdict);
  return verdict;
}

/** Undefined for what is over a limit. */
function costWithinLimits(
  limits: OperationLimits,
  { required, operationName }: KnownOperation,
  sent: Readonly<Record<string, unknown>>,
): Cost | undefined {
  if (limits.variablesError(sent)) return undefined;
  const cost = limits.cost(required.rules.schema, required.document, operationName, sent);
  return cost && !costError(cost) ? cost : undefined;
}

/** The text of the answer. Undefined where the executor has to say what is wrong. */
async function resultOf(
  { limits, contextOf }: CompiledOptions,
  { run, variablesOf }: PlannedQuery,
  authentication: Authentication,
  sent: Readonly<Record<string, unknown>>,
  cost: Cost,
): Promise<string | undefined> {
  const variables = variablesOf(sent);
  if (!variables) return undefined;
  const budget = limits.budget();
  budget.spend(cost.requested);
  const context = contextOf(authentication, budget);
  const data = await giveUpAfter(
    EXECUTION_SECONDS * 1_000,
    async (ending) => run({ context, variables, ending }),
    tooLate,
  );
  return `{"data":${data},"extensions":${JSON.stringify({ cost: budget.cost })}}`;
}

function tooLate(): Error {
  return timeoutError(EXECUTION_SECONDS);
}
