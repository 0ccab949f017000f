import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Arena, Running } from './arena.ts';
import type { Issuer } from './contestants.ts';
import { clientId, clientSecret, redirectUri, verifier } from './oauth-client.ts';
import type { Sample } from './sample.ts';

export const GRANTS = {
  refresh: '32 chains: each spends its refresh token and goes on with the new one',
  code: '32 clients exchange codes with PKCE',
} as const;
export type Grant = keyof typeof GRANTS;

const CHAINS = 32;

/** A request of a grant, as the client sends it. */
export function bodyOf(grant: Grant, credential: string): string {
  const client = { client_id: clientId, client_secret: clientSecret };
  const fields =
    grant === 'refresh'
      ? { grant_type: 'refresh_token', refresh_token: credential }
      : { grant_type: 'authorization_code', code: credential, redirect_uri: redirectUri, code_verifier: verifier };
  return new URLSearchParams({ ...client, ...fields }).toString();
}

async function credentials(
  arena: Arena,
  { port }: Running,
  issuer: Issuer,
  grant: Grant,
  count: number,
): Promise<string[]> {
  if (issuer.isGatehouse) return grant === 'code' ? arena.gatehouse.codes(count) : arena.gatehouse.refreshTokens(count);
  const response = await fetch(`http://127.0.0.1:${port}/seed?kind=${grant}&n=${count}`);
  if (!response.ok) throw new Error(`Making ${grant} credentials: ${response.status}`);
  return (await response.json()) as string[];
}

/** The grant works, and what was spent is refused. @throws Error */
export async function checkTokens(arena: Arena, running: Running, issuer: Issuer, grant: Grant): Promise<void> {
  const [credential = ''] = await credentials(arena, running, issuer, grant, 1);
  const connection = await KeepAlive.open(running.port, issuer.path);
  try {
    const { status, body } = await connection.post(bodyOf(grant, credential));
    const { access_token, refresh_token } = status === 200 ? (JSON.parse(body) as Record<string, unknown>) : {};
    if (!access_token || !refresh_token) throw new Error(`${running.name}, ${grant}: ${status} ${body.slice(0, 300)}`);
    if (issuer.repeats) return;
    const again = await connection.post(bodyOf(grant, credential));
    if (again.status === 200) throw new Error(`${running.name}, ${grant}: what was spent was accepted.`);
  } finally {
    connection.close();
  }
}

export async function loadTokens(
  arena: Arena,
  running: Running,
  issuer: Issuer,
  grant: Grant,
  seconds: number,
): Promise<Sample> {
  const list = await credentials(
    arena,
    running,
    issuer,
    grant,
    grant === 'code' ? issuer.codesASecond * seconds : CHAINS,
  );
  const connections = await Promise.all(
    Array.from({ length: CHAINS }, () => KeepAlive.open(running.port, issuer.path)),
  );
  const times: number[] = [];
  let bad = 0;
  const began = performance.now();
  const isOver = (): boolean => performance.now() - began > seconds * 1_000;
  const chain = async (connection: KeepAlive, first: string | undefined): Promise<void> => {
    for (let credential = first; credential !== undefined && !isOver(); ) {
      const sentAt = performance.now();
      const { status, body } = await connection.post(bodyOf(grant, credential));
      times.push(performance.now() - sentAt);
      if (status !== 200) {
        bad += 1;
        console.error(`${running.name}, ${grant}: ${status} ${body.slice(0, 200)}`);
        return;
      }
      credential = grant === 'code' ? list.pop() : /"refresh_token":"([^"]+)"/.exec(body)?.[1];
    }
  };
  const { server, postgres } = await arena.cpuOf(running, () =>
    Promise.all(connections.map((connection) => chain(connection, list.pop()))),
  );
  const took = (performance.now() - began) / 1_000;
  for (const connection of connections) connection.close();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: times.length / took,
    p50: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    bad,
    cpu: server / times.length,
    postgres: postgres / times.length,
    megabytes: arena.residentMegabytes(running),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One connection, by hand: Node's own client takes more of the processor than the servers that are measured. */
class KeepAlive {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #resolve: ((answer: Answer) => void) | undefined;

  private constructor(socket: Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('error', (error) => this.#answer({ status: 0, body: error.message }));
    socket.on('close', () => this.#answer({ status: 0, body: 'closed' }));
    socket.on('data', (chunk: string) => this.#read(chunk));
  }

  static async open(port: number, path: string): Promise<KeepAlive> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const type = 'application/x-www-form-urlencoded';
    return new KeepAlive(socket, `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\n`);
  }

  post(body: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#resolve = resolve;
    this.#socket.write(`${this.#head}Content-Length: ${body.length}\r\n\r\n${body}`);
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [head, rest] = [this.#received.slice(0, end), this.#received.slice(end + 4)];
    const status = Number(head.slice(9, 12));
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    if (length !== undefined && rest.length >= Number(length)) this.#answer({ status, body: rest });
    else if (length === undefined && rest.endsWith('0\r\n\r\n')) {
      this.#answer({ status, body: rest.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/gi, '') });
    }
  }

  #answer(answer: Answer): void {
    this.#received = '';
    this.#resolve?.(answer);
    this.#resolve = undefined;
  }
}
