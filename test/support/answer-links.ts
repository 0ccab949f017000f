import { macOf } from '../../src/core/secret.ts';
import { type Em, row, sql } from '../../src/database/sql.ts';
import { answerLink } from '../../src/modules/bookings/change/answer-link.ts';
import { hostIdsOf } from '../../src/modules/bookings/host-ids.queries.ts';
import { openStoredKeys } from '../../src/oauth/keys/stored-keys.ts';
import { SECRET_KEY } from './app.ts';
import { ownedUuidOf } from './ids.ts';

/** The path that the mail to the only host of a booking names, as the service derives it. */
export async function answerPath(em: Em, uid: string): Promise<string> {
  const stored = await openStoredKeys(em, { current: Buffer.from(SECRET_KEY, 'base64url') });
  const derivation = stored.find(({ purpose }) => purpose === 'DERIVATION');
  const booking = ownedUuidOf(uid);
  const host = await row(
    em,
    sql<{
      id: string;
      email: string;
    }>`select u.id, u.email from bookings b join users u on u.id = any(${hostIdsOf('b')})
      where b.owner_id = ${booking.ownerId} and b.id = ${booking.id}`,
  );
  if (!derivation || !host) throw new Error(`Nobody hosts ${uid}.`);
  return answerLink('', macOf(derivation.key, 'links in mails'), booking, host);
}
