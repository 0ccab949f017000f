import { ownerOf } from '../../../core/id.ts';
import { randomBase62 } from '../../../core/secret.ts';

/** 22 characters of 62 hold 131 bits. */
const SECRET_LENGTH = 22;
const TOKEN = new RegExp(`^(lnk_[0-9a-z]{41})([0-9A-Za-z]{${SECRET_LENGTH}})$`);

export interface PrivateLinkToken {
  readonly ownerId: string;
  readonly id: string;
  readonly secret: string;
}

export function newPrivateLinkSecret(): string {
  return randomBase62(SECRET_LENGTH);
}

/** What stands in the link's address: its id, which leads to its shard, and what nobody can guess. */
export function privateLinkToken({ id, secret }: { readonly id: string; readonly secret: string }): string {
  return id + secret;
}

/** Undefined for what cannot be a token. */
export function parsePrivateLinkToken(token: string): PrivateLinkToken | undefined {
  const [, id, secret] = (token.length > 100 ? null : TOKEN.exec(token)) ?? [];
  const ownerId = id === undefined ? undefined : ownerOf('privateLink', id);
  return ownerId === undefined || id === undefined || secret === undefined ? undefined : { ownerId, id, secret };
}
