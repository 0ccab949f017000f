import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const command: Command = {
  usage: 'migrate',
  summary: 'brings the database to the newest schema; the service does so by itself when it starts',
  run: () =>
    withDatabase(async ({ isEmbedded }, { dataDir }) => {
      console.log(`${isEmbedded ? `The embedded database in ${dataDir}` : 'PostgreSQL'} has the newest schema.`);
      return 0;
    }),
};
