/** One request that a plan or a refusal may answer, with its answer (listener.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OperationTypeNode } from 'graphql';
import { atEndOfTurn } from '../../core/turns.ts';
import { Ending, GivenUp, statementsUntil } from '../../database/deadline.ts';
import { Place, sharedAnswers, TooMuchAtOnce } from '../../limits/large-work.ts';
import type { RequestVerdict } from '../../limits/request-limit.ts';
import type { Authentication } from '../authentication.ts';
import type { Introspection } from '../compiled/introspection.ts';
import type { KnownOperation, PlannedQuery, QueryPlans } from '../compiled/query-plans.ts';
import { askingOf, type Caller, filledBy, type GraphQLContext, type Outcomes } from '../context.ts';
import { API_HEADERS } from '../cors.ts';
import type { Announcement, Announcements } from '../deprecation/announcements.ts';
import { maskError } from '../errors.ts';
import { type Cost, type CostBudget, costError } from '../limits/cost-budget.ts';
import { type Begun, EXECUTION_SECONDS, timeoutError } from '../limits/deadline.ts';
import type { Documents } from '../limits/documents.ts';
import { LIMITS } from '../limits/limits.ts';
import type { OperationLimits } from '../limits/operation-limits.ts';
import { countedAs, type RateLimit, rateLimitHeaders, type TakenVerdicts } from '../rate-limit.ts';
import type { Refusals } from '../refusals.ts';
import { addressParams } from '../request/address-params.ts';
import type { Text } from '../writers/write.ts';
import { bodyParams, type Params, usable, withBody } from './request-params.ts';
import { type WrittenRefusal, type WrittenRefusals, writeError } from './written-refusal.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface CompiledOptions {
  readonly endpoint: string;
  readonly plans: QueryPlans;
  readonly documents: Documents;
  readonly limits: OperationLimits;
  readonly refusals: Refusals;
  readonly introspection: Introspection;
  readonly announcements: Pick<Announcements, 'note'>;
  /** The caller, where that is known at once: an anonymous one, or a token that was seen before. */
  readonly recall: (request: IncomingMessage) => Authentication | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly verdicts: TakenVerdicts;
  /** When they began to run. */
  readonly begun: Begun;
  /** The results of their mutations, for operations that Yoga has to answer after all. */
  readonly outcomes: WeakMap<IncomingMessage, Outcomes>;
  readonly contextOf: (
    caller: Caller,
    address: string,
    budget: CostBudget,
    outcomes: Outcomes | undefined,
  ) => GraphQLContext;
}

type ExchangeOptions = CompiledOptions & { readonly written: WrittenRefusals };

