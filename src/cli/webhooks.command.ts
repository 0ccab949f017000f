import { ownedIdOf, publicOwnedId } from '../core/id.ts';
import { findGivenUpDeliveries, retryGivenUpDeliveries } from '../modules/webhooks/request-delivery.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const MOST_LISTED = 50;
const HELP = `  (nothing)         the last ${MOST_LISTED} messages to webhooks that were given up, with where they were to go and why
  retry <id>        has one that was given up sent once more, if its webhook is active
  retry --all       has all of them sent once more`;

export const command: Command = {
  usage: 'webhooks',
  summary: 'lists the messages to webhooks that were given up; sends them once more',
  help: HELP,
  run: async (args) => {
    const [action, which, ...rest] = args;
    if (action === undefined) return list();
    if (action !== 'retry' || which === undefined || rest.length > 0) {
      throw new UsageError('Call it as: gatehouse webhooks, or gatehouse webhooks retry <id>|--all');
    }
    return retry(which);
  },
};

function list(): Promise<number> {
  return withDatabase(async ({ em }) => {
    const found = await findGivenUpDeliveries(em.fork(), MOST_LISTED);
    if (found.length === 0) console.log('No message to a webhook was given up.');
    for (const { ownerId, id, trigger, createdAt, url, last } of found) {
      const why = last === null ? 'never tried' : (last.error ?? `status ${last.status}`);
      // Only the origin is shown, since the rest of an address may be a key. What a server has sent must not steer the terminal.
      const line = `${publicOwnedId('webhookDelivery', { ownerId, id })}  ${trigger}  ${createdAt}  ${new URL(url).origin}  ${why}`;
      console.log(line.replaceAll(/\p{Cc}+/gu, ' '));
    }
    return 0;
  });
}

function retry(which: string): Promise<number> {
  const delivery = which === '--all' ? undefined : ownedIdOf('webhookDelivery', which);
  if (which !== '--all' && !delivery) throw new UsageError(`${JSON.stringify(which)} is no id of a message (whd_…).`);
  return withDatabase(async ({ em }) => {
    const count = await retryGivenUpDeliveries(em.fork(), delivery);
    if (count === 0 && delivery) {
      throw new Error('No such message was given up, or its webhook is not active: see gatehouse webhooks.');
    }
    console.log(`${count} to be sent once more, by the service as soon as it runs.`);
    return 0;
  });
}
