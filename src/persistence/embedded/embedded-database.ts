/** embedded/ holds PostgreSQL inside this process (PGlite), and the folder that it keeps its files in. */
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { closeFilesOf, DurableFolder, durableParameters } from './durable-folder.ts';
import { crashed, unopened } from './embedded-failure.ts';
import { rememberStack, unwindStack } from './embedded-stack.ts';
import { statementsOf } from './embedded-statements.ts';
import { lackOfRoom, makeDatabaseIfNew } from './new-database.ts';

/**
 * For pages of its files. A server takes 128 MB, which here every start would fill with zeros, and the process would keep;
 * what is not in them is read again from what the machine has of its files in memory.
 */
const BUFFERS = ['-c', 'shared_buffers=32MB'];
const SHORTEST_PAUSE_IN_MS = 500;
const LONGEST_PAUSE_IN_MS = 30_000;

export interface EmbeddedOptions extends PGliteOptions {
  /** The folder on disk; without one, everything is kept in memory. */
  readonly folder?: string | undefined;
  /** Opens one that is kept in memory. Tests lend one that they have used before, which is opened faster. */
  readonly openInMemory?: (options: PGliteOptions) => Promise<PGlite>;
}

interface ChannelListener {
  readonly channel: string;
  readonly onMessage: () => void;
}

/**
 * The database inside this process. A full disk makes it crash, as it does a server; then it is opened anew on its folder,
 * where it recovers all that was committed. What crashed in memory is lost.
 */
export class EmbeddedDatabase {
  readonly #options: PGliteOptions;
  readonly #folder: string | undefined;
  readonly #openInMemory: (options: PGliteOptions) => Promise<PGlite>;
  readonly #listeners = new Set<ChannelListener>();
  #opening: Promise<PGlite> | undefined;
  #current: PGlite | undefined;
  #isLost = false;
  #pauseInMs = SHORTEST_PAUSE_IN_MS;
  #retryAt = 0;

  constructor({ folder, openInMemory = (options) => PGlite.create(options), ...options }: EmbeddedOptions) {
    this.#folder = folder;
    this.#openInMemory = openInMemory;
    this.#options = { ...options, startParams: [...PGlite.defaultStartParams, ...BUFFERS] };
  }

  /** The database, opened if it is not. @throws Error that isDatabaseAway knows, while it cannot be opened */
  get(): Promise<PGlite> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Returns the error of a failed statement. After a crash, the next statement opens the database anew: one that has
   * crashed never answers.
   */
  explain(pglite: PGlite, error: unknown): unknown {
    if (!isCrash(error)) {
      unwindStack(pglite);
      return error;
    }
    if (this.#current === pglite) {
      this.#current = undefined;
      this.#opening = undefined;
      this.#isLost = this.#folder === undefined;
      closeFilesOf(pglite);
    }
    return crashed('The embedded database has crashed.', error);
  }

  isCurrent(pglite: PGlite): boolean {
    return this.#current === pglite;
  }

  /** True once nothing but a new process helps. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Why a write would fail, or even bring it down; undefined when there is room. */
  async lackOfRoom(): Promise<string | undefined> {
    return this.#folder === undefined ? undefined : lackOfRoom(this.#folder);
  }

  /**
   * Listens on after the database was opened anew, too. That counts as a message, as some may have been missed then.
   */
  async listen(channel: string, onMessage: () => void): Promise<() => Promise<void>> {
    const listener = { channel, onMessage };
    this.#listeners.add(listener);
    await hear(await this.get(), channel);
    return async () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    const pglite = this.#current;
    this.#current = undefined;
    this.#opening = undefined;
    if (pglite && !pglite.closed) await pglite.close();
  }

  async #open(): Promise<PGlite> {
    if (this.#isLost) throw crashed('The database was in memory and has crashed: start anew.');
    if (performance.now() < this.#retryAt) throw crashed('The embedded database is being recovered.');
    const pglite = await this.#start();
    rememberStack(pglite);
    statementsOf(pglite).onNotification = (channel) => this.#deliver(channel);
    this.#current = pglite;
    this.#pauseInMs = SHORTEST_PAUSE_IN_MS;
    for (const listener of this.#listeners) {
      await hear(pglite, listener.channel);
      listener.onMessage();
    }
    return pglite;
  }

  /** Calls the listeners after the statement in whose answer the message came. */
  #deliver(channel: string): void {
    for (const listener of this.#listeners) {
      if (listener.channel === channel) queueMicrotask(() => this.#listeners.has(listener) && listener.onMessage());
    }
  }

  async #start(): Promise<PGlite> {
    if (this.#folder === undefined) return this.#openInMemory(this.#options);
    await makeDatabaseIfNew(this.#folder);
    const pglite = new PGlite({
      ...this.#options,
      fs: new DurableFolder(this.#folder),
      startParams: durableParameters(this.#options.startParams ?? []),
    });
    try {
      await pglite.waitReady;
    } catch (error) {
      closeFilesOf(pglite);
      this.#retryAt = performance.now() + this.#pauseInMs;
      this.#pauseInMs = Math.min(this.#pauseInMs * 2, LONGEST_PAUSE_IN_MS);
      throw unopened(this.#folder, error);
    }
    return pglite;
  }
}

/** PostgreSQL has ended itself, or the machine that it is compiled for. */
function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { severity } = error as { readonly severity?: string };
  if (severity !== undefined) return severity === 'PANIC' || severity === 'FATAL';
  return error instanceof WebAssembly.RuntimeError || /^(?:Aborted|Program terminated)/.test(error.message);
}

async function hear(pglite: PGlite, channel: string): Promise<void> {
  await statementsOf(pglite).runText(`listen "${channel}"`);
}
