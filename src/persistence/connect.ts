/**
 * persistence/ opens the database: PostgreSQL by a pool of our own, or the embedded PGlite; its migrations, its demo
 * data. Nothing but the composition imports it.
 */
import { MikroORM } from '@mikro-orm/core';
import { Client } from 'pg';
import { inTime } from '../core/in-time.ts';
import { hasMovedAway, isDatabaseAway } from '../database/database-away.ts';
import { GivenUp, giveUpAfter, withoutStatementLimit } from '../database/deadline.ts';
import { type Em, row, rows, sql } from '../database/sql.ts';
import { type DatabaseSettings, type DataFolder, databaseFolder, openDataFolder } from './embedded/data-folder.ts';
import type { EmbeddedDatabase } from './embedded/embedded-database.ts';
import type { EmbeddedConnection } from './embedded/embedded-dialect.ts';
import { ForeignSchema } from './migrations/known-migrations.ts';
import { ormOptions } from './orm-options.ts';
import type { PoolState } from './pool-state.ts';
import { PooledPostgres } from './postgres-dialect.ts';
import type { ServerWatch } from './server-watch.ts';

/** An open, migrated database. `em` is the global EntityManager: fork it for each request. */
export interface Database {
  readonly orm: MikroORM;
  readonly em: Em;
  /** True for PGlite: one connection and one process. */
  readonly isEmbedded: boolean;
  readonly health: DatabaseHealth;
  /** The embedded database has none: it does not move. */
  readonly watch: ServerWatch | undefined;
  /** Advises an operator who has put a pooler between; nothing without one. */
  advice(options: { readonly hasDirectUrl: boolean }): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** PGlite's, for tests. */
  readonly driverOptions?: object;
  /** Opened already. */
  readonly folder?: DataFolder | undefined;
}

/** Opens the database that the settings name and brings it to the newest schema. @throws Error with what to do */
export async function connect(settings: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const isEmbedded = settings.databaseUrl === undefined;
  const { driverOptions = {}, folder = await openDataFolder(settings) } = options;
  let orm: MikroORM | undefined;
  try {
    orm = await MikroORM.init(await ormOptions(settings, driverOptions));
    await folder?.made;
    await migrate(orm, settings);
    return opened(orm, settings, folder);
  } catch (error) {
    // It is open and whole, and others may have it.
    if (error instanceof ForeignSchema) await orm?.close(true);
    await folder?.release();
    if (hasCode(error, '3D000')) throw missing(settings, error);
    if (hasCode(error, '55P03')) throw occupied(error);
    if (error instanceof ForeignSchema) throw madeByAnother(settings, error);
    throw !isEmbedded && isDatabaseAway(error) ? unreachable(settings, error) : error;
  }
}

function opened(orm: MikroORM, settings: DatabaseSettings, folder: DataFolder | undefined): Database {
  const em = orm.em as unknown as Em;
  const isEmbedded = settings.databaseUrl === undefined;
  const connection: unknown = orm.em.getDriver().getConnection();
  const watch = connection instanceof PooledPostgres ? connection.watch : undefined;
  return {
    orm,
    em,
    isEmbedded,
    health: healthOf(orm, em, settings),
    watch,
    advice: async ({ hasDirectUrl }) =>
      connection instanceof PooledPostgres && connection.state.isPooled ? poolerAdvice(em.fork(), hasDirectUrl) : [],
    close: () => close(orm, folder),
  };
}

const LONGEST_MIGRATION = '10min';

/**
 * One process at a time: several may start at once on a new database, and the first one brings it up to date. All within a
 * transaction, so that a process that dies, or loses its connection, leaves neither a lock behind nor half of a schema.
 */
