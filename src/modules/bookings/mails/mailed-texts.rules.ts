import { inLanguages } from '../../../core/language.ts';
import { isSaidByAttendee } from '../../event-types/settings/location.rules.ts';
import type { BookedLocation } from '../booking-location.rules.ts';
import { SAID_DE } from '../booking-words.de.rules.ts';
import { SAID_EN } from '../booking-words.en.rules.ts';

/** Which texts of which author a mail may show to which receiver. */

declare const MAILABLE: unique symbol;
/**
 * A text that may be mailed to its reader: ours, or that of somebody whose e-mail address is known to be theirs. What
 * anybody else has written could be mailed in our name to any address they choose.
 */
export type Said = string & { readonly [MAILABLE]: true };

/** The author of a text: the owner of the event type, a host, or somebody who comes. */
export type Author =
  | { readonly kind: 'OWNER' }
  | { readonly kind: 'HOST'; readonly id: string }
  | { readonly kind: 'ATTENDEE'; readonly verified: boolean };

/** The writers of texts whose e-mail addresses are verified. */
export interface Verified {
  /** Whether the owner is verified: the user, or somebody who leads the team. */
  readonly isOwner: boolean;
  readonly userIds: ReadonlySet<string>;
}

/**
 * A verified host has put up the form, and hears what is written into it, also by strangers; but no link of theirs.
 * Everybody else hears from those alone who are verified.
 */
export type Listener = 'VERIFIED_HOST' | 'ANYBODY';

/** The person who reads the words. */
export interface Recipient {
  readonly listener: Listener;
  /** BCP 47: what stands in the place of a text is in their language. */
  readonly locale: string;
}

const wordsFor = inLanguages(SAID_EN, { de: SAID_DE });

/** Words of ours, and what programs have made: never what somebody has typed. */
export function ours(text: string): Said {
  return text as Said;
}

/** Writes the sentences of an author, or a note in their place. */
export function saidBy(author: Author, text: string, recipient: Recipient, verified: Verified): Said {
  const { notInMails, noLinksInMails } = wordsFor(recipient.locale);
  return heard(author, text, recipient.listener, verified, ours(notInMails), ours(noLinksInMails));
}

/** A name or a title that somebody has given, or a word for what has none. */
export function calledBy(author: Author, name: string, recipient: Recipient, verified: Verified): Said {
  const neutral = ours(wordsFor(recipient.locale).neutral[author.kind]);
  return heard(author, name, recipient.listener, verified, neutral, neutral);
}

/** The author of the location: a host who changed it, the booker, or the author of the event type. */
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

/** Whether mail programs would make a link of a part of the text. */
function holdsLink(text: string): boolean {
  return LINK.test(text.normalize('NFKC'));
}
