/**
 * The door on Node's own request and response: what nearly all requests look like is read and answered here, at a fraction of
 * what Web requests cost. Whatever looks otherwise, and callers who have to be looked up, are Yoga's (server.ts): it gets the
 * request as it came, with the body that was read, before anything was done for it.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLParams } from 'graphql-yoga';
import { bytesOfText, hasRoomFor } from '../core/caches.ts';
import { holdsMore } from '../core/json-text.ts';
import { atEndOfTurn } from '../core/turns.ts';
import { sharedAnswers } from '../limits/large-work.ts';
import { readIncoming } from '../limits/read-at-most.ts';
import type { Refusal } from '../scopes/authorize.ts';
import type { Authentication } from './context.ts';
import { API_HEADERS } from './cors.ts';
import { Operation, type Outcome, type Refusals, resultResponse, type Shared } from './operation.ts';
import { addressParams, answerType, isJson, MAX_BODY_BYTES, MOST_BODY_VALUES, prefersPage } from './request.ts';
import { namesDocument } from './trusted-documents.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

interface ListenerOptions extends Shared {
  readonly endpoint: string;
  /** Finds the caller where that takes no statement: an anonymous one, or the bearer of a token that was seen before. */
  readonly recall: (request: IncomingMessage) => Authentication | undefined;
}

const EMPTY = Buffer.alloc(0);

export function answeringOperations(options: ListenerOptions, otherwise: Listener): Listener {
  const answers = new Answers(options);
  return (request, response) => {
    const type = typeOfAnswer(request, options.endpoint);
    if (type === undefined) return otherwise(request, response);
    if (request.method === 'GET') {
      return answers.begin(request, response, type, undefined) || otherwise(request, response);
    }
    // No more than was announced comes in.
    return readIncoming(request, MAX_BODY_BYTES, (bytes = EMPTY) => {
      if (!answers.begin(request, response, type, bytes)) otherwise(withBody(request, bytes), response);
    });
  };
}

class Answers {
  readonly #options: ListenerOptions;
  readonly #refusals: WrittenRefusals;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#refusals = new WrittenRefusals(options.refusals);
  }

  /** Whether the request is answered here. */
  begin(request: IncomingMessage, response: ServerResponse, type: string, bytes: Buffer | undefined): boolean {
    const { recall, trustedDocuments } = this.#options;
    const params = paramsOf(request, bytes, trustedDocuments !== undefined);
    const authentication = params && recall(request);
    if (!params || !authentication || authentication.caller.kind === 'refused') return false;
    const operation = new Operation(this.#options, { authentication, isByGet: bytes === undefined });
    response.on('close', () => operation.done());
    this.#answer(operation, params, response, type);
    return true;
  }

  /** Most are answered in one go, so that nothing is a promise that need not be. */
  #answer(operation: Operation, params: GraphQLParams, response: ServerResponse, type: string): void {
    const show = (outcome: Outcome): void => this.#show(operation, outcome, response, type);
    const fail = (error: unknown): void => show(operation.failure(error));
    try {
      const counting = operation.count();
      const outcome = counting
        ? counting.then(() => operation.answer(operation.ask(params)))
        : operation.answer(operation.ask(params));
      if (outcome instanceof Promise) outcome.then(show, fail);
      else show(outcome);
    } catch (error) {
      fail(error);
    }
  }

  #show(operation: Operation, outcome: Outcome, response: ServerResponse, type: string): void {
    const isShared = outcome.kind === 'SHARED';
    const send = (written: Written): void => this.#send(operation, response, written, isShared);
    const written = this.#written(outcome, type);
    if (written instanceof Promise) written.then(send, () => response.destroy());
    else send(written);
  }

  #written(outcome: Outcome, type: string): Written | Promise<Written> {
    if (outcome.kind === 'TEXT') return writtenText(outcome.text, type);
    if (outcome.kind === 'SHARED') return { ...writtenHead(outcome.bytes.length, type), body: outcome.bytes };
    if (outcome.kind === 'RESULT') return writtenResult(resultResponse(outcome, this.#options.refusals, type));
    return this.#refusals.of(outcome, type);
  }

  #send(
    operation: Operation,
    response: ServerResponse,
    { status, headers, body, encoding }: Written,
    isShared: boolean,
  ) {
    // The client has gone away meanwhile.
    if (response.destroyed) return;
    if (isShared) sharedAnswers.add(response);
    response.writeHead(status, { ...headers, ...API_HEADERS, ...operation.headers(status) });
    atEndOfTurn(() => {
      if (typeof body === 'string') response.end(body, encoding);
      else response.end(body);
      operation.done();
    });
  }
}

