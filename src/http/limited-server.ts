/**
 * http/ is the edge for programs: connections are limited, callers told apart, REST addresses mapped onto GraphQL. oauth/ has
 * the token endpoints. It stands on the kit of screens/ and knows no journey, and no journey knows it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sharedAnswers } from '../limits/large-work.ts';

/** How long a connection may take for what is its client's part, and how much may wait for clients. */
export interface ConnectionLimits {
  /** A whole request, head and body, has this long to arrive; Node then answers 408. */
  readonly requestMilliseconds: number;
  /** During a request or its answer, without a byte in either direction this long, a connection is closed; longer than any answer is worked on. */
  readonly idleMilliseconds: number;
  /**
   * Without a request this long after an answer, a connection is closed. Longer than the minute for which proxies keep theirs
   * (nginx, HAProxy, AWS's ALB): whoever is first to close one may cut off a request that is on its way.
   */
  readonly keptAliveMilliseconds: number;
  /** From the time that it is worked on, an answer has this long to be taken, however slowly it is read. */
  readonly answerMilliseconds: number;
  /** Requests that may wait on one connection for the answer before theirs; with one more it is closed. */
  readonly pipelinedRequests: number;
  /**
   * The most bytes of answers in this process that clients have not taken yet. Beyond it, the connections that have taken longest
   * are closed.
   */
  readonly unreadBytes: number;
  /**
   * Bytes of all bodies that are announced, until they are answered. For one more, those that have not arrived are closed, the
   * oldest first; if all have arrived, it is answered 503.
   */
  readonly bodyBytes: number;
  /** The most connections of this process; one more is closed at once. */
  readonly connections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestMilliseconds: 15_000,
  idleMilliseconds: 30_000,
  keptAliveMilliseconds: 65_000,
  answerMilliseconds: 60_000,
  pipelinedRequests: 20,
  unreadBytes: 64_000_000,
  bodyBytes: 32_000_000,
  connections: 10_000,
};

/**
 * Node's server, with an end to clients who ask and never read: an answer that nobody takes stays in memory, and 150 of
 * them held 640 MB for ever.
 */
export function createLimitedServer(listener: RequestListener, limits: ConnectionLimits = CONNECTION_LIMITS): Server {
  const { requestMilliseconds, idleMilliseconds, answerMilliseconds, connections } = limits;
  const checked = Math.min(1_000, requestMilliseconds / 2);
  const unread = new UnreadAnswers();
  const look = (): void => {
    unread.endOlderThan(answerMilliseconds);
    unread.keepBelow(limits.unreadBytes);
  };
  const watch = setInterval(look, Math.min(1_000, idleMilliseconds / 3, answerMilliseconds / 3)).unref();
  const lines = new WeakMap<Socket, Line>();
  const begin: RequestListener = (request, response) => {
    const bytes = announcedBytes(request);
    const isRefused = bytes > SMALL_BODY && !unread.makeRoom(limits.bodyBytes - bytes);
    const answer = unread.add(response, isRefused ? 0 : bytes);
    response.on('close', () => {
      unread.remove(answer);
      next(request.socket);
    });
    if (isRefused) refuseBody(response);
    else listener(request, response);
  };
  /**
   * Requests that a client sends ahead, before it has the answer to the first (pipelining), are worked on in their order:
   * all of their answers at once would be in memory until the first one is read.
   */
  const oneAfterAnother: RequestListener = (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, { isBusy: true, waiting: [] });
      begin(request, response);
    } else if (!line.isBusy) {
      line.isBusy = true;
      begin(request, response);
    } else if (line.waiting.length < limits.pipelinedRequests) {
      // It begins when an answer ends, which may be while another client's is worked on, and is no part of either.
      line.waiting.push(AsyncLocalStorage.bind(() => begin(request, response)));
    } else {
      socket.destroy();
    }
  };
  const next = (socket: Socket): void => {
    const line = lines.get(socket);
    const begins = socket.destroyed ? undefined : line?.waiting.shift();
    if (begins) begins();
    else if (line) line.isBusy = false;
  };
  const server = createServer(
    {
      requestTimeout: requestMilliseconds,
      headersTimeout: requestMilliseconds,
      connectionsCheckingInterval: checked,
      keepAliveTimeout: limits.keptAliveMilliseconds,
    },
    oneAfterAnother,
  );
  server.setTimeout(idleMilliseconds);
  server.maxConnections = connections;
  return server.on('close', () => clearInterval(watch));
}

