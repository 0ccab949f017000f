/**
 * Looks for the heaviest document that an anonymous caller can send, and that an app with all scopes can send for a user
 * who has as much as anybody may have: random documents from the schema, kept and changed when they weigh more than the
 * best so far. Ends with an error when one is over a ceiling.
 *
 *     DATABASE_URL=postgres://… node bench/heaviest.ts [minutes] [seed]
 */
import process from 'node:process';
import { connect } from '../src/persistence/connect.ts';
import { buildSchemas } from '../src/schema.ts';
import { HeaviestSearch } from '../test/support/heaviest-search.ts';
import { heavyCallers } from '../test/support/heavy-callers.ts';
import { fillHeavily } from '../test/support/heavy-data.ts';
import { HEAVY_FOR_AN_APP, HEAVY_FOR_NOBODY } from '../test/support/heavy-documents.ts';
import { keyIn, uidsOf } from '../test/support/minted-tokens.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { CEILINGS, startWatchedService } from '../test/support/watched-service.ts';

const [minutes = 10, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const server = process.env['DATABASE_URL'];
if (server === undefined) throw new Error('Set DATABASE_URL to a PostgreSQL where databases can be created.');

const name = `gatehouse_heaviest_${process.pid}`;
await onServer(server, `create database ${name}`);
const folder = `/tmp/${name}`;
const settings = postgresSettings(server, name);
const service = await startWatchedService({
  DATABASE_URL: settings.databaseUrl ?? '',
  DATA_DIR: folder,
  SEED_DEMO: 'on',
});
let isOver = false;
try {
  const database = await connect(settings);
  const heavy = await fillHeavily(database.em.fork(), await uidsOf({ config: keyIn(folder), database }));
  await database.close();
  const { schema } = buildSchemas().forTokens;
  console.log(`Seed ${seed}, ${minutes} minutes for each caller; ceilings: ${JSON.stringify(CEILINGS)}`);
  for (const caller of await heavyCallers(service.url, heavy)) {
    const search = new HeaviestSearch(service, schema, caller, seed);
    const known = caller.token === undefined ? HEAVY_FOR_NOBODY : HEAVY_FOR_AN_APP;
    await search.run(
      minutes * 60_000,
      Object.values(known).map((write) => write(heavy)),
    );
    search.report();
    isOver ||= search.isOver;
  }
} finally {
  await service.kill('SIGKILL');
  await onServer(server, `drop database ${name} with (force)`);
}
process.exitCode = isOver ? 1 : 0;
