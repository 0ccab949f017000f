import { Client } from 'pg';
import type { DatabaseSettings } from '../../src/persistence/embedded/data-folder.ts';

export function embeddedSettings(): DatabaseSettings {
  return { databaseUrl: undefined, dataDir: 'memory:' };
}

export function postgresSettings(serverUrl: string, database: string): DatabaseSettings {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return { databaseUrl: url.href, dataDir: 'memory:' };
}

/** One statement on the server's own database, such as `create database`. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client(serverUrl);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