/** A body that is always taken: one form, one operation. All connections may have one. */
const SMALL_BODY = 16_000;
/** A body that comes in chunks counts as this long: the most that any body may have. */
const CHUNKED_BYTES = 1_048_576;

function announcedBytes({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length !== undefined) return Math.min(Number(length) || 0, CHUNKED_BYTES);
  return headers['transfer-encoding'] === undefined ? 0 : CHUNKED_BYTES;
}

/** The refusal is in the forms of GraphQL and of REST at once: nobody has looked yet which of them asks. */
function refuseBody(response: ServerResponse): void {
  const [code, message] = [
    'BUSY',
    'Too many large requests are being read at this moment; send this one again in 2 seconds.',
  ];
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '2', Connection: 'close' });
  response.end(JSON.stringify({ errors: [{ message, extensions: { code } }], error: { code, message } }));
}

/** The requests of one connection. */
interface Line {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

interface Answer {
  readonly response: ServerResponse;
  bodyBytes: number;
  readonly since: number;
  before: Answer | undefined;
  after: Answer | undefined;
}

/**
 * The answers that are under way, the oldest first. A list of links, because of how V8 grows a `Map`: each table that it
 * leaves behind refers to the next one, so an old one, until a full collection, keeps everything alive that was ever in it.
 */
class UnreadAnswers {
  #oldest: Answer | undefined;
  #newest: Answer | undefined;
  #bodyBytes = 0;

  add(response: ServerResponse, bodyBytes: number): Answer {
    this.#bodyBytes += bodyBytes;
    const answer: Answer = { response, bodyBytes, since: performance.now(), before: this.#newest, after: undefined };
    if (this.#newest) this.#newest.after = answer;
    else this.#oldest = answer;
    this.#newest = answer;
    return answer;
  }

  remove(answer: Answer): void {
    const { before, after, bodyBytes } = answer;
    this.#bodyBytes -= bodyBytes;
    if (before) before.after = after;
    else this.#oldest = after;
    if (after) after.before = before;
    else this.#newest = before;
    answer.before = undefined;
    answer.after = undefined;
  }

  /** Closes bodies that are still arriving until no more than this is announced. @returns whether that is so */
  makeRoom(most: number): boolean {
    if (this.#bodyBytes <= most) return true;
    for (const answer of this.#all()) {
      const { response, bodyBytes } = answer;
      if (bodyBytes <= SMALL_BODY || response.req.complete) continue;
      answer.bodyBytes = 0;
      this.#bodyBytes -= bodyBytes;
      response.req.socket.destroy();
      if (this.#bodyBytes <= most) return true;
    }
    return false;
  }

  /** One byte a second is progress, too. */
  endOlderThan(milliseconds: number): void {
    const until = performance.now() - milliseconds;
    for (const { response, since } of this.#all()) {
      if (since > until) return;
      response.req.socket.destroy();
    }
  }

  /** While more waits to be read, closes the connection that has taken longest: a client that reads is done long before. */
  keepBelow(most: number): void {
    const waiting = this.#all()
      .filter(({ response }) => !sharedAnswers.has(response))
      .map(({ response }) => ({ bytes: response.writableLength, response }));
    let sum = waiting.reduce((total, { bytes }) => total + bytes, 0);
    for (const { bytes, response } of waiting) {
      if (sum <= most) return;
      if (bytes === 0) continue;
      response.req.socket.destroy();
      sum -= bytes;
    }
  }

  #all(): readonly Answer[] {
    const all: Answer[] = [];
    for (let answer = this.#oldest; answer; answer = answer.after) all.push(answer);
    return all;
  }
}
