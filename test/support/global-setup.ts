import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { EmbeddedConnection } from '../../src/persistence/embedded/embedded-dialect.ts';
import { seedDemo } from '../../src/persistence/seed-demo.ts';
import type { Contents } from './database.ts';
import { onServer, postgresSettings } from './settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The templates of a test's own database: files (embedded), or the names of databases (PostgreSQL). */
    databaseTemplates: Names;
    /** The folder of an embedded database with the demo data, as a service leaves it that has ended; not on PostgreSQL. */
    databaseFolder: string | undefined;
  }
}

type Names = Readonly<Record<Contents, string>>;

interface Templates {
  readonly names: Names;
  readonly folder?: string;
  readonly remove: () => Promise<void>;
}

let templates: Promise<Templates> | undefined;
let projects = 0;

/**
 * Migrates once for the whole run, and makes the demo data; each test file then copies the result in no time. For the
 * projects that need a database: without one of their files in a run, nothing is made.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['DATABASE_URL'];
  templates ??= serverUrl ? templateDatabases(serverUrl) : templateFiles();
  projects += 1;
  const { names, folder, remove } = await templates;
  project.provide('databaseTemplates', names);
  project.provide('databaseFolder', folder);
  return async () => {
    projects -= 1;
    if (projects === 0) await remove();
  };
}

/** A dump of the whole folder, a script of the demo's rows, and the folder with both. */
async function templateFiles(): Promise<Templates> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const names = { empty: join(folder, 'empty.tar'), demo: join(folder, 'demo.sql') };
  const database = await connect({ databaseUrl: undefined, dataDir: folder });
  const pglite = await pgliteOf(database);
  const dump = await pglite.dumpDataDir('none');
  await writeFile(names.empty, Buffer.from(await dump.arrayBuffer()));
  await seedDemo(database.em.fork());
  await writeFile(names.demo, await insertions(pglite));
  await database.close();
  return { names, folder: join(folder, 'database'), remove: () => rm(folder, { recursive: true }) };
}

async function pgliteOf(database: Database): Promise<PGlite> {
  const connection = database.orm.em.getDriver().getConnection();
  if (!(connection instanceof EmbeddedConnection)) throw new Error('The embedded database was expected.');
  return connection.getNativeClient();
}

/** The rows of all tables that had none, triggers and references aside. */
async function insertions(pglite: PGlite): Promise<string> {
  const tables = await pglite.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  );
  const statements: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pglite.query<{ statement: string | null }>(
      `select format('insert into %1$I select * from jsonb_populate_recordset(null::%1$I, %2$L);', '${name}', jsonb_agg(t))
         as statement from "${name}" as t having count(*) > 0`,
    );
    for (const { statement } of rows) if (statement) statements.push(statement);
  }
  return ['begin; set local session_replication_role = replica;', ...statements, 'commit;'].join('\n');
}

async function templateDatabases(serverUrl: string): Promise<Templates> {
  const empty = `gatehouse_template_${process.pid}`;
  const names = { empty, demo: `${empty}_demo` };
  await onServer(serverUrl, `create database ${names.empty}`);
  await (await connect(postgresSettings(serverUrl, names.empty))).close();
  await onServer(serverUrl, `create database ${names.demo} template ${names.empty}`);
  const demo = await connect(postgresSettings(serverUrl, names.demo));
  await seedDemo(demo.em.fork());
  await demo.close();
  const remove = async (): Promise<void> => {
    for (const name of Object.values(names)) await onServer(serverUrl, `drop database ${name}`);
  };
  return { names, remove };
}
