import { type OwnedId, ownedIdOf, publicOwnedId } from '../../../core/id.ts';
import { randomBase62 } from '../../../core/secret.ts';

/** 22 characters of 62 hold 131 bits. */
const SECRET_LENGTH = 22;
const TOKEN = /^(lnk_[\w-]{43})([0-9A-Za-z]{22})$/;

export interface PrivateLinkToken extends OwnedId {
  readonly secret: string;
}

export function newPrivateLinkSecret(): string {
  return randomBase62(SECRET_LENGTH);
}

/** The token in the link's address: its id, which leads to its shard, and a secret that nobody can guess. */
export function privateLinkToken({ secret, ...link }: PrivateLinkToken): string {
  return publicOwnedId('privateLink', link) + secret;
}

/** Undefined for what cannot be a token. */
export function parsePrivateLinkToken(token: string): PrivateLinkToken | undefined {
  const [, named = '', secret = ''] = (token.length > 100 ? null : TOKEN.exec(token)) ?? [];
  const link = ownedIdOf('privateLink', named);
  return link && { ...link, secret };
}
