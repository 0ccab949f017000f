/** Until the first release: writes the one initial migration from the entities and the table of jobs. From then on a change is a migration of its own. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/core';
import { JOBS_TABLE } from '../jobs/job-schema.ts';
import { ormOptions } from '../persistence/orm-options.ts';

const FILE = join(import.meta.dirname, '../persistence/migrations/initial-schema.ts');

/**
 * Rows that change after they are written: with room for their new versions beside them, no index has to be told of a change
 * of columns that it does not hold (HOT). A page that is full of rows has none.
 */
const CHANGING = { counters: 50, oauth_codes: 80, oauth_grants: 80 };

async function statements(): Promise<string> {
  const orm = await MikroORM.init(await ormOptions({ databaseUrl: undefined, dataDir: 'memory:' }));
  const created = await orm.schema.getCreateSchemaSQL({ wrap: false });
  await orm.close(true);
  const filled = Object.entries(CHANGING).map(
    ([table, percent]) => `alter table "${table}" set (fillfactor = ${percent});`,
  );
  return [created.trim(), ...filled].join('\n');
}

function migration(sql: string): string {
  const lines = sql
    .replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`));
  return `import { Migration } from '@mikro-orm/migrations';

/** The whole schema. Written by \`npm run migration\` from the entities and the table of jobs: change those. */
export class InitialSchema extends Migration {
  override up(): void {
    this.addSql(SQL);
  }
}

export const SQL = \`
      create extension if not exists btree_gist;

${lines.join('\n')}
    \`;
`;
}

await writeFile(FILE, migration(`${await statements()}\n\n${JOBS_TABLE.trim()}`));
