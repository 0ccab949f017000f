import type { OutboundKind } from './outcome.ts';

interface Count {
  calls: number;
  seconds: number;
}

/** How many calls were made, of which kind, with which end, and how long they took: since the process began. */
export class CallCounts {
  readonly #counts = new Map<string, Count>();

  add(kind: OutboundKind, { status, latencyInMs }: { readonly status?: number; readonly latencyInMs: number }): void {
    const end = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
    const count = this.#counts.getOrInsertComputed(`kind="${kind.toLowerCase()}",answer="${end}"`, () => ({
      calls: 0,
      seconds: 0,
    }));
    count.calls += 1;
    count.seconds += latencyInMs / 1_000;
  }

  metrics(worker?: number): string {
    const process = worker === undefined ? '' : `worker="${worker}",`;
    const all = [...this.#counts];
    return [
      ...described('gatehouse_outbound_calls_total', 'Calls to servers of others, by what they answered.'),
      ...all.map(([labels, { calls }]) => `gatehouse_outbound_calls_total{${process}${labels}} ${calls}`),
      ...described('gatehouse_outbound_seconds_total', 'How long these calls took together.'),
      ...all.map(
        ([labels, { seconds }]) => `gatehouse_outbound_seconds_total{${process}${labels}} ${seconds.toFixed(3)}`,
      ),
      '',
    ].join('\n');
  }
}

function described(name: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`];
}
