/**
 * outbound/ is the one door through which this service calls servers of others. Their addresses come from users, so nothing
 * behind our own firewall may be reached: every address that a name resolves to is looked at, and the connection goes to
 * those that were looked at. Redirects are not followed, and time and size are limited.
 */
import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher, request as sendRequest } from 'undici';
import { once } from '../core/once.ts';
import { CallCounts } from './call-counts.ts';
import { isForbidden } from './outbound-address.ts';
import type { OutboundKind, Outcome } from './outcome.ts';
import { isPublicAddress } from './public-address.ts';

export interface OutboundSettings {
  /** Lets calls reach private addresses, and unencrypted ones: for development. */
  readonly allowsPrivate: boolean;
  /** Who calls, to whom it is called. */
  readonly userAgent: string;
  readonly timeoutInMs?: number;
  /** As `lookup` of `node:dns` with `all`; for tests. */
  readonly resolve?: Resolve;
}

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface OutboundCall {
  readonly kind: OutboundKind;
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const OUTBOUND_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of an answer nothing is kept yet; more than this of it is not waited for. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;

export class Outbound {
  readonly #settings: OutboundSettings;
  readonly #timeoutInMs: number;
  readonly #counts = new CallCounts();
  readonly #agent: () => Promise<{ readonly agent: Agent; readonly request: typeof sendRequest }>;
  #isOpen = false;

  constructor(settings: OutboundSettings) {
    this.#settings = settings;
    this.#timeoutInMs = settings.timeoutInMs ?? OUTBOUND_TIMEOUT_MS;
    // Loaded with the first call, as few processes make any.
    this.#agent = once(async () => {
      const { Agent, request } = await import('undici');
      this.#isOpen = true;
      return { agent: new Agent(this.#agentOptions()), request };
    });
  }

  /** Calls, once. Never rejects. */
  async call(call: OutboundCall): Promise<Outcome> {
    const beganAt = performance.now();
    const answer = await this.#send(call).catch((error: unknown) => ({ error: whyIn(error, this.#timeoutInMs) }));
    const outcome = { ...answer, latencyInMs: Math.round(performance.now() - beganAt) };
    this.#counts.add(call.kind, outcome);
    return outcome;
  }

  /** In the text format of Prometheus, version 0.0.4. `worker`: which of several processes this is */
  metrics(worker?: number): string {
    return this.#counts.metrics(worker);
  }

  /** Ends the connections that are open. */
  async close(): Promise<void> {
    if (this.#isOpen) await (await this.#agent()).agent.destroy();
  }

  async #send({ method, url, headers, body }: OutboundCall): Promise<{ status: number } | { error: string }> {
    // A connection to a literal address asks no resolver, so it is looked at here.
    if (isForbidden(new URL(url), this.#settings.allowsPrivate)) throw new PrivateAddress();
    const { agent, request } = await this.#agent();
    const answer = await request(url, {
      method,
      headers: { 'user-agent': this.#settings.userAgent, ...headers },
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(this.#timeoutInMs),
    });
    await drained(answer.body);
    return { status: answer.statusCode };
  }

  #agentOptions(): Agent.Options {
    return {
      connect: { lookup: this.#lookup(), timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: this.#timeoutInMs,
      bodyTimeout: this.#timeoutInMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false,
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 1_000,
    };
  }

  /** The connection goes to what this returns: what the name resolves to a moment later is not asked. */
  #lookup(): LookupFunction {
    const resolve: Resolve =
      this.#settings.resolve ?? ((hostname, options, callback) => lookup(hostname, options, callback));
    return (hostname, { all }, callback) =>
      resolve(hostname, { all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error || !first) return callback(error ?? new Error('The name has no address.'), '');
        const isPublic = addresses.every(({ address }) => isPublicAddress(address));
        if (!isPublic && !this.#settings.allowsPrivate) return callback(new PrivateAddress(), '');
        if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
  }
}

/** It does not say which address: that would tell of our network. */
class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** Read, so that its connection can serve again, and no further than a little. */
async function drained(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be resolved.',
  ECONNREFUSED: 'Nobody listens there: the connection was refused.',
  ECONNRESET: 'The connection was broken off.',
  UND_ERR_SOCKET: 'The connection was broken off.',
  UND_ERR_CONNECT_TIMEOUT: `There was no connection within ${CONNECT_TIMEOUT_MS / 1_000} s.`,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
};

function whyIn(error: unknown, timeoutInMs: number): string {
  if (!(error instanceof Error)) return 'The call failed.';
  const { code, name, cause } = error as Error & { readonly code?: unknown };
  if (name === 'PrivateAddress' || cause instanceof PrivateAddress)
    return 'The address does not lead to the public internet.';
  if (name === 'TimeoutError' || (/TIMEOUT/.test(String(code)) && code !== 'UND_ERR_CONNECT_TIMEOUT'))
    return `There was no whole answer within ${timeoutInMs / 1_000} s.`;
  const text = typeof code === 'string' ? code : '';
  if (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(text))
    return 'The TLS connection failed: look at the certificate.';
  return REASONS[text] ?? 'The call failed.';
}
