/** The figures of one load; CPU is µs for each request. */
export interface Sample {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Requests that were not answered as they should be. */
  readonly bad: number;
  readonly cpu: number;
  readonly postgres: number;
  readonly megabytes: number;
}
