/**
 * outbound/ is the one door through which this service calls servers of others. Their addresses come from users, so nothing
 * behind our own firewall may be reached: every address that a name resolves to is looked at, and the connection goes to
 * those that were looked at. Redirects are followed only where a caller says so, and time and size are limited.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Agent, Dispatcher, request as sendRequest } from 'undici';
import { lazily } from '../core/lazily.ts';
import { metricText, type Sample } from '../core/metric.ts';
import type { Mistake } from '../core/problem.ts';
import { type Path, urlMistake } from '../core/text.ts';
import {
  CONNECTIONS_A_HOST,
  type FindService,
  guardedAgent,
  isInside,
  nameServerResolve,
  nameServerServices,
  outboundAddressMistake,
  type Resolve,
  systemResolve,
} from './guarded-addresses.ts';
import {
  type Answer,
  type FailureReason,
  failureOf,
  type NoAnswer,
  OutboundFailure,
  type OutboundKind,
  type Outcome,
  tooLarge,
} from './outcome.ts';

export interface OutboundSettings {
  /** Lets calls reach private addresses, and unencrypted ones: for development. */
  readonly allowsPrivate: boolean;
  /** The name under which servers are called. */
  readonly userAgent: string;
  /** Hosts with their ports that CalDAV may ask inside of our network, encrypted: `cloud.lan:443`. */
  readonly caldavInsideHosts?: readonly string[];
  readonly timeoutInMs?: number;
  /** For tests. */
  readonly resolve?: Resolve;
  readonly findService?: FindService;
}

interface OutboundCall extends Hop {
  readonly kind: OutboundKind;
  /** A signal that ends the call before its time. */
  readonly signal?: AbortSignal;
}

export interface OutboundLimits {
  /** For the whole call, from looking up the name to the end of the answer; 10 s unless said otherwise. */
  readonly timeoutInMs?: number;
  /** A longer answer is none; 1 MiB unless said otherwise. */
  readonly maxAnswerBytes?: number;
  /** How many redirects are followed, each by the same rules; none unless said otherwise. One more is the answer. */
  readonly follow?: number;
}

const OUTBOUND_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
/** The body of an answer that nobody reads is received up to this size, so that its connection can be used again. */
const MAX_IGNORED_BYTES = 65_536;
/** Statuses end here (RFC 9110 §15); there is no Response of a higher one. */
const LAST_STATUS = 599;
/** Answers whose body is none (Fetch §2.2.3). */
const WITHOUT_BODY = [204, 205, 304];

interface Agents {
  readonly webhooks: Agent;
  readonly caldav: Agent;
  readonly others: Agent;
  readonly request: typeof sendRequest;
}

interface Sent {
  readonly answer: Dispatcher.ResponseData;
  readonly url: string;
}

export class Outbound {
  readonly #settings: OutboundSettings;
  readonly #counts = new CallCounts();
  readonly #agents: () => Promise<Agents>;
  /** Where a domain has a service, by DNS. */
  readonly findService: FindService;
  #isOpen = false;

