/**
 * links/ owns the one-time links that prove an e-mail address, and the mails that carry them. It may import no other
 * room.
 */
import { Problem } from '../../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../../core/secret.ts';
import { anyOf, changed, type Em, NOW, type RawBuilder, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import { AccountLink } from '../user.entity.ts';
import { LINK_MINUTES, type LinkKind } from './account-mail.rules.ts';

/** 256 random bits. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

interface NewLink {
  readonly userId: string;
  readonly kind: LinkKind;
  readonly email: string;
  /**
   * The hash that the password was compared with, for kinds that take one: once another one is stored, there is no
   * link.
   */
  readonly passwordHash?: string;
}

/**
 * Makes a link for an account that is not suspended; the one before of its kind is void. @returns the token, which only
 * the mail holds; undefined when there is no such account, or it has another password by now
 */
export async function makeLink(em: Em, { userId, kind, email, passwordHash }: NewLink): Promise<string | undefined> {
  const token = randomBase62(43);
  // `for share` waits for a change of the password that is under way, and then looks at what it left: without it, a link
  // made beside that change would be missed by what voids links, and live on.
  const unchanged = passwordHash === undefined ? sql`` : sql`and password_hash = ${passwordHash} for share`;
  const made = await changed(
    em,
    sql`insert into account_links (user_id, kind, token_hash, email, created_at, expires_at)
        select id, ${kind}::text, ${sha256Hex(token)}::text, ${email}::text, now(),
          now() + make_interval(mins => ${LINK_MINUTES[kind]})
        from users where id = ${userId} and suspended_at is null ${unchanged}
        on conflict (user_id, kind) do update set token_hash = excluded.token_hash, email = excluded.email,
          created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );
  return made > 0 ? token : undefined;
}

interface FoundLink {
  readonly kind: LinkKind;
  readonly email: string;
  readonly username: string;
}

/** Finds the purpose of a link without using it up: programs open the links of mails before people do. */
export async function findLink(em: Em, token: string, kinds: readonly LinkKind[]): Promise<FoundLink | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return row(
    em,
    sql<FoundLink>`
      select l.kind, l.email, u.username from account_links l join users u on u.id = l.user_id
      where ${isLink(token, kinds)} and u.suspended_at is null`,
  );
}

/**
 * SQL that uses a link up: a `with` list whose `used` holds its row, for one statement that decides who was first, and
 * `before` the account as it was. That is locked before the link, as by all who change both, or two of them would wait
 * for each other; `for update`, so that whatever is inserted for the account meanwhile is there before what follows looks for it.
 */
export function useLink(token: string, kinds: readonly LinkKind[]): RawBuilder<unknown> {
  return sql`
    before as (
      select u.id, u.email, u.email_verified_at from users u
      where u.id = (select l.user_id from account_links l where ${isLink(token, kinds)})
      for update
    ),
    used as (
      delete from account_links l using before where l.user_id = before.id and ${isLink(token, kinds)}
      returning l.user_id, l.kind, l.email
    )`;
}

function isLink(token: string, kinds: readonly LinkKind[]): RawBuilder<unknown> {
  return sql`l.token_hash = ${sha256Hex(token)} and l.kind = any(${kinds}::text[]) and l.expires_at > now()`;
}

/** Makes the links of an account useless, wherever they were mailed. */
export async function voidLinks(em: Em, userId: string, kinds: readonly LinkKind[]): Promise<number> {
  return changed(em, deleteFrom(AccountLink, { userId }).where('kind', '=', anyOf(kinds)));
}

/** The address that an account is about to get, if its link was not followed yet. */
export async function findPendingEmail(em: Em, userId: string): Promise<string | undefined> {
  const found = await row(
    em,
    selectFrom(AccountLink, { userId, kind: 'CHANGE_EMAIL' }).where('expiresAt', '>', NOW).select('email'),
  );
  return found?.email;
}

/** The same for a link that was used, is over, was replaced by a later one, or never was. */
export function linkOver(): Problem {
  const message = 'This link was used already, its time is over, or a later mail has taken its place.';
  return new Problem('LINK_OVER', message);
}

/** Sweeps away links that are over. */
export const removeExpiredLinks = sweepOf(AccountLink, 'expiresAt');
