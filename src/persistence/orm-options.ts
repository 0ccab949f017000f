import type { EventEmitter } from 'node:events';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import type { Options } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { EmbeddedDriver } from './embedded-driver.ts';
import { ENTITIES } from './entities.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { prepareStatements, StatementNames } from './prepared-statements.ts';

const MEMORY = 'memory:';
/** Each process asks for at most this many connections: eight processes fit PostgreSQL's default of 100. */
const POOL_SIZE = 10;

export interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrls: readonly string[];
  readonly dataDir: string;
}

/** One set of options for PostgreSQL and for the embedded database. */
export function ormOptions(settings: DatabaseSettings, driverOptions: object = {}): Partial<Options> {
  return {
    entities: ENTITIES,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, tableName: 'migrations', silent: true },
    schemaGenerator: { createForeignKeyConstraints: true },
    discovery: { checkDuplicateFieldNames: true },
    // Instants are text on the wire and Temporal.Instant in code, always in UTC.
    forceUtcTimezone: true,
    ...(settings.databaseUrl === undefined ? embedded(settings, driverOptions) : postgres(settings)),
  } as Partial<Options>;
}

function embedded(settings: DatabaseSettings, driverOptions: object): Partial<Options> {
  const dataDir = isInMemory(settings) ? 'memory://' : `${settings.dataDir}/database`;
  // A function, because MikroORM copies plain options deeply, which breaks the Blob of a dump.
  const pgliteOptions = () => ({ dataDir, extensions: { btree_gist }, ...driverOptions });
  return { driver: EmbeddedDriver, dbName: 'postgres', driverOptions: pgliteOptions };
}

function postgres(settings: DatabaseSettings): Partial<Options> {
  const clientUrl = settings.databaseUrl;
  return {
    driver: PostgreSqlDriver,
    ...(clientUrl ? { clientUrl } : {}),
    ...(settings.databaseReplicaUrls.length > 0
      ? { replicas: settings.databaseReplicaUrls.map((url) => ({ clientUrl: url })) }
      : {}),
    pool: { min: 0, max: POOL_SIZE },
    driverOptions: { connectionTimeoutMillis: 5_000, onPoolCreated: preparePool },
  };
}

/**
 * Compiling a statement and starting workers for it take longer than any of ours does. PostgreSQL, which cannot foresee how
 * little of a recursive or lateral part is read, would often do both.
 */
const FOR_SHORT_STATEMENTS = 'set jit = off; set max_parallel_workers_per_gather = 0';

type Connecting = (client: { query(...query: readonly unknown[]): unknown }) => void;
interface Pool {
  Client: new (...options: never[]) => EventEmitter;
  on(event: 'connect', listener: Connecting): unknown;
}

function preparePool(pool: Pool): void {
  guardControlConnections(pool);
  const names = new StatementNames();
  pool.on('connect', (client) => {
    // A lost connection is told of by the next statement.
    (client.query(FOR_SHORT_STATEMENTS) as Promise<unknown>).catch(() => undefined);
    prepareStatements(client, names);
  });
}

/**
 * A statement is cancelled over a connection of its own, whose errors Kysely does not listen to: one that was lost at that
 * moment would end the process. The statement fails in any case, so there is nothing to do.
 */
function guardControlConnections(pool: Pool): void {
  pool.Client = class extends pool.Client {
    constructor(...options: never[]) {
      super(...options);
      this.on('error', () => undefined);
    }
  };
}

export function isInMemory(settings: DatabaseSettings): boolean {
  return settings.databaseUrl === undefined && settings.dataDir === MEMORY;
}