/**
 * One request with its answer. Most are answered in one go, so nothing is a promise that need not be: what is at hand is
 * taken at once, and who has to wait comes back by a callback.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #otherwise: Listener;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** Undefined by GET. */
  readonly #bytes: Buffer | undefined;
  readonly #type: string;
  #verdict: RequestVerdict | undefined;
  #begunAt: number | undefined;
  #outcomes: Outcomes | undefined;
  #budget: CostBudget | undefined;
  /** Noted when the answer is written: what Yoga answers, it notes itself. */
  #announced: { readonly announcement: Announcement; readonly caller: Caller } | undefined;

  constructor(
    options: ExchangeOptions,
    otherwise: Listener,
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer | undefined,
    type: string,
  ) {
    this.#options = options;
    this.#otherwise = otherwise;
    this.#request = request;
    this.#response = response;
    this.#bytes = bytes;
    this.#type = type;
  }

  begin(): void {
    this.#orLeave(() => this.#recognize());
  }

  /** Whatever cannot be said here is Yoga's to say. */
  #orLeave(step: () => void): void {
    try {
      step();
    } catch {
      this.#leave();
    }
  }

  #leave(): void {
    this.#budget?.done();
    // It has gone away meanwhile: nobody waits for what Yoga would say.
    if (this.#response.destroyed) return;
    const { verdicts, begun, outcomes } = this.#options;
    if (this.#verdict) verdicts.set(this.#request, this.#verdict);
    if (this.#begunAt !== undefined) begun.set(this.#request, this.#begunAt);
    if (this.#outcomes) outcomes.set(this.#request, this.#outcomes);
    this.#otherwise(this.#bytes ? withBody(this.#request, this.#bytes) : this.#request, this.#response);
  }

  #recognize(): void {
    const { recall, rateLimit } = this.#options;
    const params = usable(this.#bytes ? bodyParams(this.#bytes) : addressParams(this.#request.url ?? ''));
    const authentication = params && recall(this.#request);
    if (!params || !authentication) return this.#leave();
    const { caller, address } = authentication;
    if (caller.kind === 'refused') return this.#leave();
    const sender = { caller, address };
    if (!rateLimit) return this.#find(params, sender);
    const verdict = rateLimit.requests.take(countedAs(authentication, rateLimit.rates));
    if (!(verdict instanceof Promise)) return this.#counted(params, sender, verdict);
    verdict.then(
      (told) => this.#orLeave(() => this.#counted(params, sender, told)),
      () => this.#leave(),
    );
  }

  #counted(params: Params, sender: Sender, verdict: RequestVerdict): void {
    this.#verdict = verdict;
    if (!verdict.isAllowed) return this.#leave();
    this.#find(params, sender);
  }

  /**
   * Looks for a plan. An operation that comes for the first time is Yoga's; from the second time on it is parsed and
   * planned here, once its caller was counted.
   */
  #find({ query, operationName, variables }: Params, { caller, address }: Sender): void {
    const { documents, plans } = this.#options;
    const by = filledBy(caller);
    const document = documents.again(query, by);
    const operation = document && plans.find(document, operationName ?? undefined, by);
    if (!operation || (!this.#bytes && isMutation(operation))) return this.#leave();
    this.#judge({ operation, sent: variables ?? NO_VARIABLES, caller, address });
  }

  #judge(asked: Asked): void {
    const { limits, refusals, written } = this.#options;
    const { operation, caller, sent } = asked;
    const cost = costWithinLimits(limits, operation, sent);
    if (!cost) return this.#leave();
    const announcement = operation.announce?.(sent);
    if (announcement) this.#announced = { announcement, caller };
    const refusal = refusals.of(operation.required, caller);
    if (!refusal) return this.#enter(asked, cost);
    written.of(refusal, operation.required, this.#type).then(
      ({ status, headers, text }) => this.#answer(status, headers, text),
      () => this.#leave(),
    );
  }

  /** Large operations wait for each other, before anything is done for them. */
  #enter(asked: Asked, cost: Cost): void {
    const { operation, sent, caller, address } = asked;
    const { query } = operation;
    if (operation.isIntrospection) return this.#introspect(asked, cost);
    const variables = query?.variablesOf(sent);
    if (!query?.breaker.letsThrough || !variables) return this.#leave();
    const budget = this.#options.limits.budget(new Place(askingOf(caller, address)));
    budget.spend(cost.requested);
    const ending = new Ending();
    this.#budget = budget;
    const room = budget.room(() => ending.signal);
    const run = (): void => this.#run(query, variables, asked, budget, ending);
    if (!room) return run();
    this.#response.once('close', () => ending.end(new GivenUp('The client has gone away.')));
    room.then(
      () => this.#orLeave(run),
      (error: unknown) => this.#failed(error),
    );
  }

  #introspect({ operation: { required, operationName }, caller, address }: Asked, cost: Cost): void {
    const { limits, introspection, contextOf } = this.#options;
    const budget = limits.budget();
    budget.spend(cost.requested);
    const answer = introspection.answer(
      required.document,
      operationName,
      contextOf(caller, address, budget, undefined),
    );
    if (!answer) return this.#leave();
    if (Buffer.isBuffer(answer)) return this.#showBytes(answer);
    answer.then(
      (bytes) => this.#orLeave(() => this.#showBytes(bytes)),
      (error: unknown) => this.#failed(error),
    );
  }

  #run(
    query: PlannedQuery,
    variables: Readonly<Record<string, unknown>>,
    { caller, address }: Asked,
    budget: CostBudget,
    ending: Ending,
  ): void {
    this.#begunAt = performance.now();
    if (query.isMutation) this.#outcomes = new Map();
    const failed = (error: unknown): void => {
      if (!(error instanceof TooMuchAtOnce)) query.breaker.failed();
      this.#failed(error);
    };
    const written = (data: string): void => {
      query.breaker.succeeded();
      const { requested, limit } = budget.cost;
      this.#show(`{"data":${data},"extensions":{"cost":{"requested":${requested},"limit":${limit}}}}`);
    };
    const { contextOf } = this.#options;
    let text: Text;
    try {
      text = statementsUntil(ending, () =>
        query.run({ context: contextOf(caller, address, budget, this.#outcomes), variables, ending }),
      );
    } catch (error) {
      return failed(error);
    }
    if (typeof text === 'string') written(text);
    else this.#wait(text, ending, written, failed);
  }

  /** A query that was not begun for want of room is told so here: Yoga would have it wait once more. */
  #failed(reason: unknown): void {
    if (!(reason instanceof TooMuchAtOnce) || this.#outcomes || this.#response.destroyed) return this.#leave();
    this.#budget?.done();
    writeError(maskError(reason, NOBODY), this.#type).then(
      ({ status, headers, text }) => this.#answer(status, headers, text),
      () => this.#leave(),
    );
  }

  /** Until it is written, or nobody waits for it any more, or it has taken too long. */
  #wait(
    text: Promise<string>,
    ending: Ending,
    written: (data: string) => void,
    failed: (error: unknown) => void,
  ): void {
    let isOver = false;
    const once = (then: () => void) => (): void => {
      if (isOver) return;
      isOver = true;
      ending.done();
      then();
    };
    const isLate = ending.endAfter(EXECUTION_SECONDS * 1_000, () => timeoutError(EXECUTION_SECONDS));
    isLate.catch((error: unknown) => once(() => failed(error))());
    this.#response.on(
      'close',
      once(() => {
        ending.end(new GivenUp('The client has gone away.'));
        this.#budget?.done();
      }),
    );
    text.then(
      (data) => once(() => written(data))(),
      (error: unknown) => once(() => failed(error))(),
    );
  }

  #show(text: string): void {
    const length = Buffer.byteLength(text);
    if (length > LIMITS.answerBytes) return this.#leave();
    const headers = { 'content-type': `${this.#type}; charset=utf-8`, 'content-length': length };
    // A text that has as many bytes as characters is ASCII, and goes out as it is.
    this.#answer(200, headers, text, length === text.length ? 'latin1' : 'utf8');
  }

  #showBytes(bytes: Buffer): void {
    sharedAnswers.add(this.#response);
    this.#answer(200, { 'content-type': `${this.#type}; charset=utf-8`, 'content-length': bytes.length }, bytes);
  }

  #answer(
    status: number,
    headers: WrittenRefusal['headers'],
    text: string | Buffer,
    encoding: BufferEncoding = 'utf8',
  ): void {
    const counted = this.#verdict && rateLimitHeaders(this.#verdict);
    const { announcement, caller } = this.#announced ?? {};
    if (announcement && caller) this.#options.announcements.note(announcement, caller);
    const all = { ...headers, ...API_HEADERS, ...counted, ...announcement?.headers };
    const response = this.#response.writeHead(status, all);
    atEndOfTurn(() => {
      response.end(text, encoding);
      this.#budget?.done();
    });
  }
}

interface Sender {
  readonly caller: Caller;
  readonly address: string;
}

/** The operation that was asked for, and its sender. */
interface Asked extends Sender {
  readonly operation: KnownOperation;
  readonly sent: Readonly<Record<string, unknown>>;
}

const NO_VARIABLES = {};

/** For failures that are nobody's fault. */
const NOBODY = (): void => undefined;

function isMutation({ required: { operation } }: KnownOperation): boolean {
  return operation.operation === OperationTypeNode.MUTATION;
}

/** Undefined for what is over a limit. */
function costWithinLimits(
  limits: OperationLimits,
  { required, operationName }: KnownOperation,
  sent: Readonly<Record<string, unknown>>,
): Cost | undefined {
  if (sent !== NO_VARIABLES && limits.variablesError(sent)) return undefined;
  const cost = limits.cost(required.rules.schema, required.document, operationName, sent);
  return cost && !costError(cost) ? cost : undefined;
}
