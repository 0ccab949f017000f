import { openStoredKeys, rotateSigningKey, rotateUidKey } from '../oauth/keys/signing-keys.ts';
import { masterKeys } from '../persistence/master-key.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const command: Command = {
  usage: 'keys rotate [uids]',
  summary:
    'publishes a new key for signing access tokens, or makes one that writes uids of bookings; it begins when everybody can know it',
  run: async ([action, what, ...rest]) => {
    const isKnown = action === 'rotate' && (what === undefined || what === 'uids') && rest.length === 0;
    if (!isKnown) throw new UsageError('Call it as: gatehouse keys rotate, or gatehouse keys rotate uids');
    return withDatabase(async ({ em }, config) => {
      const master = await masterKeys(config);
      // Under the wrong master key the new key would be one that no process can open.
      await openStoredKeys(em.fork(), master);
      if (what === 'uids') {
        const { number, activeAt, deleted } = await rotateUidKey(em.fork(), master);
        console.log(`Key ${number} writes uids from ${activeAt.toString()} on.`);
        if (deleted.length > 0) console.log(`Deleted, as all bookings under them are over: ${deleted.join(', ')}.`);
        return 0;
      }
      const { kid, activeAt } = await rotateSigningKey(em.fork(), master);
      console.log(`The key ${kid} is published and signs from ${activeAt.toString()} on.`);
      return 0;
    });
  },
};
