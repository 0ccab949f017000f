import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '../../src/cli/demo-browser.ts';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { APP, refresh, statusOf, tokensFor } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

const HOSTS = ['ada', 'bob', 'cyd'] as const;
const CHAINS = 4;
const TIMEOUT_MILLISECONDS = 30_000;
const RETRY_MILLISECONDS = 50;
/** Between two requests of a client: as many as a busy service has, and the machine can follow. */
const REST_MILLISECONDS = 20;

const BOOK = `mutation ($input: BookingCreateInput!) {
  bookingCreate(input: $input) { booking { uid } userErrors { code } } }`;
const RENAME = `mutation ($input: EventTypeUpdateInput!) {
  eventTypeUpdate(input: $input) { eventTypeId userErrors { code } } }`;

interface Booked {
  readonly uid: string;
  readonly start: string;
  readonly email: string;
}

/** Refresh tokens, each made with the one before. */
interface Chain {
  token: string;
  refreshed: number;
}

/** Titles with ascending numbers. */
interface Title {
  readonly browser: Browser;
  readonly eventTypeId: string;
  acknowledged: number;
}

/** The things that are not as they were acknowledged, in words, and how much was. */
interface Audit {
  readonly amiss: readonly string[];
  readonly acknowledged: { readonly bookings: number; readonly refreshes: number; readonly titles: number };
}

/**
 * Clients that book, refresh and rename without an end, each after the answer to its last request, at one of several
 * processes in turn. What was answered with success is written down, and must be there whatever happens; of what got no
 * answer nobody knows whether it was done.
 */
export class Ledger {
  /** Where requests go; a process that is away is to be left out or not, as a load balancer does. */
  urls: readonly string[];
  readonly booked: Booked[] = [];
  /** The answers that were neither success nor “come back”. */
  readonly untoward: string[] = [];
  readonly #chains: Chain[];
  readonly #titles: readonly Title[];
  readonly #free: string[][];
  readonly #eventTypeIds: readonly string[];
  readonly #clients: Promise<void>[] = [];
  #turn = 0;
  #isOver = false;

  private constructor(
    urls: readonly string[],
    hosts: readonly { eventTypeId: string; browser: Browser; slots: string[] }[],
    chains: Chain[],
  ) {
    this.urls = urls;
    this.#chains = chains;
    this.#eventTypeIds = hosts.map(({ eventTypeId }) => eventTypeId);
    this.#free = hosts.map(({ slots }) => slots);
    this.#titles = hosts.map(({ browser, eventTypeId }) => ({ browser, eventTypeId, acknowledged: 0 }));
  }

  /** Opens a ledger of the demo data's hosts, each with an event type of many short slots, and of an app of theirs. */
  static async open(urls: readonly [string, ...string[]]): Promise<Ledger> {
    const [url] = urls;
    const hosts = [];
    for (const host of HOSTS) {
      const browser = await Browser.signIn(url, `${host}@acme.test`, DEMO_PASSWORD);
      const input = { title: 'T0', slug: 'ledger', durationInMinutes: 5 };
      const { eventTypeCreate } = await browser.graphql<{ eventTypeCreate: { eventTypeId: string } }>(
        'mutation ($input: EventTypeCreateInput!) { eventTypeCreate(input: $input) { eventTypeId } }',
        { input },
      );
      const { eventTypeId } = eventTypeCreate;
      hosts.push({ eventTypeId, browser, slots: await manySlots(browser, eventTypeId) });
    }
    const user = await TestBrowser.signedIn(url, 'ada@acme.test');
    const chains = [];
    for (let n = 0; n < CHAINS; n += 1)
      chains.push({ token: (await tokensFor(user, APP)).refresh_token, refreshed: 0 });
    return new Ledger(urls, hosts, chains);
  }

