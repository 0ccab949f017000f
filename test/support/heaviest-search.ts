import type { GraphQLSchema } from 'graphql';
import type { HeavyCaller } from './heavy-callers.ts';
import { type Random, RandomDocuments, randomFrom } from './random-documents.ts';
import { type Burden, CEILINGS, type WatchedService } from './watched-service.ts';

type Measure = keyof typeof CEILINGS;
const MEASURES = Object.keys(CEILINGS) as readonly Measure[];

interface Heaviest {
  readonly query: string;
  readonly burden: Burden;
}

/** A request of this caller, as it goes over the wire. */
export function requestOf({ token }: Pick<HeavyCaller, 'token'>, query: string) {
  return {
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query }),
  };
}

/** Keeps the heaviest document by each measure, and changes one of them, or begins anew. */
export class HeaviestSearch {
  readonly #service: WatchedService;
  readonly #caller: HeavyCaller;
  readonly #documents: RandomDocuments;
  readonly #random: Random;
  readonly #heaviest = new Map<Measure, Heaviest>();
  readonly #statuses = new Map<number, number>();

  constructor(service: WatchedService, schema: GraphQLSchema, caller: HeavyCaller, seed: number) {
    this.#service = service;
    this.#caller = caller;
    this.#random = randomFrom(seed);
    this.#documents = new RandomDocuments(schema, this.#random, caller.known, (type, field) =>
      caller.opens(type, field),
    );
  }

  /** Begins with what is known to be heavy. */
  async run(milliseconds: number, known: readonly string[] = []): Promise<void> {
    // Code that is not compiled yet takes longer once, for any caller.
    for (let warm = 0; warm < 50; warm += 1) await this.#burdenOf(this.#documents.write());
    for (const query of known) await this.#weigh(query);
    for (const end = performance.now() + milliseconds; performance.now() < end; ) await this.#tryOne();
  }

  get isOver(): boolean {
    return MEASURES.some((measure) => (this.#heaviest.get(measure)?.burden[measure] ?? 0) > CEILINGS[measure]);
  }

  report(): void {
    const tried = [...this.#statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(`\nThe heaviest that ${this.#caller.name} was found to send (${tried}):`);
    for (const measure of MEASURES) {
      const found = this.#heaviest.get(measure);
      if (!found) continue;
      const { blockedInMs, delayInMs, cpuInMs, bytes, grownInBytes, status } = found.burden;
      console.log(
        `  ${measure}: blocked ${blockedInMs.toFixed(0)} ms at a time (loop delay ${delayInMs.toFixed(0)} ms), ${cpuInMs.toFixed(0)} ms in all, ${bytes} bytes, ${(grownInBytes / 1e6).toFixed(0)} MB, HTTP ${status}`,
      );
      console.log(`    ${found.query.replaceAll(/\s+/g, ' ')}`);
    }
  }

  async #tryOne(): Promise<void> {
    const known = [...this.#heaviest.values()];
    const best = known[Math.floor(this.#random() * known.length)];
    await this.#weigh(best && this.#random() < 0.7 ? this.#documents.mutate(best.query) : this.#documents.write());
  }

  async #weigh(query: string): Promise<void> {
    const first = await this.#burdenOf(query);
    if (!MEASURES.some((measure) => this.#isHeavier(measure, first))) return;
    // Again: a collection of garbage, or a plan made anew, is not of this document.
    const again = await this.#burdenOf(query);
    const burden = { ...first, ...leastOf(first, again) };
    for (const measure of MEASURES)
      if (this.#isHeavier(measure, burden)) this.#heaviest.set(measure, { query, burden });
  }

  async #burdenOf(query: string): Promise<Burden> {
    const burden = await this.#service.burdenOf(requestOf(this.#caller, query));
    this.#statuses.set(burden.status, (this.#statuses.get(burden.status) ?? 0) + 1);
    if (burden.status >= 500) throw new Error(`HTTP ${burden.status} for ${query}: ${burden.text.slice(0, 500)}`);
    return burden;
  }

  #isHeavier(measure: Measure, burden: Burden): boolean {
    return burden[measure] > (this.#heaviest.get(measure)?.burden[measure] ?? 0);
  }
}

function leastOf(a: Burden, b: Burden): Pick<Burden, Measure> {
  return Object.fromEntries(MEASURES.map((measure) => [measure, Math.min(a[measure], b[measure])])) as Pick<
    Burden,
    Measure
  >;
}
