import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { hashPassword } from '../../src/modules/accounts/password-hash.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { lendEmbedded } from './embedded-loans.ts';
import { embeddedSettings, onServer, postgresSettings } from './settings.ts';

const serverUrl = process.env['DATABASE_URL'];

/** For `describe.runIf`: what can only be shown on PostgreSQL (several processes, real concurrency). CI runs both. */
export const isOnPostgres = serverUrl !== undefined;

export interface TestDatabase extends Database {
  /** Where other processes reach it; undefined for the embedded database, which has only this one. */
  readonly url: string | undefined;
}

/** The contents when it is opened: nothing, or the demo data. */
export type Contents = 'empty' | 'demo';

/** A migrated database of the caller's own; close it in `afterAll`. */
export async function openTestDatabase(contents: Contents = 'empty'): Promise<TestDatabase> {
  const database = await (serverUrl ? openOnPostgres(serverUrl, contents) : openEmbedded(contents));
  if (contents === 'demo') await givePasswords(database);
  return database;
}

let passwordHash: Promise<string> | undefined;

/** Those of the demo, hashed at what a hash costs in this process (cheap-hashes.ts). */
async function givePasswords({ em }: TestDatabase): Promise<void> {
  passwordHash ??= hashPassword(DEMO_PASSWORD);
  await changed(em.fork(), sql`update users set password_hash = ${await passwordHash}`);
}

async function openEmbedded(contents: Contents): Promise<TestDatabase> {
  const database = await connect(embeddedSettings(), { driverOptions: { openInMemory: lendEmbedded(contents) } });
  return { ...database, url: undefined };
}

async function openOnPostgres(server: string, contents: Contents): Promise<TestDatabase> {
  const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} template ${inject('databaseTemplates')[contents]}`);
  const settings = postgresSettings(server, name);
  const database = await connect(settings);
  const close = async (): Promise<void> => {
    await database.close();
    await onServer(server, `drop database ${name} with (force)`);
  };
  return { ...database, url: settings.databaseUrl, close };
}
