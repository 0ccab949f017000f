/** Until the first release: writes the one initial migration from the entities. From then on a change is a migration of its own. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/core';
import { ormOptions } from '../persistence/orm-options.ts';

const FILE = join(import.meta.dirname, '../persistence/migrations/initial-schema.ts');

/** Counts that may be lost in a crash, and must not wait for the disk; an entity cannot say it. */
const UNLOGGED = ['request_counts'];

async function statements(): Promise<string> {
  const orm = await MikroORM.init(ormOptions({ databaseUrl: undefined, databaseReplicaUrls: [], dataDir: 'memory:' }));
  const created = await orm.schema.getCreateSchemaSQL({ wrap: false });
  await orm.close(true);
  return UNLOGGED.reduce(
    (sql, table) => sql.replace(`create table "${table}"`, `create unlogged table "${table}"`),
    created.trim(),
  );
}

function migration(sql: string): string {
  const lines = sql.split('\n').map((line) => (line === '' ? '' : `      ${line}`));
  return `import { Migration } from '@mikro-orm/migrations';

/** The whole schema. Written by \`npm run migration\` from the entities: change those. */
export class InitialSchema extends Migration {
  override name = 'initial-schema';

  override up(): void {
    this.addSql(\`
      create extension if not exists btree_gist;

${lines.join('\n')}
    \`);
  }
}
`;
}

await writeFile(FILE, migration(await statements()));
