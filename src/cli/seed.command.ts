import { seedDemo } from '../persistence/seed-demo.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const command: Command = {
  usage: 'seed',
  summary: 'writes the demo data: users, teams, OAuth clients (never in production)',
  run: () =>
    withDatabase(async ({ em }, { isProduction }) => {
      if (isProduction) throw new Error('The demo data is not for production: its passwords and secrets are public.');
      await seedDemo(em.fork());
      console.log('The demo data is there. The password of every demo user is gatehouse-demo.');
      return 0;
    }),
};
