import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Client } from 'pg';

/** Hears a channel until it is stopped. `onMessage` also runs when messages may have been missed: it says "look again". */
export type Listen = (channel: string, onMessage: () => void) => Promise<StopListening>;
export type StopListening = () => Promise<void>;

/** As much of PGlite as listening takes. */
interface EmbeddedDatabase {
  listen(channel: string, onMessage: () => void): Promise<() => Promise<void>>;
}

const LONGEST_PAUSE_IN_MS = 5_000;
const FAREWELL_MS = 1_000;

/** For the embedded database, whose one connection hears itself. */
export function listenOnEmbedded(open: () => Promise<EmbeddedDatabase>): Listen {
  return async (channel, onMessage) => {
    // A message is delivered in the middle of the commit that sends it; what it causes is no part of that transaction.
    const outside = AsyncLocalStorage.snapshot();
    return (await open()).listen(channel, () => outside(onMessage));
  };
}

/**
 * For PostgreSQL, on one connection of its own for all channels: one from the pool would be handed to others, and a pooler
 * between (PgBouncer) forgets who listens. It comes back by itself; until then the callers' own polls have to do.
 */
export function listenOnPostgres(databaseUrl: string, pool?: Notified): Listen {
  const listener = new Listener(databaseUrl);
  pool?.onNotification((channel) => listener.tell(channel));
  return (channel, onMessage) => listener.add({ channel, onMessage });
}

/** A pool whose connections listen, too, and so hear at once of what they change themselves. */
interface Notified {
  onNotification(hear: (channel: string) => void): void;
}

interface Ear {
  readonly channel: string;
  readonly onMessage: () => void;
}

class Listener {
  readonly #databaseUrl: string;
  readonly #ears = new Set<Ear>();
  #client: Client | undefined;
  #pauseInMs = 100;
  #retry: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Never rejects: a listener that cannot connect tries again, so a database that is away at first does no harm. */
  async add(ear: Ear): Promise<StopListening> {
    this.#ears.add(ear);
    if (this.#client) await this.#hear(this.#client, [ear]);
    else if (!this.#retry) await this.#connect();
    return () => this.#remove(ear);
  }

  tell(channel: string): void {
    for (const ear of this.#ears) if (ear.channel === channel) ear.onMessage();
  }

  async #remove(ear: Ear): Promise<void> {
    this.#ears.delete(ear);
    if (this.#ears.size > 0) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const client = this.#client;
    this.#client = undefined;
    if (client) await endSoon(client);
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    const client = new Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: 5_000,
      application_name: 'gatehouse listener',
    });
    this.#client = client;
    client.on('notification', ({ channel }) => this.tell(channel));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
    } catch {
      return this.#lost(client);
    }
    await this.#hear(client, [...this.#ears]);
  }

  async #hear(client: Client, ears: readonly Ear[]): Promise<void> {
    try {
      for (const { channel, onMessage } of ears) {
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        onMessage();
      }
      this.#pauseInMs = 100;
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void endSoon(client);
    this.#retry = setTimeout(() => void this.#connect(), this.#pauseInMs);
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

/** What `pg` has, and its types do not tell. */
function streamOf(client: Client): Socket {
  return (client as Client & { readonly connection: { readonly stream: Socket } }).connection.stream;
}
