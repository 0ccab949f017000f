/** Clients that talk to a server with limits as they please: they send ahead, or read slowly, or not at all. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type ConnectionLimits, createLimitedServer } from '../../src/http/limited-server.ts';

const FOR_EVER = 60_000;
/** Stands for the seconds of the table: nobody waits for a minute. */
export const SHORT = 300;
const GENEROUS: ConnectionLimits = {
  requestMilliseconds: FOR_EVER,
  idleMilliseconds: FOR_EVER,
  keptAliveMilliseconds: FOR_EVER,
  answerMilliseconds: FOR_EVER,
  pipelinedRequests: 1_000,
  unreadBytes: 1e12,
  bodyBytes: 4_000_000,
  connections: 1_000,
};

/** More than the buffers of a connection on any machine take; all answers are this one, so that tests hold it once. */
export const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
export const small: RequestListener = (_request, response) => void response.end('small');
export const large: RequestListener = (_request, response) => void response.end(LARGE);

export const askFor = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
export const ASK = askFor('/');

export interface Client {
  readonly socket: Socket;
  /** Resolves once the server has closed the connection: a client that does not read hears nothing of that. */
  readonly closed: Promise<void>;
}

export interface Talk<Result> {
  readonly listener: RequestListener;
  readonly limits: Partial<ConnectionLimits>;
  readonly act: (open: () => Promise<Client>) => Promise<Result>;
}

export async function talk<Result>({ listener, limits, act }: Talk<Result>): Promise<Result> {
  const server = createLimitedServer(listener, { ...GENEROUS, ...limits }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  /** By the port of the client. */
  const ends = new Map<number | undefined, () => void>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.on('close', () => ends.get(remotePort)?.());
  });
  try {
    return await act(async () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      ends.set(socket.localPort, resolve);
      return { socket: socket.on('error', () => undefined), closed };
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  }
}

/** The text that comes until the other side closes, or until enough has come. */
export async function heard(socket: Socket, isEnough: (text: string) => boolean = () => false): Promise<string> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('data', (part) => {
    text += part.toString('latin1');
    if (isEnough(text)) resolve();
  });
  socket.on('close', () => resolve());
  await promise;
  return text;
}