async function migrate(orm: MikroORM, { databaseUrl }: DatabaseSettings): Promise<void> {
  if (databaseUrl === undefined) return void (await orm.migrator.up());
  const em = orm.em.fork() as unknown as Em;
  await withoutStatementLimit(() =>
    em.transactional(async (inner) => {
      await rows(
        inner,
        sql`select set_config(name, value, true) from (values
        ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
        ('lock_timeout', ${LONGEST_MIGRATION}::text)) as setting(name, value)`,
      );
      await rows(inner, sql`select pg_advisory_xact_lock(hashtext('gatehouse: migrate'))`);
      await orm.migrator.up({ transaction: inner.getTransactionContext() });
    }),
  );
}

function hasCode(error: unknown, sqlState: string): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === sqlState;
}

function occupied(cause: unknown): Error {
  const message = `Something has kept the database from being brought up to date for ${LONGEST_MIGRATION}: another process that does so, or a lock on a table. Look into pg_stat_activity, end it, and start again.`;
  return new Error(message, { cause });
}

function missing(settings: DatabaseSettings, cause: unknown): Error {
  return new Error(
    `There is no database "${nameOf(settings)}" on that PostgreSQL. Create it, or correct DATABASE_URL.`,
    { cause },
  );
}

/** A service on it would run until it asks for a column that is not there. */
function madeByAnother(settings: DatabaseSettings, cause: ForeignSchema): Error {
  const folder = databaseFolder(settings);
  const [database, begin] =
    folder === undefined
      ? [
          `The database "${nameOf(settings)}" at ${hostOf(settings)}`,
          'make an empty database and name it in DATABASE_URL',
        ]
      : [`The embedded database in ${folder}`, `move the folder ${settings.dataDir} away`];
  const message = `${database} was made by another version of Gatehouse, whose tables are different (${cause.message}) Start the version that made it. Or begin with a new one: ${begin}. Until the first release, databases are not brought up to date; releases will do so.`;
  return new Error(message, { cause });
}

function unreachable(settings: DatabaseSettings, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `PostgreSQL at ${hostOf(settings)} cannot be reached (${reason}). Start it, or correct DATABASE_URL.`,
    {
      cause,
    },
  );
}

/** For the operator: which of the addresses, but not the password in it. */
function hostOf({ databaseUrl }: DatabaseSettings): string {
  return URL.parse(databaseUrl ?? '')?.host || 'its socket';
}

function nameOf({ databaseUrl }: DatabaseSettings): string {
  return URL.parse(databaseUrl ?? '')?.pathname.slice(1) ?? '';
}

function healthOf(orm: MikroORM, em: Em, { databaseUrl }: DatabaseSettings): DatabaseHealth {
  const connection: unknown = orm.em.getDriver().getConnection();
  if (databaseUrl === undefined) return healthOfEmbedded(em, () => (connection as EmbeddedConnection).database);
  if (connection instanceof PooledPostgres) return healthOfPostgres(em, () => connection.state, databaseUrl ?? '');
  throw new Error('A connection of an unknown kind was opened.');
}

async function close(orm: MikroORM, folder: DataFolder | undefined): Promise<void> {
  await orm.close(true);
  await folder?.release();
}

interface Setting {
  readonly name: string;
  readonly setting: string;
}

/** Connections without a pooler set these (postgres-dialect.ts); behind one, the role can have them instead. */
const NEEDED: readonly {
  readonly name: string;
  readonly to: string;
  readonly isEnough: (setting: string) => boolean;
}[] = [
  { name: 'jit', to: 'off', isEnough: (setting) => setting === 'off' },
  { name: 'max_parallel_workers_per_gather', to: '0', isEnough: (setting) => setting === '0' },
  { name: 'statement_timeout', to: "'40s'", isEnough: isLimit },
  { name: 'idle_in_transaction_session_timeout', to: "'40s'", isEnough: isLimit },
];

