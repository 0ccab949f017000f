/** What calls are made for: each has its own line in the metrics. */
export type OutboundKind = 'webhook';

/** What became of a call: an answer of whatever status, or why there is none, in words for people outside. */
export type Outcome = { readonly latencyInMs: number } & (
  | { readonly status: number; readonly error?: undefined }
  | { readonly status?: undefined; readonly error: string }
);
