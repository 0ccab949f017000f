import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A way to PostgreSQL that a test controls: it can be cut and mended, it can keep back an answer, and it knows every
 * statement that went over it.
 */
export class PostgresProxy {
  /** The statements in the order in which they were sent, since the last `forget`. */
  statements: string[] = [];
  /** How many connections have come, requests to cancel among them. */
  arrived = 0;
  #target: URL;
  readonly #pairs = new Set<readonly [client: Socket, server: Socket]>();
  #listener: Server | undefined;
  #port = 0;
  readonly #greetings = new Map<Socket, string>();
  #isHushed = false;
  #withheld: { readonly text: string; readonly after: RegExp | undefined; readonly sent: () => void } | undefined;

  private constructor(target: URL) {
    this.#target = target;
  }

  static async open(databaseUrl: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(databaseUrl));
    await proxy.mend();
    return proxy;
  }

  /** The database's address by this way. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** New connections lead to this server; those that are open stay where they are. */
  lead(databaseUrl: string): void {
    this.#target = new URL(databaseUrl);
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    this.#isHushed = false;
    const listener = this.#listener;
    this.#listener = undefined;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    if (!listener) return;
    listener.close();
    await once(listener, 'close');
  }

  async mend(): Promise<void> {
    if (this.#listener) return;
    this.#listener = createServer((client) => this.#join(client));
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
    const address = this.#listener.address();
    this.#port = typeof address === 'object' && address ? address.port : 0;
  }

  /** From now on nothing comes back, on old connections or new ones, and nothing is closed: a network that lost us. */
  hush(): void {
    this.#isHushed = true;
  }

  /** The first connection that sends a statement with this text never hears of it. @returns when that was sent on */
  withholdAnswerTo(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#withheld = { text, after: undefined, sent: resolve };
    return promise;
  }

  /** The connection whose transaction has sent a statement like this never hears of its commit. @returns when that was sent on */
  withholdCommitAfter(after: RegExp): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#withheld = { text: 'commit', after, sent: resolve };
    return promise;
  }

  /** From now on answers come back again, on new connections. */
  speak(): void {
    this.#isHushed = false;
  }

  /** How many connections are open that have said this at their beginning: their application's name, for one. */
  openConnections(text: string): number {
    return [...this.#greetings.values()].filter((greeting) => greeting.includes(text)).length;
  }

  #join(client: Socket): void {
    this.arrived += 1;
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    let isDeaf = false;
    let hasSaidBefore = false;
    const reader = new StatementReader();
    client.on('data', (chunk: Buffer) => {
      if (!this.#greetings.has(client)) this.#greetings.set(client, chunk.toString('latin1'));
      for (const { statement, isAgain } of reader.read(chunk)) {
        if (!isAgain) this.statements.push(statement);
        if (this.#withheld === undefined) continue;
        const { text, after } = this.#withheld;
        hasSaidBefore ||= after?.test(statement) ?? true;
        if (!hasSaidBefore || !statement.includes(text)) continue;
        isDeaf = true;
        this.#withheld.sent();
        this.#withheld = undefined;
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => isDeaf || this.#isHushed || client.write(chunk));
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        this.#greetings.delete(client);
        for (const other of pair) other.destroy();
      });
    }
  }
}

/** Finds the statements in what a client sends: a type, a length and a text each, after one message without a type. */
class StatementReader {
  #rest = Buffer.alloc(0);
  #hasBegun = false;
  readonly #prepared = new Map<string, string>();

  read(chunk: Buffer): SentStatement[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const statements: SentStatement[] = [];
    for (;;) {
      const start = this.#hasBegun ? 1 : 0;
      if (this.#rest.length < start + 4) return statements;
      const end = start + this.#rest.readUInt32BE(start);
      if (this.#rest.length < end) return statements;
      const sent = this.#hasBegun
        ? this.#statementIn(String.fromCharCode(this.#rest[0] ?? 0), this.#rest.subarray(start + 4, end))
        : undefined;
      if (sent) statements.push(sent);
      this.#hasBegun = true;
      this.#rest = this.#rest.subarray(end);
    }
  }

  /** Query has the text alone, Parse the name of the prepared statement before it, and Bind that name after the portal's. */
  #statementIn(type: string, content: Buffer): SentStatement | undefined {
    const [first = '', second = ''] = content.toString().split('\0');
    if (type === 'Q') return { statement: first, isAgain: false };
    if (type === 'P') {
      if (first !== '') this.#prepared.set(first, second);
      return { statement: second, isAgain: false };
    }
    const statement = type === 'B' ? this.#prepared.get(second) : undefined;
    return statement === undefined ? undefined : { statement, isAgain: true };
  }
}

interface SentStatement {
  readonly statement: string;
  /** It was prepared before. */
  readonly isAgain: boolean;
}
