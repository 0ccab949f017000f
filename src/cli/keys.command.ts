import { openStoredKeys, rotateSigningKey } from '../oauth/keys/signing-keys.ts';
import { masterKeys } from '../persistence/master-key.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const command: Command = {
  usage: 'keys rotate',
  summary: 'publishes a new key for signing access tokens; it begins to sign when everybody can know it',
  run: async ([action, ...rest]) => {
    if (action !== 'rotate' || rest.length > 0) throw new UsageError('Call it as: gatehouse keys rotate');
    return withDatabase(async ({ em }, config) => {
      const master = await masterKeys(config);
      // Under the wrong master key the new key would be one that no process can open.
      await openStoredKeys(em.fork(), master);
      const { kid, activeAt } = await rotateSigningKey(em.fork(), master);
      console.log(`The key ${kid} is published and signs from ${activeAt.toString()} on.`);
      return 0;
    });
  },
};
