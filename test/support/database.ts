import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { embeddedSettings, onServer, postgresSettings } from './settings.ts';

const serverUrl = process.env['DATABASE_URL'];

/** For `describe.runIf`: what can only be shown on PostgreSQL (several processes, real concurrency). CI runs both. */
export const isOnPostgres = serverUrl !== undefined;

export interface TestDatabase extends Database {
  /** Where other processes reach it; undefined for the embedded database, which has only this one. */
  readonly url: string | undefined;
}

/** A migrated, empty database of the caller's own; close it in `afterAll`. */
export async function openTestDatabase(): Promise<TestDatabase> {
  return serverUrl ? openOnPostgres(serverUrl) : openEmbedded();
}

async function openEmbedded(): Promise<TestDatabase> {
  const template = await readFile(inject('databaseTemplate'));
  const database = await connect(embeddedSettings(), { loadDataDir: new Blob([template]) });
  return { ...database, url: undefined };
}

async function openOnPostgres(server: string): Promise<TestDatabase> {
  const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} template ${inject('databaseTemplate')}`);
  const settings = postgresSettings(server, name);
  const database = await connect(settings);
  const close = async (): Promise<void> => {
    await database.close();
    await onServer(server, `drop database ${name} with (force)`);
  };
  return { ...database, url: settings.databaseUrl, close };
}
