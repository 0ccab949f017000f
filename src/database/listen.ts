import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';

/** Hears a channel until it is stopped. `onMessage` also runs when messages may have been missed: it says "look again". */
export type Listen = (channel: string, onMessage: () => void) => Promise<StopListening>;
export type StopListening = () => Promise<void>;

/** As much of PGlite as listening takes. */
interface EmbeddedDatabase {
  listen(channel: string, onMessage: () => void): Promise<() => Promise<void>>;
}

const LONGEST_PAUSE_IN_MS = 5_000;

/** For the embedded database, whose one connection hears itself. */
export function listenOnEmbedded(open: () => Promise<EmbeddedDatabase>): Listen {
  return async (channel, onMessage) => {
    // A message is delivered in the middle of the commit that sends it; what it causes is no part of that transaction.
    const outside = AsyncLocalStorage.snapshot();
    return (await open()).listen(channel, () => outside(onMessage));
  };
}

/**
 * For PostgreSQL, on a connection of its own: one from the pool would be handed to others, and a pooler between
 * (PgBouncer) forgets who listens. It comes back by itself; meanwhile the caller's own poll has to do.
 */
export function listenOnPostgres(databaseUrl: string): Listen {
  return async (channel, onMessage) => {
    const listener = new Listener(databaseUrl, channel, onMessage);
    await listener.connect();
    return () => listener.stop();
  };
}

class Listener {
  readonly #databaseUrl: string;
  readonly #channel: string;
  readonly #onMessage: () => void;
  #client: Client | undefined;
  #pauseInMs = 100;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(databaseUrl: string, channel: string, onMessage: () => void) {
    this.#databaseUrl = databaseUrl;
    this.#channel = channel;
    this.#onMessage = onMessage;
  }

  /** Never rejects: a listener that cannot connect tries again, so a database that is away at first does no harm. */
  async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'gatehouse listener',
    });
    this.#client = client;
    client.on('notification', this.#onMessage);
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
      this.#pauseInMs = 100;
      this.#onMessage();
    } catch {
      this.#lost(client);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  #lost(client: Client): void {
    if (this.#isStopped || this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#retry = setTimeout(() => void this.connect(), this.#pauseInMs);
    this.#retry.unref();
    this.#pauseInMs = Math.min(this.#pauseInMs * 2, LONGEST_PAUSE_IN_MS);
  }
}
