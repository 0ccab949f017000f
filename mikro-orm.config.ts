import process from 'node:process';
import { readConfig } from './src/config.ts';
import { lockDataFolder } from './src/persistence/data-folder-lock.ts';
import { isInMemory, ormOptions } from './src/persistence/orm-options.ts';

const config = readConfig(process.env);
// It has one process at a time. The lock ends with this one.
if (config.databaseUrl === undefined && !isInMemory(config)) await lockDataFolder(config.dataDir);

/** For MikroORM's command line (`npx mikro-orm migration:check`): the same options that the service starts with. */
export default await ormOptions(config);
