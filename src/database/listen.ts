import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { inTime } from '../core/in-time.ts';
import { apartFromCaller } from './deadline.ts';

/** Hears a channel until it is stopped. `onMessage` also runs when messages may have been missed: it says "look again". */
export type Listen = (channel: string, onMessage: () => void) => Promise<StopListening>;
export type StopListening = () => Promise<void>;

/** As much of PGlite as listening takes. */
interface EmbeddedDatabase {
  listen(channel: string, onMessage: () => void): Promise<() => Promise<void>>;
}

const SHORTEST_PAUSE_IN_MS = 100;
const LONGEST_PAUSE_IN_MS = 1_000;
const FAREWELL_MS = 1_000;
/** A server that is silent for longer has lost us, or is frozen. */
const TIMEOUT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;

/** For the embedded database, whose one connection hears itself. */
export function listenOnEmbedded(open: () => Promise<EmbeddedDatabase>): Listen {
  return async (channel, onMessage) => {
    // A message is delivered in the middle of the commit that sends it; what it causes is no part of that transaction.
    const outside = AsyncLocalStorage.snapshot();
    return (await open()).listen(channel, () => outside(onMessage));
  };
}

/**
 * Listens on PostgreSQL, on one connection of its own for all channels: one from the pool would be handed to others, and a pooler
 * between (PgBouncer) forgets who listens. The connection is opened again by itself; until then the callers' own polls have to
 * do.
 */
export function listenOnPostgres(databaseUrl: string, pool?: Pool): Listen {
  const listener = new Listener(databaseUrl, pool?.watch);
  pool?.onOwnChange((channel) => listener.notify(channel));
  pool?.watch.onMove(() => listener.renew());
  return (channel, onMessage) => listener.add({ channel, onMessage });
}

/** The connections of this process beside the listener's. */
interface Pool {
  /** Tells what they change themselves, before that is told to be made. */
  onOwnChange(hear: (channel: string) => void): void;
  readonly watch: Watch & { onMove(renew: () => void): void };
}

/** Takes a connection for one to the server to write to, now or still. @throws Error if it leads elsewhere */
interface Watch {
  admit(ask: (statement: string) => Promise<readonly object[]>): Promise<unknown>;
  listenTo(client: Client): void;
}

interface ChannelListener {
  readonly channel: string;
  readonly onMessage: () => void;
}

class Listener {
  readonly #databaseUrl: string;
  readonly #watch: Watch | undefined;
  readonly #listeners = new Set<ChannelListener>();
  #client: Client | undefined;
  #pauseInMs = SHORTEST_PAUSE_IN_MS;
  #retry: NodeJS.Timeout | undefined;
  #looks: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(databaseUrl: string, watch: Watch | undefined) {
    this.#databaseUrl = databaseUrl;
    this.#watch = watch;
  }

  /** Never rejects: a listener that cannot connect tries again, so a database that is away at first does no harm. */
  async add(listener: ChannelListener): Promise<StopListening> {
    this.#listeners.add(listener);
    if (this.#client) await this.#hear(this.#client, [listener]);
    else if (!this.#retry) await this.#connect();
    return () => this.#remove(listener);
  }

  notify(channel: string): void {
    for (const listener of this.#listeners) if (listener.channel === channel) listener.onMessage();
  }

  /** Listens to another server from now on. The messages of the old one may be out of date. */
  renew(): void {
    if (this.#listeners.size === 0) return;
    if (this.#client) this.#lost(this.#client, 0);
    for (const { onMessage } of this.#listeners) onMessage();
  }

  async #remove(listener: ChannelListener): Promise<void> {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#retry);
    clearInterval(this.#looks);
    this.#retry = undefined;
    this.#looks = undefined;
    const client = this.#client;
    this.#client = undefined;
    if (client) await endSoon(client);
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    const client = new Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: 5_000,
      application_name: 'gatehouse listener',
    });
    this.#client = client;
    client.on('notification', ({ channel }) => this.notify(channel));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      this.#watch?.listenTo(client);
      await this.#look(client);
    } catch {
      return this.#lost(client);
    }
    await this.#hear(client, [...this.#listeners]);
    this.#looks ??= apartFromCaller(() => setInterval(() => void this.#lookAgain(), LOOK_EVERY_MS).unref());
  }

  /** Whether the server is still there, and still the one to write to: of what stands still nothing else tells. */
  async #lookAgain(): Promise<void> {
    const client = this.#client;
    if (!client || this.#isLooking) return;
    this.#isLooking = true;
    await this.#look(client).catch(() => this.#lost(client, 0));
    this.#isLooking = false;
  }

  async #look(client: Client): Promise<void> {
    const ask = async (statement: string): Promise<object[]> => (await client.query<object>(statement)).rows;
    await inTime(Promise.resolve(this.#watch?.admit(ask)), TIMEOUT_MS, () => new Error('The database is silent.'));
  }

  async #hear(client: Client, listeners: readonly ChannelListener[]): Promise<void> {
    try {
      for (const { channel, onMessage } of listeners) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        onMessage();
      }
      this.#pauseInMs = SHORTEST_PAUSE_IN_MS;
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: Client, pauseInMs = this.#pauseInMs): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void endSoon(client);
    this.#retry = apartFromCaller(() => setTimeout(() => void this.#connect(), pauseInMs));
    this.#retry.unref();
    this.#pauseInMs = Math.min(this.#pauseInMs * 2, LONGEST_PAUSE_IN_MS);
  }
}

/** A server that is silent says no farewell. */
async function endSoon(client: Client): Promise<void> {
  const timer = setTimeout(() => streamOf(client).destroy(), FAREWELL_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

/** `pg` has this stream, though its types do not say so. */
function streamOf(client: Client): Socket {
  return (client as Client & { readonly connection: { readonly stream: Socket } }).connection.stream;
}
