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
