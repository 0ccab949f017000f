/** The purposes of calls: each has its own line in the metrics, in small letters. */
export type OutboundKind = 'WEBHOOK' | 'CALENDAR_FEED' | 'CALDAV' | 'CALENDAR' | 'OAUTH' | 'SMS' | 'CONFERENCING';

/** The outcome of a call: an answer of whatever status, or why there is none, in words for people outside. */
export type Outcome = { readonly latencyInMs: number } & (
  | { readonly status: number; readonly error?: undefined }
  | { readonly status?: undefined; readonly error: string }
);

/** A whole answer, of whatever status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly latencyInMs: number;
  readonly error?: undefined;
}

/** Why there is no whole answer. */
export interface NoAnswer {
  readonly reason: FailureReason;
  /** The same in words for people outside, which tell nothing of our own network. */
  readonly error: string;
  readonly latencyInMs: number;
}

export type FailureReason =
  | 'PRIVATE_ADDRESS'
  | 'UNKNOWN_HOST'
  | 'NO_CONNECTION'
  | 'TLS'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'ENCODED'
  | 'FAILED';

export const CONNECT_TIMEOUT_MS = 5_000;

/** Why a call has no whole answer. The message is for people outside. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** It does not say which address: that would tell of our network. */
export function privateAddress(): OutboundFailure {
  return new OutboundFailure('PRIVATE_ADDRESS', 'The address does not lead to the public internet.');
}

export function tooLarge(maxBytes: number): OutboundFailure {
  return new OutboundFailure('TOO_LARGE', `The answer is longer than ${maxBytes} bytes.`);
}

const REASONS: Readonly<Record<string, readonly [FailureReason, string]>> = {
  ENOTFOUND: ['UNKNOWN_HOST', 'The name of the host is not known.'],
  EAI_AGAIN: ['UNKNOWN_HOST', 'The name of the host could not be resolved.'],
  ECONNREFUSED: ['NO_CONNECTION', 'Nobody listens there: the connection was refused.'],
  ECONNRESET: ['NO_CONNECTION', 'The connection was broken off.'],
  UND_ERR_SOCKET: ['NO_CONNECTION', 'The connection was broken off.'],
  UND_ERR_CONNECT_TIMEOUT: ['NO_CONNECTION', `There was no connection within ${CONNECT_TIMEOUT_MS / 1_000} s.`],
  UND_ERR_HEADERS_OVERFLOW: ['TOO_LARGE', 'The headers of the answer are too long.'],
};

/** Makes a failure of an error that undici, Node or a check of ours has thrown. */
export function failureOf(error: unknown, timeoutInMs: number): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (!(error instanceof Error)) return new OutboundFailure('FAILED', 'The call failed.');
  if (error.cause instanceof OutboundFailure) return error.cause;
  const { code, name } = error as Error & { readonly code?: unknown };
  if (name === 'TimeoutError' || (/TIMEOUT/.test(String(code)) && code !== 'UND_ERR_CONNECT_TIMEOUT'))
    return new OutboundFailure('TIMEOUT', `There was no whole answer within ${timeoutInMs / 1_000} s.`);
  const text = typeof code === 'string' ? code : '';
  if (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(text))
    return new OutboundFailure('TLS', 'The TLS connection failed: look at the certificate.');
  return new OutboundFailure(...(REASONS[text] ?? (['FAILED', 'The call failed.'] as const)));
}
