import { setTimeout as pause } from 'node:timers/promises';

const HOSTS = ['ada', 'bob', 'cyd', 'dan'] as const;
/** A client that was sent away comes back soon. */
const RETRY_MILLISECONDS = 25;
/** Between two requests of a client, while nobody looks at how many are served. */
const REST_MILLISECONDS = 50;
/** Longer than any answer may take. */
const TIMEOUT_MILLISECONDS = 30_000;

/** Event types that are read, bookings and their cancellations, and `/health/live`, which needs no database. */
type Kind = 'read' | 'write' | 'probe';

interface Answer {
  readonly at: number;
  readonly kind: Kind;
  readonly isServed: boolean;
  readonly what: string;
}

/** How clients were served within a time. */
export interface Service {
  /** For each probe in the same time, so that a busy machine does not count. */
  readonly reads: number;
  readonly writes: number;
  /** The requests that were not served, each in words. */
  readonly failures: readonly string[];
}

/**
 * Clients of the demo data that read, book and cancel, each after the answer to its last request. They rest only during
 * long troubles, which would otherwise keep the machine busy with refusals.
 */
export class Load {
  readonly #url: string;
  readonly #answers: Answer[] = [];
  readonly #clients: Promise<void>[] = [];
  #isOver = false;
  #restInMilliseconds = 0;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Two clients that book and one that reads, for each of four hosts. */
  static async start(url: string): Promise<Load> {
    const load = new Load(url);
    for (const host of HOSTS) {
      const { id, slots } = await load.#openingOf(host);
      for (const parity of [0, 1]) {
        const own = slots.filter((_, index) => index % 2 === parity);
        load.#clients.push(load.#book(id, own, `${host}${parity}@example.test`));
      }
      load.#clients.push(load.#read(host));
    }
    load.#clients.push(load.#probe());
    return load;
  }

  /** The service in so many milliseconds, from now on. */
  async serviceFor(milliseconds: number): Promise<Service> {
    const from = performance.now();
    await pause(milliseconds);
    return this.#serviceSince(from);
  }

  /** The requests that were not served while `trouble` lasts, by clients that rest between their requests. */
  async failuresDuring(trouble: () => Promise<unknown>): Promise<readonly string[]> {
    const from = performance.now();
    this.#restInMilliseconds = REST_MILLISECONDS;
    await trouble();
    this.#restInMilliseconds = 0;
    return this.#serviceSince(from).failures;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  #serviceSince(from: number): Service {
    const answers = this.#answers.filter(({ at }) => at >= from);
    const served = (kind: Kind): number => answers.filter((answer) => answer.isServed && answer.kind === kind).length;
    return {
      reads: served('read') / served('probe'),
      writes: served('write') / served('probe'),
      failures: answers.filter(({ isServed }) => !isServed).map(({ what }) => what),
    };
  }

  async #openingOf(host: string): Promise<{ id: string; slots: readonly string[] }> {
    const [from, to] = [3, 40].map((days) => Temporal.Now.instant().add({ hours: 24 * days }));
    const { publicEventType } = await this.#data(
      `{ publicEventType(by: { ofUser: { username: "${host}", slug: "intro" } }) { id } }`,
      {},
    );
    const { id } = publicEventType as { readonly id: string };
    const { slots } = await this.#data(
      'query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }',
      { id, from: from?.toString({ smallestUnit: 'second' }), to: to?.toString({ smallestUnit: 'second' }) },
    );
    return { id, slots: (slots as { readonly start: string }[]).map(({ start }) => start) };
  }

  /** A slot after the other, and each is free again at once. Of what was lost on the way, nobody knows whether it was done. */
  async #book(eventTypeId: string, slots: readonly string[], email: string): Promise<void> {
    const attendee = { name: 'Grace', email, timeZone: 'UTC' };
    for (let n = 0; !this.#isOver; n += 1) {
      const start = slots[n % slots.length];
      const booked = await this.#ask(
        'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code } } }',
        { input: { eventTypeId, start, attendee } },
      );
      const uid = /"uid":"([^"]+)"/.exec(booked)?.[1];
      if (uid === undefined) continue;
      await this.#ask(
        'mutation ($input: BookingCancelInput!) { bookingCancel(input: $input) { userErrors { code } } }',
        { input: { uid } },
      );
    }
  }

  async #read(username: string): Promise<void> {
    const query = 'query ($username: String!) { publicEventTypes(username: $username) { nodes { slug title } } }';
    while (!this.#isOver) await this.#ask(query, { username });
  }

  async #probe(): Promise<void> {
    while (!this.#isOver) await this.#note('probe', () => fetch(`${this.#url}/health/live`));
  }

  #ask(query: string, variables: object): Promise<string> {
    return this.#note(query.startsWith('mutation') ? 'write' : 'read', () => this.#post(query, variables));
  }

  async #note(kind: Kind, send: () => Promise<Response>): Promise<string> {
    try {
      const response = await send();
      const text = await response.text();
      const isServed = response.status === 200 && (kind === 'probe' || text.startsWith('{"data"'));
      this.#answers.push({ at: performance.now(), kind, isServed, what: `${response.status} ${text}` });
      const restInMilliseconds = isServed ? this.#restInMilliseconds : RETRY_MILLISECONDS + this.#restInMilliseconds;
      if (restInMilliseconds > 0) await pause(restInMilliseconds);
      return text;
    } catch (error) {
      this.#answers.push({ at: performance.now(), kind, isServed: false, what: `no answer: ${String(error)}` });
      await pause(RETRY_MILLISECONDS);
      return '';
    }
  }

  async #data(query: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
    const { data } = (await (await this.#post(query, variables)).json()) as { data: Record<string, unknown> };
    return data;
  }

  #post(query: string, variables: object): Promise<Response> {
    return fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
  }
}
