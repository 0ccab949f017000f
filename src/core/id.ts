import { randomBytes } from 'node:crypto';

/** What an id names; the tag is the visible start of the id, so that one kind is never taken for another. */
export const ID_TAGS = {
  user: 'usr',
  session: 'ses',
  organization: 'org',
  team: 'tea',
  membership: 'mem',
  schedule: 'sch',
  outOfOffice: 'ooo',
  eventType: 'evt',
  location: 'loc',
  privateLink: 'lnk',
  booking: 'bkg',
  seat: 'sea',
  reservation: 'rsv',
  attendee: 'att',
  domainEvent: 'evn',
  secret: 'sec',
  interaction: 'int',
  grant: 'grt',
  auditEvent: 'aud',
} as const;
export type IdKind = keyof typeof ID_TAGS;

// Crockford's alphabet in lower case: no i, l, o, u, so an id survives being read aloud; it sorts like its number.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BODY = '[0-9a-hjkmnp-tv-z]{20}';

let lastTime = 0;

/**
 * 20 characters: 48 bits of milliseconds, so that new rows land at the end of an index, then 50 random bits.
 * Of two ids of one process, the later one is greater, also in one millisecond: attendees and events are in that order.
 * Ids are made in code, never by a sequence of the database (which would not survive sharding). They are no secrets.
 */
export function newIdBody(): string {
  const bytes = randomBytes(10);
  lastTime = Math.max(Date.now(), lastTime + 1);
  let time = lastTime;
  let body = '';
  for (let i = 0; i < 10; i += 1) {
    body = ALPHABET[time % 32] + body;
    time = Math.floor(time / 32);
  }
  for (const byte of bytes) body += ALPHABET[byte & 31];
  return body;
}

export function newId(kind: IdKind): string {
  return `${ID_TAGS[kind]}_${newIdBody()}`;
}

const PATTERNS = Object.fromEntries(
  Object.entries(ID_TAGS).map(([kind, tag]) => [kind, new RegExp(`^${tag}_${BODY}$`)]),
) as Record<IdKind, RegExp>;

/** Whether `text` is an id of this kind. A wrong one never reaches the database. */
export function isId(kind: IdKind, text: string): boolean {
  return PATTERNS[kind].test(text);
}

/** The same body under another tag: a grant has the body of its interaction, so both live on one shard. */
export function retagId(kind: IdKind, id: string): string {
  return `${ID_TAGS[kind]}_${id.slice(id.indexOf('_') + 1)}`;
}

const OWNED = new RegExp(`^([a-z]{3})_([ut])(${BODY})(${BODY})$`);
const OWNER_LETTERS = { u: 'user', t: 'team' } as const;

/** The id of something that belongs to a user or a team; it carries its owner, which is the key its row is sharded by. */
export function newOwnedId(kind: IdKind, ownerId: string): string {
  const letter = isId('team', ownerId) ? 't' : 'u';
  return `${ID_TAGS[kind]}_${letter}${ownerId.slice(ownerId.indexOf('_') + 1)}${newIdBody()}`;
}

/** The owner's id that an owned id carries, or undefined when `text` is no such id. */
export function ownerOf(kind: IdKind, text: string): string | undefined {
  const match = OWNED.exec(text);
  if (!match || match[1] !== ID_TAGS[kind]) return undefined;
  return `${ID_TAGS[OWNER_LETTERS[match[2] as 'u' | 't']]}_${match[3]}`;
}
