import { metricText } from '../../core/metric.ts';
import type { Caller } from '../context.ts';

/** Client and part. With more, what is new counts under `other`, so that what reads the metrics need not fear for its memory. */
const MOST_SERIES = 1_000;
const ONE_DAY = 86_400_000;

interface Series {
  readonly caller: Caller['kind'] | 'other';
  /** The client whose tokens were used. */
  readonly client: string;
  readonly coordinate: string;
  count: number;
  loggedAt: number;
}

type Use = Pick<Series, 'caller' | 'client' | 'coordinate'>;

/** Counts how often each client has used deprecated parts since the process began. */
export class UseCounts {
  readonly #series = new Map<string, Series>();
  readonly #log: (use: Use) => void;
  readonly #now: () => number;

  /** `log` hears of a client and a part at most once in a day. `now`: milliseconds of a clock that never goes back */
  constructor(log: (use: Use) => void, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  add(caller: Caller, coordinate: string): void {
    const client = caller.kind === 'token' ? caller.clientId : '';
    const series = this.#find(caller.kind, client, coordinate);
    series.count += 1;
    const now = this.#now();
    if (now - series.loggedAt < ONE_DAY) return;
    series.loggedAt = now;
    this.#log({ caller: series.caller, client: series.client, coordinate });
  }

  #find(caller: Caller['kind'], client: string, coordinate: string): Series {
    const known = this.#series.get(`${caller} ${client} ${coordinate}`);
    if (known) return known;
    const isFull = this.#series.size >= MOST_SERIES;
    const use: Use = isFull ? { caller: 'other', client: '', coordinate } : { caller, client, coordinate };
    return this.#series.getOrInsertComputed(`${use.caller} ${use.client} ${coordinate}`, () => ({
      ...use,
      count: 0,
      loggedAt: Number.NEGATIVE_INFINITY,
    }));
  }

  /** In the text format of Prometheus, version 0.0.4. `worker`: which of several processes this is */
  metrics(worker?: number): string {
    const name = 'gatehouse_deprecated_uses_total';
    const help = 'Operations that used a deprecated part of the schema.';
    const samples = [...this.#series.values()].map(({ caller, client, coordinate, count }) => ({
      labels: { worker, caller, client, part: coordinate },
      value: count,
    }));
    return metricText({ name, type: 'counter', help }, samples);
  }
}
