import { readConfig } from './src/config.ts';
import { ormOptions } from './src/persistence/orm-options.ts';

/** For MikroORM's own tools: the same options that the service starts with. */
export default ormOptions(readConfig(process.env));