  constructor(settings: OutboundSettings) {
    this.#settings = settings;
    const resolve = settings.resolve ?? (settings.allowsPrivate ? systemResolve() : nameServerResolve());
    const inside = { hosts: settings.caldavInsideHosts ?? [], resolve: settings.resolve ?? systemResolve() };
    this.findService = settings.findService ?? nameServerServices();
    // Loaded with the first call, as few processes make any.
    this.#agents = lazily(async () => {
      const undici = await import('undici');
      this.#isOpen = true;
      return {
        webhooks: guardedAgent(undici, settings, resolve, null),
        caldav: guardedAgent(undici, settings, resolve, CONNECTIONS_A_HOST, inside),
        others: guardedAgent(undici, settings, resolve, CONNECTIONS_A_HOST),
        request: undici.request,
      };
    });
  }

  /** Calls, once, and tells the status alone. Never rejects. */
  async call(call: OutboundCall): Promise<Outcome> {
    const outcome = await this.#measured(call, {}, async ({ answer }) => {
      await drained(answer.body);
      return { status: answer.statusCode };
    });
    return 'reason' in outcome ? { error: outcome.error, latencyInMs: outcome.latencyInMs } : outcome;
  }

  /** Calls, once, and gives the whole answer. Never rejects. */
  ask(call: OutboundCall, limits: OutboundLimits = {}): Promise<Answer | NoAnswer> {
    return this.#measured(call, limits, async ({ answer, url }) => ({
      status: answer.statusCode,
      headers: headersOf(answer.headers),
      body: await wholeBody(answer, limits.maxAnswerBytes ?? MAX_ANSWER_BYTES),
      url,
    }));
  }

  /**
   * `ask` as a standard `fetch`, for libraries. Redirects are followed as far as both the limits and the request allow, and a request
   * may have a lower `maxAnswerBytes`.
   * It rejects with OutboundFailure where there is no whole answer, and as any `fetch` where its signal says so.
   */
  fetchOf(kind: OutboundKind, limits: OutboundLimits = {}): typeof fetch {
    return async (input, init) => {
      const request = requestOf(input, init);
      const { method, url, signal, redirect } = request;
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      const headers = Object.fromEntries(request.headers);
      const follow = redirect === 'follow' ? (limits.follow ?? 0) : 0;
      const { maxAnswerBytes: fewer = Infinity } = (init ?? {}) as OutboundLimits;
      const maxAnswerBytes = Math.min(limits.maxAnswerBytes ?? MAX_ANSWER_BYTES, fewer);
      const own = { ...limits, follow, maxAnswerBytes };
      const answer = await this.ask({ kind, method, url, headers, body, signal }, own);
      signal.throwIfAborted();
      if (answer.error !== undefined) throw new OutboundFailure(answer.reason, answer.error);
      const { status } = answer;
      if (status > LAST_STATUS) throw new OutboundFailure('FAILED', 'The status of the answer is none of HTTP.');
      const response = new Response(WITHOUT_BODY.includes(status) ? null : new Uint8Array(answer.body), answer);
      return Object.defineProperty(response, 'url', { value: answer.url });
    };
  }

  /** The mistake in the address of a CalDAV server, as far as it can be found without calling it. */
  caldavAddressMistake(path: Path, url: string): Mistake | undefined {
    const { allowsPrivate, caldavInsideHosts = [] } = this.#settings;
    const parsed = URL.parse(url);
    if (parsed && isInside(parsed, caldavInsideHosts)) return urlMistake(path, url);
    return outboundAddressMistake(path, url, allowsPrivate);
  }

  /** In the text format of Prometheus, version 0.0.4. `worker`: which of several processes this is */
  metrics(worker?: number): string {
    return this.#counts.metrics(worker);
  }

  /** Ends the connections that are open. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const { webhooks, caldav, others } = await this.#agents();
    await Promise.all([webhooks, caldav, others].map((agent) => agent.destroy()));
  }

  async #measured<Kept extends { readonly status: number }>(
    call: OutboundCall,
    { timeoutInMs = this.#settings.timeoutInMs ?? OUTBOUND_TIMEOUT_MS, follow = 0 }: OutboundLimits,
    keep: (sent: Sent) => Promise<Kept>,
  ): Promise<(Kept & { readonly latencyInMs: number; readonly error?: undefined }) | NoAnswer> {
    const beganAt = performance.now();
    const late = AbortSignal.timeout(timeoutInMs);
    const signal = call.signal ? AbortSignal.any([call.signal, late]) : late;
    const end = await this.#send(call, follow, signal)
      .then(keep)
      .catch((error: unknown) => {
        const { reason, message } = failureOf(error, timeoutInMs);
        return { reason, error: message };
      });
    const outcome = { ...end, latencyInMs: Math.round(performance.now() - beganAt) };
    this.#counts.add(call.kind, outcome);
    return outcome;
  }

  async #send(call: OutboundCall, follow: number, signal: AbortSignal): Promise<Sent> {
    const { webhooks, caldav, others, request } = await this.#agents();
    const dispatcher = call.kind === 'WEBHOOK' ? webhooks : call.kind === 'CALDAV' ? caldav : others;
    let hop: Hop = call;
    for (let left = follow; ; left -= 1) {
      const { method, url, body = null } = hop;
      const headers = { 'user-agent': this.#settings.userAgent, 'accept-encoding': 'identity', ...hop.headers };
      const answer = await request(url, {
        method,
        headers,
        body,
        dispatcher,
        signal,
      });
      const next = left > 0 ? redirected(hop, answer.statusCode, oneOf(answer.headers['location'])) : undefined;
      if (!next) return { answer, url };
      await drained(answer.body);
      hop = next;
    }
  }
}

/** Servers choose addresses, by redirects and references. @throws OutboundFailure for one that cannot be called, as it holds a password */
function requestOf(...asked: ConstructorParameters<typeof Request>): Request {
  try {
    return new Request(...asked);
  } catch (error) {
    if (error instanceof TypeError) throw new OutboundFailure('FAILED', 'The address cannot be called.');
    throw error;
  }
}

/** Read, so that its connection can serve again, and no further than a little. */
async function drained(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: MAX_IGNORED_BYTES }).catch(() => undefined);
}

/** An answer is asked for as it is. One that is compressed all the same is unpacked as far as it may be long. */
async function wholeBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const codings = [headers['content-encoding'] ?? []].flat().join().toLowerCase().split(',');
  return decoded(Buffer.concat(chunks), codings, maxBytes);
}

