import { macOf } from '../../src/core/secret.ts';
import { type Em, row, sql } from '../../src/database/sql.ts';
import { answerPath as mailAnswerPath } from '../../src/limits/mail-receivers.ts';
import { hostIdsOf } from '../../src/modules/bookings/booking.entity.ts';
import { answerLink, answerToken } from '../../src/modules/bookings/change/confirm-booking.ts';
import { openStoredKeys } from '../../src/oauth/keys/signing-keys.ts';
import { SECRET_KEY } from './app.ts';
import { ownedUuidOf } from './ids.ts';

/** The path that the mail to the only host of a booking names, as the service derives it. */
export async function answerPath(em: Em, uid: string): Promise<string> {
  const booking = ownedUuidOf(uid);
  const host = await row(
    em,
    sql<{
      id: string;
      email: string;
    }>`select u.id, u.email from bookings b join users u on u.id = any(${hostIdsOf('b')})
      where b.owner_id = ${booking.ownerId} and b.id = ${booking.id}`,
  );
  if (!host) throw new Error(`Nobody hosts ${uid}.`);
  return answerLink('', booking, answerToken(await linkKey(em), booking, host));
}

/** The path that mails to somebody name, about these bookings and seats, where they can say that it was not them. */
export async function notMePath(em: Em, address: string, about: readonly string[] = ['none']): Promise<string> {
  return mailAnswerPath(await linkKey(em), address, about);
}

async function linkKey(em: Em): Promise<Uint8Array> {
  const stored = await openStoredKeys(em, { current: Buffer.from(SECRET_KEY, 'base64url') });
  const derivation = stored.find(({ purpose }) => purpose === 'DERIVATION');
  if (!derivation) throw new Error('The service has no key for links.');
  return macOf(derivation.key, 'links in mails');
}