/** An answer as it goes out. */
interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Buffer;
  readonly encoding: BufferEncoding;
}

const REFUSAL_BYTES = 1_000;

/** The answers to refusals, each written once for all requests that get it. */
export class WrittenRefusals {
  readonly #refusals: Pick<Refusals, 'errorOf'>;
  readonly #written = new WeakMap<Refusal, Map<string, Written>>();

  constructor(refusals: Pick<Refusals, 'errorOf'>) {
    this.#refusals = refusals;
  }

  of(outcome: Outcome & { kind: 'REFUSED' }, type: string): Written | Promise<Written> {
    return this.#written.get(outcome.refusal)?.get(type) ?? this.#write(outcome, type);
  }

  async #write(outcome: Outcome & { kind: 'REFUSED' }, type: string): Promise<Written> {
    const { refusal, required } = outcome;
    const written = await writtenResult(resultResponse(outcome, this.#refusals, type));
    const known = this.#written.getOrInsertComputed(refusal, () => new Map());
    if (hasRoomFor(required.document, REFUSAL_BYTES + bytesOfText(String(written.body)))) known.set(type, written);
    return written;
  }
}

function writtenHead(length: number, type: string): Omit<Written, 'body'> {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-length': length };
  return { status: 200, headers, encoding: 'utf8' };
}

function writtenText(text: string, type: string): Written {
  const length = Buffer.byteLength(text);
  // A text with as many bytes as characters is ASCII, and goes out as it is.
  return { ...writtenHead(length, type), body: text, encoding: length === text.length ? 'latin1' : 'utf8' };
}

async function writtenResult(response: Response): Promise<Written> {
  const body = await response.text();
  const headers = { ...Object.fromEntries(response.headers), 'content-length': Buffer.byteLength(body) };
  return { status: response.status, headers, body, encoding: 'utf8' };
}

/** The media type of the answer; undefined for a request that Yoga has to look at. */
function typeOfAnswer({ method, url = '', headers }: IncomingMessage, endpoint: string): string | undefined {
  if (headers.expect !== undefined) return undefined;
  const isOurs =
    method === 'GET' ? isQuery(url, endpoint, headers) : method === 'POST' && url === endpoint && isReadable(headers);
  return isOurs ? answerType(headers.accept) : undefined;
}

function isReadable(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  if (length === undefined || !(Number(length) <= MAX_BODY_BYTES)) return false;
  return headers['content-encoding'] === undefined && isJson(headers['content-type'] ?? '');
}

function isQuery(url: string, endpoint: string, headers: IncomingHttpHeaders): boolean {
  if (url[endpoint.length] !== '?' || !url.startsWith(endpoint)) return false;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return !hasBody && !prefersPage(headers.accept);
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

const PARAMS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions']);

/** Undefined for what is wrong, which Yoga's door says. `takesDocumentId`: whether documents may be named by their hashes. */
function paramsOf(
  { url = '' }: IncomingMessage,
  bytes: Buffer | undefined,
  takesDocumentId: boolean,
): GraphQLParams | undefined {
  try {
    const params = bytes ? bodyParams(bytes) : addressParams(url, takesDocumentId);
    return isUsable(params, takesDocumentId) ? params : undefined;
  } catch {
    return undefined;
  }
}

function bodyParams(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  return holdsMore(text, MOST_BODY_VALUES) ? undefined : JSON.parse(text);
}

function isUsable(params: unknown, takesDocumentId: boolean): params is GraphQLParams {
  if (!isObject(params)) return false;
  for (const name in params) if (!PARAMS.has(name) && !(takesDocumentId && name === 'documentId')) return false;
  const { query, operationName, variables, extensions } = params;
  if (typeof query !== 'string' && !(takesDocumentId && query == null && namesDocument(params))) return false;
  if (operationName != null && typeof operationName !== 'string') return false;
  return (variables == null || isObject(variables)) && (extensions == null || isObject(extensions));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
