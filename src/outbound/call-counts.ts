import { metricText, type Sample } from '../core/metric.ts';
import type { FailureReason, OutboundKind } from './outcome.ts';

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
export class CallCounts {
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
