import { randomBytes } from 'node:crypto';
import type { OwnedId } from '../../../core/id.ts';
import type { AttendeeKey, Uids } from '../booking-key.rules.ts';
import { answerToken, type MailedHost } from '../change/confirm-booking.ts';
import { type InvitingBooker, releaseToken } from '../change/release-guests.ts';

/** The right to open a page that is for the reader of a message alone: what its address holds is made of this. */
type PageRight =
  | { readonly opens: 'BOOKING'; readonly key: AttendeeKey }
  | { readonly opens: 'ANSWER'; readonly booking: OwnedId; readonly host: MailedHost }
  | { readonly opens: 'GUESTS'; readonly booker: InvitingBooker };

/** Writes the part of an address that opens the page. */
export type PageCode = (right: PageRight) => string;

/** The codes themselves, for messages that leave at once. */
export function pageCode({ uids, linkKey }: { readonly uids: Uids; readonly linkKey: Uint8Array }): PageCode {
  return (right) => {
    if (right.opens === 'BOOKING') return uids.of(right.key);
    if (right.opens === 'ANSWER') return answerToken(linkKey, right.booking, right.host);
    return releaseToken(linkKey, right.booker);
  };
}

/** The rights of a mail that is kept until it is sent, by the texts that stand for their codes in it. */
export type HeldRights = Readonly<Record<string, PageRight>>;

/**
 * Texts in the place of codes, since the database is read by more people than a mail: whoever sends it puts the codes in (`withCodes`).
 * They are random, so nobody can have one written into a mail of theirs.
 */
export class CodesToCome {
  readonly #rights: Record<string, PageRight> = {};

  readonly code: PageCode = (right) => {
    const text = randomBytes(24).toString('base64url');
    this.#rights[text] = right;
    return text;
  };

  get rights(): HeldRights {
    return this.#rights;
  }
}

/** The mail as it is sent. */
export function withCodes<Mail>(mail: Mail, rights: HeldRights, code: PageCode): Mail {
  let text = JSON.stringify(mail);
  for (const [standsFor, right] of Object.entries(rights)) text = text.replaceAll(standsFor, () => code(right));
  return JSON.parse(text) as Mail;
}
