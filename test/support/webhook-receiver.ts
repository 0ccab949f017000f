import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { messageMistake } from './webhook-schemas.ts';

export interface Delivered {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, delivered: Delivered) => void | Promise<void>;

export const TAKEN: Answer = (response) => void response.writeHead(204).end();

/** An HTTP server that keeps what it is sent, and answers as the test says. A message that is not as its schema says fails `close`. */
export class WebhookReceiver {
  readonly all: Delivered[] = [];
  readonly #mistakes: string[] = [];
  answer: Answer = TAKEN;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    void this.#take(request, response);
  });

  static async open(port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.#server.on('connection', (socket) => {
      receiver.#sockets.add(socket);
      socket.on('close', () => receiver.#sockets.delete(socket));
    });
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Resolves when so many have come. */
  async received(count: number): Promise<void> {
    while (this.all.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
    if (this.#mistakes.length > 0) throw new Error(`Not as schema/webhooks says: ${this.#mistakes.join('\n')}`);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivered = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    this.all.push(delivered);
    const mistake = 'webhook-signature' in request.headers ? messageMistake(delivered.body) : undefined;
    if (mistake !== undefined) this.#mistakes.push(mistake);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    await this.answer(response, delivered);
  }
}

/** The message, as a receiver reads it that verifies it by its secret. @throws where the signature is wrong */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
export function verified(secret: string, { headers, body }: Delivered): any {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
