import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/persistence/connect.ts';
import { isOnPostgres } from '../support/database.ts';
import { onServer, postgresSettings } from '../support/settings.ts';

const server = process.env['DATABASE_URL'] ?? '';
const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  afterAll(() => onServer(server, `drop database if exists ${name} with (force)`));

  test('a database that is not there is not made: the address may have a typo', async () => {
    await expect(connect(postgresSettings(server, 'gatehouse_tpyo'))).rejects.toThrow(
      'There is no database "gatehouse_tpyo" on that PostgreSQL. Create it, or correct DATABASE_URL.',
    );
  });

  test('of processes that start at once on a new database, one migrates and all of them run', async () => {
    await onServer(server, `create database ${name}`);
    const settings = postgresSettings(server, name);
    const opened = await Promise.all(Array.from({ length: 5 }, () => connect(settings)));
    for (const database of opened) {
      expect(await database.orm.migrator.getPending()).toEqual([]);
      await database.close();
    }
  });
});
