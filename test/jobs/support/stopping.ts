/**
 * Stops what another person has left in an account, and brings it back, as by the proof of its address and by its
 * owner's click.
 */
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { selectFrom } from '../../../src/database/statements.ts';
import { reviveThing } from '../../../src/oauth/stopped/revive-thing.ts';
import { stopThings } from '../../../src/oauth/stopped/stop-things.ts';
import { StoppedThing } from '../../../src/oauth/stopped/stopped-thing.entity.ts';

const address = '192.0.2.1';
// No client and no webhook is revived with these.
const SETTINGS = {
  authorizationServer: undefined as never,
  webhooksKey: new Uint8Array(32),
  allowPrivateNetwork: false,
};

export async function stopAll(em: Em, userId: string): Promise<void> {
  await em.transactional(async (inner) => {
    await rows(inner, sql`select 1 from users where id = ${userId} for update`);
    await stopThings(inner, { userId, address });
  });
}

/** In the order in which they stopped: groups first. @returns how many things came back */
export async function reviveAll(em: Em, userId: string): Promise<number> {
  const things = await rows(em, selectFrom(StoppedThing, { userId }).select(['id', 'address']).orderBy('id'));
  for (const { id, address: shown } of things) await reviveThing(em, SETTINGS, { userId, id, address, shown });
  return things.length;
}
