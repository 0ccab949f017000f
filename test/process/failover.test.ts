import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import { APP, post, refresh, tokensFor } from '../support/oauth-requests.ts';
import { paced } from '../support/pace.ts';
import { POSTGRES_PROGRAMS, PostgresCluster } from '../support/postgres-cluster.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';

const NEED = 'PostgreSQL servers of its own (needs initdb in /usr/lib/postgresql)';
/** From the promotion until every connection leads to the new primary. */
const MOVED_MILLISECONDS = 5_000;
/** A process hears of what others have revoked a second later at the latest. */
const HEARD_MILLISECONDS = 1_500;
const WORKERS = 2;
const HOUR = 3_600_000;

const ENDS = ['stays up read-only', 'is frozen and comes back', 'is killed'] as const;

describe.runIf(isOnPostgres && POSTGRES_PROGRAMS !== undefined)(`a failover of ${NEED}, two workers`, () => {
  let old: PostgresCluster;
  let promoted: PostgresCluster;
  let proxy: PostgresProxy;
  let service: RunningService;
  let folder: string;
  beforeEach(async () => {
    [old, folder] = await Promise.all([PostgresCluster.start(['wal_level=replica']), temporaryFolder()]);
    promoted = await old.startStandby();
    proxy = await PostgresProxy.open(old.url);
    const limits = { RATE_LIMITS: 'off', MAIL_LIMITS: 'off' };
    const env = {
      ...SHARED,
      ...limits,
      DATA_DIR: folder,
      DATABASE_URL: proxy.url,
      LOG_LEVEL: 'info',
      WORKERS: String(WORKERS),
    };
    service = await startService(env);
  }, 120_000);
  afterEach(async () => {
    await service?.kill('SIGKILL');
    await proxy?.cut();
    await Promise.all([old?.stop(), promoted?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  test.each(ENDS)(
    'in which the old primary %s: nothing is answered that is not so',
    { timeout: 150_000 },
    async (end) => {
      const ledger = await Ledger.open(service.url);
      await pause(2_000);
      const before = ledger.done();
      if (end === 'stays up read-only') await old.becomeReadOnly();
      else if (end === 'is frozen and comes back') await old.freeze();
      else await old.crash();
      await pause(500);
      await promoted.promote();
      proxy.lead(promoted.url);
      const from = performance.now();
      await expect.poll(isReady, { timeout: paced(MOVED_MILLISECONDS), interval: 50 }).toBe(true);
      await pause(Math.max(0, from + paced(MOVED_MILLISECONDS) - performance.now()));
      if (end === 'is frozen and comes back') await old.thaw();
      // The processes of one that stood still see only then that their clients have gone.
      await expect
        .poll(() => (end === 'is killed' ? 0 : connectionsTo(old)), { timeout: paced(MOVED_MILLISECONDS) })
        .toBe(0);
      const atMoved = ledger.done();
      await pause(2_500);
      const after = await ledger.close();
      expect(ledger.untrue).toEqual([]);
      for (const kind of ['written', 'booked', 'refreshed'] as const) {
        expect(before[kind], `${kind} before`).toBeGreaterThan(0);
        expect(after[kind] - atMoved[kind], `${kind} afterwards`).toBeGreaterThan(0);
      }
      expect(await isReady()).toBe(true);
      expect(service.output()).not.toMatch(/A worker died|fatal/i);
    },
  );

  async function isReady(): Promise<boolean> {
    return (await fetch(`${service.url}/health/ready`)).status === 200;
  }
});

/** A process that waits for a standby to confirm its commit waits for ever, since that one was promoted; its client has gone. */
function connectionsTo(cluster: PostgresCluster): Promise<number> {
  return cluster.operate(async (onlooker) => {
    const found = await onlooker.query(
      `select from pg_stat_activity
       where backend_type = 'client backend' and application_name <> 'operator' and wait_event is distinct from 'SyncRep'`,
    );
    return found.rowCount ?? 0;
  });
}

interface Done {
  readonly written: number;
  readonly booked: number;
  readonly refreshed: number;
  readonly revoked: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Clients that write down what they were told was done, and what they are told then that contradicts it. */
class Ledger {
  readonly untrue: string[] = [];
  readonly #url: string;
  readonly #clients: Promise<void>[] = [];
  readonly #done = { written: 0, booked: 0, refreshed: 0, revoked: 0 };
  #isOver = false;

  private constructor(url: string) {
    this.#url = url;
  }

  static async open(url: string): Promise<Ledger> {
    const ledger = new Ledger(url);
    const ada = await TestBrowser.signedIn(url, 'ada@acme.test');
    const chains = [await tokensFor(ada, APP), await tokensFor(ada, APP)];
    const grants = [];
    for (let n = 0; n < 12; n += 1) grants.push(await tokensFor(ada, APP));
    const eventTypeId = await ledger.#eventTypeOf('ada');
    ledger.#clients.push(
      ledger.#write(ada, eventTypeId),
      ledger.#book(await ledger.#eventTypeOf('bob'), 0),
      ledger.#book(await ledger.#eventTypeOf('cyd'), 1),
      ...chains.map(({ refresh_token: token }) => ledger.#refresh(token)),
      ledger.#revoke(grants.map(({ access_token: token }) => token)),
    );
    return ledger;
  }

  done(): Done {
    return { ...this.#done };
  }

  async close(): Promise<Done> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    return this.done();
  }

  /** Titles that are numbers: whoever reads finds the last one that was acknowledged, or a later one. */
  async #write(ada: TestBrowser, eventTypeId: string): Promise<void> {
    const change = `mutation ($input: EventTypeUpdateInput!) {
      eventTypeUpdate(input: $input) { eventType { title } userErrors { code } } }`;
    for (let n = 1; !this.#isOver; n += 1) {
      const input = { eventTypeId, title: `Title ${n}` };
      const written = await this.#ask(change, { input }, { cookie: ada.cookie });
      if (!isToComeBack(written) && !written.text.includes(`"title":"Title ${n}"`)) this.#isUntrue('write', written);
      if (isToComeBack(written)) continue;
      this.#done.written += 1;
      const found = await this.#ask('query ($id: ID!) { publicEventType(by: { id: $id }) { title } }', {
        id: eventTypeId,
      });
      if (!isToComeBack(found) && !found.text.includes(`"title":"Title ${n}"`)) this.#isUntrue('read', found);
    }
  }

  async #book(eventTypeId: string, lane: number): Promise<void> {
    const slots = await this.#slotsOf(eventTypeId);
    for (let n = 0; !this.#isOver && n < slots.length; n += 1) {
      const attendee = { name: 'Grace', email: `grace-${lane}-${n}@example.test`, timeZone: 'UTC' };
      const booked = await this.#ask(
        'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code } } }',
        { input: { eventTypeId, start: slots[n], attendee } },
      );
      const uid = /"uid":"([^"]+)"/.exec(booked.text)?.[1];
      if (uid === undefined) {
        if (!isToComeBack(booked)) this.#isUntrue('book', booked);
        continue;
      }
      this.#done.booked += 1;
      const found = await this.#ask('query ($uid: String!) { publicBooking(uid: $uid) { uid } }', { uid });
      if (!isToComeBack(found) && !found.text.includes(uid)) this.#isUntrue('find', found);
      await pause(20);
    }
  }

  /** A token that was given out is good, until the next one was. */
  async #refresh(first: string): Promise<void> {
    for (let token = first; !this.#isOver; ) {
      const answer = await refresh(this.#url, APP, token).catch(() => undefined);
      if (!answer || isToComeBack(answer)) {
        await pause(20);
        continue;
      }
      if (answer.status !== 200) return this.#isUntrue('refresh', answer);
      this.#done.refreshed += 1;
      token = answer.body.refresh_token;
      const me = await this.#ask(ME, {}, { authorization: `Bearer ${answer.body.access_token}` });
      if (!isToComeBack(me) && me.status !== 200) this.#isUntrue('use', me);
    }
  }

  /** A token that was revoked is dead, in every process. */
  async #revoke(tokens: readonly string[]): Promise<void> {
    const dead: { readonly token: string; readonly since: number }[] = [];
    for (let n = 0; !this.#isOver; n += 1) {
      const token = tokens[Math.floor(n / 4)];
      if (token !== undefined && n % 4 === 0) {
        const revoked = await post(this.#url, { ...APP, token }, { path: '/v2/auth/oauth2/revoke' }).catch(() => GONE);
        if (revoked.status === 200) dead.push({ token, since: performance.now() });
        else if (!isToComeBack(revoked)) this.#isUntrue('revoke', revoked);
        this.#done.revoked = dead.length;
      }
      const heard = dead.filter(({ since }) => performance.now() > since + HEARD_MILLISECONDS);
      for (const { token: one } of heard) {
        const me = await this.#ask(ME, {}, { authorization: `Bearer ${one}` });
        if (!isToComeBack(me) && me.status !== 401) this.#isUntrue('use of what was revoked', me);
      }
      await pause(100);
    }
  }

  async #eventTypeOf(username: string): Promise<string> {
    const { text } = await this.#ask(
      `{ publicEventType(by: { ofUser: { username: "${username}", slug: "intro" } }) { id } }`,
      {},
    );
    return /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
  }

  async #slotsOf(eventTypeId: string): Promise<readonly string[]> {
    const now = Temporal.Now.instant().epochMilliseconds;
    const [start, end] = [3, 40].map((days) => new Date(now + days * 24 * HOUR).toISOString());
    const query =
      'query ($id: ID!, $start: DateTime!, $end: DateTime!) { slots(eventType: { id: $id }, start: $start, end: $end) { start } }';
    const { text } = await this.#ask(query, { id: eventTypeId, start, end });
    return [...text.matchAll(/"start":"([^"]+)"/g)].map(([, found = '']) => found);
  }

  async #ask(query: string, variables: object, credentials: Readonly<Record<string, string>> = {}): Promise<Answer> {
    try {
      const response = await fetch(`${this.#url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credentials },
        body: JSON.stringify({ query, variables }),
      });
      const answer = { status: response.status, text: await response.text() };
      if (isToComeBack(answer)) await pause(20);
      return answer;
    } catch {
      return GONE;
    }
  }

  #isUntrue(what: string, { status, text }: Answer): void {
    this.untrue.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
}

const GONE: Answer = { status: 503, text: 'gone' };
const ME = '{ me { id } }';

/** It says that it cannot be told now, or that it may have been done. */
function isToComeBack({ status }: Answer): boolean {
  return status === 503 || status === 504;
}