  start(): void {
    this.#isOver = false;
    for (const [n, eventTypeId] of this.#eventTypeIds.entries()) this.#goOn(() => this.#book(eventTypeId, n));
    for (const chain of this.#chains) this.#goOn(() => this.#refresh(chain));
    for (const title of this.#titles) this.#goOn(() => this.#rename(title));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients.splice(0));
  }

  /** After the trouble: everything that was acknowledged is there, by any process, and goes on. */
  async audit(): Promise<Audit> {
    const amiss: string[] = [];
    for (const { uid, start } of this.booked) {
      const { data } = await this.#ask('query ($uid: String!) { publicBooking(uid: $uid) { start status } }', { uid });
      const found = data?.['publicBooking'] as { start: string; status: string } | null | undefined;
      if (!found) amiss.push(`The booking ${uid} is lost.`);
      else if (!Temporal.Instant.from(found.start).equals(Temporal.Instant.from(start)) || found.status !== 'ACCEPTED')
        amiss.push(`The booking ${uid} at ${start} is ${JSON.stringify(found)}.`);
    }
    for (const title of this.#titles) {
      const query = 'query ($id: ID!) { me { eventType(id: $id) { title } } }';
      const { text } = await this.#ask(query, { id: title.eventTypeId }, title.browser);
      const shown = Number(/"title":"T(\d+)"/.exec(text)?.[1]);
      if (!(shown >= title.acknowledged)) amiss.push(`Title ${title.acknowledged} is ${shown} again.`);
    }
    for (const chain of this.#chains) {
      const answer = await refresh(this.#next(), APP, chain.token);
      if (answer.status === 200) chain.token = answer.body.refresh_token;
      const status = answer.status === 200 ? await statusOf(this.#next(), answer.body.access_token) : answer.status;
      if (status !== 200) amiss.push(`A chain of ${chain.refreshed} refreshes ended with ${status}: ${answer.text}`);
    }
    const refreshes = this.#chains.reduce((sum, { refreshed }) => sum + refreshed, 0);
    const titles = this.#titles.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    return { amiss, acknowledged: { bookings: this.booked.length, refreshes, titles } };
  }

  #goOn(act: () => Promise<boolean>): void {
    const client = async (): Promise<void> => {
      while (!this.#isOver) {
        const isDone = await act().catch(() => false);
        await pause(isDone ? REST_MILLISECONDS : RETRY_MILLISECONDS);
      }
    };
    this.#clients.push(client());
  }

  async #book(eventTypeId: string, host: number): Promise<boolean> {
    const start = this.#free[host]?.shift();
    if (start === undefined) return false;
    const email = `guest${host}-${this.#free[host]?.length}@example.test`;
    const input = { eventTypeId, start, attendee: { name: 'Grace', email, timeZone: 'UTC' } };
    const { status, data, text } = await this.#ask(BOOK, { input });
    const made = data?.['bookingCreate'] as { booking: { uid: string } | null } | null | undefined;
    if (made?.booking) this.booked.push({ uid: made.booking.uid, start, email });
    else if (status !== 503 && status !== 504) this.untoward.push(`book: ${status} ${text}`);
    return made?.booking !== undefined;
  }

  async #refresh(chain: Chain): Promise<boolean> {
    const answer = await refresh(this.#next(), APP, chain.token);
    if (answer.status === 200) {
      chain.token = answer.body.refresh_token;
      chain.refreshed += 1;
    } else if (answer.status !== 503 && answer.status !== 504) {
      this.untoward.push(`refresh: ${answer.status} ${answer.text}`);
    }
    return answer.status === 200;
  }

  async #rename(title: Title): Promise<boolean> {
    const number = title.acknowledged + 1;
    const input = { eventTypeId: title.eventTypeId, title: `T${number}` };
    const { status, text } = await this.#ask(RENAME, { input }, title.browser);
    const isDone = status === 200 && text.includes('"userErrors":[]');
    if (isDone) title.acknowledged = number;
    else if (status !== 503 && status !== 504) this.untoward.push(`rename: ${status} ${text}`);
    return isDone;
  }

  /** As nobody, or in a browser that is signed in. */
  async #ask(query: string, variables: object, browser?: Browser) {
    const send = browser ? browser.get.bind(browser) : fetch;
    const response = await send(`${this.#next()}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data?: Readonly<Record<string, unknown>> | null };
    return { status: response.status, data, text };
  }

  #next(): string {
    this.#turn += 1;
    return this.urls[this.#turn % this.urls.length] ?? '';
  }
}

/** The slots of eight weeks: a client books one after the other, all through the troubles. */
async function manySlots(browser: Browser, id: string): Promise<string[]> {
  const query = `query ($id: ID!, $from: DateTime!, $to: DateTime!) {
    slots(eventType: { id: $id }, start: $from, end: $to) { start } }`;
  const begin = Temporal.Now.instant().add({ hours: 48 }).round('second');
  const starts: string[] = [];
  for (let week = 0; week < 8; week += 1) {
    const from = begin.add({ hours: week * 24 * 7 });
    const range = { id, from: from.toString(), to: from.add({ hours: 24 * 7 }).toString() };
    const { slots } = await browser.graphql<{ slots: { start: string }[] }>(query, range);
    starts.push(...slots.map(({ start }) => start));
  }
  return starts;
}
