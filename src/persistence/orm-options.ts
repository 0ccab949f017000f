import type { Options } from '@mikro-orm/core';
import { JOBS_SCHEMA } from '../jobs/job-schema.ts';
import { type DatabaseSettings, databaseFolder } from './embedded/data-folder.ts';
import { ENTITIES } from './entities.ts';
import { MIGRATIONS, Migrator } from './migrations/known-migrations.ts';
import { PostgresDriver } from './postgres-dialect.ts';

/** With three for short reads, two for shared commits and the listener's, seven processes fit PostgreSQL's default of 100. */
const POOL_SIZE = 8;

/**
 * How long a connection may take to open, and a request to wait for one of the pool. A machine that vanished without a word
 * is noticed within twenty seconds.
 */
const TO_THE_SERVER = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** One set of options for PostgreSQL and for the embedded database, which is loaded only where it is used. */
export async function ormOptions(settings: DatabaseSettings, driverOptions: object = {}): Promise<Partial<Options>> {
  return {
    entities: ENTITIES,
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, tableName: 'migrations', silent: true },
    schemaGenerator: { createForeignKeyConstraints: true, ignoreSchema: [JOBS_SCHEMA] },
    discovery: { checkDuplicateFieldNames: true },
    // Instants are text on the wire and Temporal.Instant in code, always in UTC.
    forceUtcTimezone: true,
    ...(settings.databaseUrl === undefined ? await embedded(settings, driverOptions) : postgres(settings)),
  } as Partial<Options>;
}

async function embedded(settings: DatabaseSettings, driverOptions: object): Promise<Partial<Options>> {
  const { btree_gist } = await import('@electric-sql/pglite/contrib/btree_gist');
  const { EmbeddedDriver } = await import('./embedded/embedded-dialect.ts');
  const folder = databaseFolder(settings);
  // A function, because MikroORM copies plain options deeply, which breaks the Blob of a dump.
  const pgliteOptions = () => ({ folder, extensions: { btree_gist }, ...driverOptions });
  return { driver: EmbeddedDriver, dbName: 'postgres', driverOptions: pgliteOptions };
}

function postgres(settings: DatabaseSettings): Partial<Options> {
  const clientUrl = settings.databaseUrl;
  return {
    driver: PostgresDriver,
    ...(clientUrl ? { clientUrl } : {}),
    // An address with a typo must not begin an empty service.
    ensureDatabase: false,
    pool: { min: 0, max: POOL_SIZE },
    driverOptions: { ...TO_THE_SERVER },
  };
}