type Decode = (body: InputType, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** The codings of contents (RFC 9110 §8.4.1, RFC 7932, RFC 8878), in another thread, and no further than a length. */
const CODINGS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  // Some servers send deflate bare, without the frame of zlib, which begins with compression method 8 (RFC 1950 §2.2).
  deflate: (body, options) => deflated(body, options),
};
const [ZLIB, BARE] = [promisify(inflate), promisify(inflateRaw)];
/** Nobody needs more, and each is a chance to make much of little. */
const MAX_CODINGS = 2;

function deflated(body: InputType, options: { readonly maxOutputLength: number }): Promise<Buffer> {
  const [first = 0] = body as Buffer;
  return (first & 0x0f) === 8 ? ZLIB(body, options) : BARE(body, options);
}

/**
 * A body without its codings, which are named in the order in which they were applied.
 * @throws OutboundFailure for one that is longer, at any step, damaged, or of a coding that is not known
 */
async function decoded(body: Buffer, codings: readonly string[], maxBytes: number): Promise<Buffer> {
  const named = codings.map((one) => one.trim()).filter((one) => one !== '' && one !== 'identity');
  if (body.length === 0 || named.length === 0) return body;
  if (named.length > MAX_CODINGS) throw encoded('in more ways than are unpacked');
  let whole = body;
  for (const name of named.toReversed()) {
    const decode = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
    if (!decode) throw encoded('in a way that is not known');
    try {
      // oxlint-disable-next-line no-await-in-loop -- each unpacks what the one before has given
      whole = await decode(whole, { maxOutputLength: maxBytes });
    } catch (error) {
      throw (error as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
        ? tooLarge(maxBytes)
        : encoded('and cannot be unpacked');
    }
  }
  return whole;
}

function encoded(how: string): OutboundFailure {
  return new OutboundFailure('ENCODED', `The answer is compressed ${how}, though none such was asked for.`);
}

function headersOf(all: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(all)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

function oneOf(values: string | string[] | undefined): string | undefined {
  return [values].flat()[0];
}

/** One request of a call, which redirects may turn into another one. */
interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** Meant for the host that was asked, and for no other. */
const OF_ONE_HOST = ['authorization', 'cookie', 'proxy-authorization', 'host'];
const OF_A_BODY = ['content-type', 'content-length', 'content-encoding', 'content-language', 'content-location'];

/** Where an answer sends a request (Fetch §4.4, RFC 9110 §15.4); undefined: nowhere. */
function redirected(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  const next = REDIRECTS.includes(status) && location ? URL.parse(location, hop.url) : null;
  if (!next) return undefined;
  const isSameHost = next.origin === new URL(hop.url).origin;
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || ([301, 302].includes(status) && hop.method === 'POST');
  const left = [...(isSameHost ? [] : OF_ONE_HOST), ...(becomesGet ? OF_A_BODY : [])];
  return {
    method: becomesGet ? 'GET' : hop.method,
    url: next.href,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !left.includes(name.toLowerCase()))),
    body: becomesGet ? undefined : hop.body,
  };
}

/** In seconds: up to how long calls took, as they are counted together. */
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Count {
  readonly kind: string;
  readonly answer: string;
  seconds: number;
  calls: number;
  /** How many took so long and no longer, for each bound. */
  readonly within: number[];
}

interface Called {
  readonly status?: number | undefined;
  readonly reason?: FailureReason | undefined;
  readonly latencyInMs: number;
}

/** How many calls were made, of which kind, with which end, and how long they took: since the process began. */
class CallCounts {
  readonly #counts = new Map<string, Count>();

  add(kind: OutboundKind, { status, reason = 'FAILED', latencyInMs }: Called): void {
    const answer = status === undefined ? reason.toLowerCase() : `${Math.floor(status / 100)}xx`;
    const count = this.#counts.getOrInsertComputed(`${kind} ${answer}`, () => ({
      kind: kind.toLowerCase(),
      answer,
      seconds: 0,
      calls: 0,
      within: BOUNDS.map(() => 0),
    }));
    const seconds = latencyInMs / 1_000;
    count.calls += 1;
    count.seconds += seconds;
    for (const [index, bound] of BOUNDS.entries())
      count.within[index] = (count.within[index] ?? 0) + Number(seconds <= bound);
  }

  metrics(worker?: number): string {
    const samples = [...this.#counts.values()].flatMap(({ kind, answer, seconds, calls, within }): Sample[] => {
      const labels = { worker, kind, answer };
      return [
        ...within.map((value, index) => ({
          part: '_bucket' as const,
          labels: { ...labels, le: BOUNDS[index] },
          value,
        })),
        { part: '_bucket', labels: { ...labels, le: '+Inf' }, value: calls },
        { part: '_sum', labels, value: Number(seconds.toFixed(3)) },
        { part: '_count', labels, value: calls },
      ];
    });
    const help = 'Calls to servers of others, by what they answered, or why there was no answer.';
    return metricText({ name: 'gatehouse_outbound_seconds', type: 'histogram', help }, samples);
  }
}
