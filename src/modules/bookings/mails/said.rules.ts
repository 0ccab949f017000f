/** Which texts of which author a mail may show to which receiver. */
import { isSaidByAttendee } from '../../event-types/settings/location.rules.ts';
import type { BookedLocation } from '../booking-location.rules.ts';

declare const MAILABLE: unique symbol;
/**
 * A text that may be mailed to its reader: ours, or that of somebody whose e-mail address is known to be theirs. What
 * anybody else has written could be mailed in our name to any address they choose.
 */
export type Said = string & { readonly [MAILABLE]: true };

/** Who has written something: the owner of the event type, a host, or somebody who comes. */
export type Author =
  | { readonly kind: 'OWNER' }
  | { readonly kind: 'HOST'; readonly id: string }
  | { readonly kind: 'ATTENDEE'; readonly verified: boolean };

/** Those whose e-mail address is verified. */
export interface Verified {
  /** Of the owner: a user, or somebody who leads the team. */
  readonly isOwner: boolean;
  readonly userIds: ReadonlySet<string>;
}

/**
 * A verified host has put up the form, and hears what is written into it, also by strangers; but no link of theirs.
 * Everybody else hears from those alone who are verified.
 */
export type Listener = 'VERIFIED_HOST' | 'ANYBODY';

/** In the place of what is not mailed: the page of the booking shows it. */
const NOT_IN_MAILS = ours('(not in this mail: who wrote it has not verified their e-mail address)');
const NO_LINKS_IN_MAILS = ours(
  '(not in this mail: it holds a link or an address, and who wrote it has not verified theirs)',
);
const NEUTRAL = { OWNER: ours('Meeting'), HOST: ours('a host'), ATTENDEE: ours('an attendee') } as const;

/** Words of ours, and what programs have made: never what somebody has typed. */
export function ours(text: string): Said {
  return text as Said;
}

/** What somebody has written in sentences, or a note in its place. */
export function saidBy(author: Author, text: string, listener: Listener, verified: Verified): Said {
  return heard(author, text, listener, verified, NOT_IN_MAILS, NO_LINKS_IN_MAILS);
}

/** A name or a title that somebody has given, or a word for what has none. */
export function calledBy(author: Author, name: string, listener: Listener, verified: Verified): Said {
  return heard(author, name, listener, verified, NEUTRAL[author.kind], NEUTRAL[author.kind]);
}

/** Who chose the location: a host who changed it, the booker, or the author of the event type. */
export function authorOfPlace(
  { type, saidBy: id }: BookedLocation,
  booker: { readonly verified: boolean } | undefined,
): Author {
  if (id !== undefined) return { kind: 'HOST', id };
  return isSaidByAttendee(type) ? { kind: 'ATTENDEE', verified: booker?.verified ?? false } : { kind: 'OWNER' };
}

function heard(
  author: Author,
  text: string,
  listener: Listener,
  verified: Verified,
  instead: Said,
  insteadOfLinks: Said,
): Said {
  if (isVerified(author, verified)) return text as Said;
  if (author.kind !== 'ATTENDEE' || listener !== 'VERIFIED_HOST') return instead;
  return holdsLink(text) ? insteadOfLinks : (text as Said);
}

function isVerified(author: Author, { isOwner, userIds }: Verified): boolean {
  switch (author.kind) {
    case 'OWNER':
      return isOwner;
    case 'HOST':
      return userIds.has(author.id);
    case 'ATTENDEE':
      return author.verified;
  }
}

// Whatever mail programs make a link of: also a domain alone, in any capitals, and an e-mail address.
const LINK = /:\/\/|@|[\p{L}\p{N}_-]\.\p{L}{2}/u;

/** Whether mail programs would lead somewhere by it. */
function holdsLink(text: string): boolean {
  return LINK.test(text.normalize('NFKC'));
}
