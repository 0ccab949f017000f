import process from 'node:process';
import { readConfig } from './src/config.ts';
import { openDataFolder } from './src/persistence/embedded/data-folder.ts';
import { ormOptions } from './src/persistence/orm-options.ts';

const config = readConfig(process.env);
// It has one process at a time. The lock ends with this one.
await (await openDataFolder(config))?.made;

/** For MikroORM's command line (`npx mikro-orm migration:check`): the same options that the service starts with. */
export default await ormOptions(config);
