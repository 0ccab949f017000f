import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may take for what is its client's part, and how much may wait for clients. */
export interface ConnectionLimits {
  /** A whole request, head and body, has this long to arrive; Node then answers 408. */
  readonly requestMilliseconds: number;
  /** Without a byte in either direction this long, a connection is closed; longer than any answer is worked on. */
  readonly idleMilliseconds: number;
  /** From the time that it is worked on, an answer has this long to be taken, however slowly it is read. */
  readonly answerMilliseconds: number;
  /** Requests that may wait on one connection for the answer before theirs; with one more it is closed. */
  readonly pipelinedRequests: number;
  /** Bytes of all answers of this process that were not taken yet; beyond, those that have taken longest are closed. */
  readonly unreadBytes: number;
  /** Connections of this process; one more is closed at once. */
  readonly connections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  requestMilliseconds: 15_000,
  idleMilliseconds: 30_000,
  answerMilliseconds: 60_000,
  pipelinedRequests: 20,
  unreadBytes: 64_000_000,
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
  const watch = setInterval(() => unread.keepBelow(limits.unreadBytes), Math.min(1_000, idleMilliseconds / 3)).unref();
  const timed: RequestListener = (request, response) => {
    const { socket } = request;
    // One byte a second is progress, too.
    const late = setTimeout(() => socket.destroy(), answerMilliseconds).unref();
    unread.add(response, socket);
    response.on('close', () => {
      clearTimeout(late);
      unread.remove(response);
    });
    listener(request, response);
  };
  const server = createServer(
    { requestTimeout: requestMilliseconds, headersTimeout: requestMilliseconds, connectionsCheckingInterval: checked },
    oneAfterAnother(timed, limits.pipelinedRequests),
  );
  server.setTimeout(idleMilliseconds);
  server.maxConnections = connections;
  return server.on('close', () => clearInterval(watch));
}

/**
 * Requests that a client sends ahead, before it has the answer to the first (pipelining), are worked on in their order:
 * all of their answers at once would be in memory until the first one is read.
 */
function oneAfterAnother(listener: RequestListener, mostWaiting: number): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = (): void => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : lines.get(socket)?.shift();
        if (next) next();
        else lines.delete(socket);
      });
      listener(request, response);
    };
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      begin();
    } else if (line.length < mostWaiting) {
      line.push(begin);
    } else {
      socket.destroy();
    }
  };
}

/** The answers that are under way, the oldest first. */
class UnreadAnswers {
  readonly #sockets = new Map<ServerResponse, Socket>();

  add(response: ServerResponse, socket: Socket): void {
    this.#sockets.set(response, socket);
  }

  remove(response: ServerResponse): void {
    this.#sockets.delete(response);
  }

  /** While more waits to be read, closes the connection that has taken longest: who reads is done long before. */
  keepBelow(most: number): void {
    const waiting = [...this.#sockets].map(([{ writableLength }, socket]) => ({ bytes: writableLength, socket }));
    let sum = waiting.reduce((total, { bytes }) => total + bytes, 0);
    for (const { bytes, socket } of waiting) {
      if (sum <= most) return;
      if (bytes === 0) continue;
      socket.destroy();
      sum -= bytes;
    }
  }
}
