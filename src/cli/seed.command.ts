import { seedDemo } from '../persistence/seed-demo.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const command: Command = {
  usage: 'seed',
  summary: 'writes the demo data: users, teams, OAuth clients (never in production)',
  run: () =>
    withDatabase(async ({ em }, { isForThisMachine, isDemoOpen }) => {
      if (!isForThisMachine && !isDemoOpen)
        throw new Error(
          'The demo data is not for a service that others reach: its passwords and secrets are public. HOST and PUBLIC_URL lead elsewhere, or NODE_ENV is production; where the demo is for everybody, say SEED_DEMO=on.',
        );
      await seedDemo(em.fork());
      console.log('The demo data is there. The password of every demo user is gatehouse-demo.');
      return 0;
    }),
};
