import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../../src/persistence/connect.ts';
import { EmbeddedConnection } from '../../src/persistence/embedded-driver.ts';
import { embeddedSettings, onServer, postgresSettings } from './settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** What a test's own database is copied from: a file (embedded) or the name of a database (PostgreSQL). */
    databaseTemplate: string;
  }
}

/** Migrates once for the whole run; each test file then copies the result in a fraction of a second. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['DATABASE_URL'];
  return serverUrl ? templateDatabase(project, serverUrl) : templateFile(project);
}

async function templateFile(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const database = await connect(embeddedSettings());
  const connection = database.orm.em.getDriver().getConnection();
  if (!(connection instanceof EmbeddedConnection)) throw new Error('The embedded database was expected.');
  const dump = await (await connection.getNativeClient()).dumpDataDir('none');
  await database.close();
  const path = join(folder, 'template.tar');
  await writeFile(path, Buffer.from(await dump.arrayBuffer()));
  project.provide('databaseTemplate', path);
  return () => rm(folder, { recursive: true });
}

async function templateDatabase(project: TestProject, serverUrl: string): Promise<() => Promise<void>> {
  const name = `gatehouse_template_${process.pid}`;
  await onServer(serverUrl, `create database ${name}`);
  const database = await connect(postgresSettings(serverUrl, name));
  await database.close();
  project.provide('databaseTemplate', name);
  return () => onServer(serverUrl, `drop database ${name}`);
}
