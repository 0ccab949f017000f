import process from 'node:process';
import { type Config, readConfig } from '../config.ts';
import { connect, type Database } from '../persistence/connect.ts';

/** Runs work on the configured database, migrated, and closes it again. @throws ConfigError */
export async function withDatabase<Result>(
  work: (database: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env);
  const database = await connect(config);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
