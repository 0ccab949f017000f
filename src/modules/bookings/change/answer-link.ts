import { type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { equalsInConstantTime, macOf } from '../../../core/secret.ts';

/** A host, and the address that a mail to them goes to. */
interface MailedHost {
  readonly id: string;
  readonly email: string;
}

/**
 * The page where a host answers a request without being signed in. The last part of its address is only known from the mail to
 * that host. It is derived from the booking, the host and their address, so that nothing is stored. It opens nothing for another
 * host, nor for another booking, which a moved one becomes, nor once the host has another address.
 */
export function answerLink(publicUrl: string, key: Uint8Array, booking: OwnedId, host: MailedHost): string {
  return `${publicUrl}/bookings/${publicOwnedId('booking', booking)}/answer/${tokenFor(key, booking, host)}`;
}

export function isAnswerToken(key: Uint8Array, booking: OwnedId, host: MailedHost, token: string): boolean {
  return equalsInConstantTime(token, tokenFor(key, booking, host));
}

function tokenFor(key: Uint8Array, { ownerId, id }: OwnedId, host: MailedHost): string {
  return macOf(key, 'answer', ownerId, id, host.id, host.email.toLowerCase()).toString('base64url');
}