/** For an operator who has put a pooler between: what nobody can say to the server but they. */
export async function poolerAdvice(em: Em, hasDirectUrl: boolean): Promise<readonly string[]> {
  const found = await rows(
    em,
    sql<Setting & { role: string }>`select name, setting, quote_ident(current_user) as role from pg_settings
      where name = any(${NEEDED.map(({ name }) => name)}::text[])`,
  );
  const role = found[0]?.role ?? 'gatehouse';
  const missing = NEEDED.filter(
    ({ name, isEnough }) => !isEnough(found.find((one) => one.name === name)?.setting ?? ''),
  );
  const statements = missing.map(({ name, to }) => `alter role ${role} set ${name} = ${to};`);
  const advice: string[] = [];
  if (statements.length > 0)
    advice.push(
      `DATABASE_URL leads through a pooler, on which a process cannot have settings of its own. Say this to PostgreSQL, then RECONNECT to the pooler: ${statements.join(' ')}`,
    );
  if (!hasDirectUrl)
    advice.push(
      'DATABASE_URL leads through a pooler, by which no NOTIFY may come: what other processes change is seen up to a second later. Set DATABASE_DIRECT_URL, the address of PostgreSQL itself, for the one connection that listens.',
    );
  return advice;
}

function isLimit(setting: string): boolean {
  return Number(setting) > 0;
}

/** Answers load balancers and supervisors. Undefined is yes; otherwise the reason, in a few words. Never rejects. */
export interface DatabaseHealth {
  /** Whether requests can be served, writes included. */
  ready(): Promise<string | undefined>;
  /** Whether this process still works, or will by itself; if not, only another one helps. */
  live(): Promise<string | undefined>;
}

/** Probes give up after a few seconds; a database behind a broken network would not answer at all. */
const PROBE_MILLISECONDS = 2_000;
/** Longer than any statement and any commit may hold a place. */
const EXHAUSTED_MILLISECONDS = 45_000;

const SILENT = 'the database does not answer';
const FULL = 'the disk of the database is full';

export function healthOfPostgres(em: Em, pool: () => PoolState, databaseUrl: string): DatabaseHealth {
  return {
    ready: () => probe(() => readinessOf(em, pool())),
    live: async () => {
      if (pool().exhaustedFor() < EXHAUSTED_MILLISECONDS) return undefined;
      // The database may be back, with no request for a connection since.
      const isServed = (await probe(() => row(em.fork(), sql`select 1`).then(() => undefined))) === undefined;
      if (isServed || !(await answersOthers(databaseUrl))) return undefined;
      return 'the database answers, but every connection of this process is lost';
    },
  };
}

export function healthOfEmbedded(em: Em, database: () => EmbeddedDatabase): DatabaseHealth {
  return {
    ready: () =>
      probe(async () => {
        if ((await database().lackOfRoom()) !== undefined) return FULL;
        await row(em.fork(), sql`select 1`);
        return undefined;
      }),
    live: async () => (database().isLost ? 'the embedded database has crashed, and was in memory' : undefined),
  };
}

async function probe(ask: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await giveUpAfter(PROBE_MILLISECONDS, ask, () => new GivenUp(SILENT));
  } catch (error) {
    if (hasMovedAway(error)) return (error as Error).message;
    return (error as { readonly code?: unknown }).code === '53100' ? FULL : SILENT;
  }
}

async function readinessOf(em: Em, pool: PoolState): Promise<string | undefined> {
  const found = await row(
    em.fork(),
    sql<{ isReadOnly: boolean }>`select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (found?.isReadOnly) return 'the database is read-only';
  if (pool.wasDiskFull) {
    await writeToDisk(em);
    pool.wasDiskFull = false;
  }
  return undefined;
}

/** Has the server write a file of a megabyte and delete it again, without a trace in tables or logs. */
async function writeToDisk(em: Em): Promise<void> {
  await em.fork().transactional(async (inner) => {
    await row(inner, sql`select set_config('work_mem', '64kB', true)`);
    await row(
      inner,
      sql`select count(*) from (select repeat('x', 500) || n from generate_series(1, 2000) as line(n) order by 1 offset 0) as lines`,
    );
  });
}

async function answersOthers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: PROBE_MILLISECONDS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await inTime(client.query('select 1'), PROBE_MILLISECONDS, () => new Error(SILENT));
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
