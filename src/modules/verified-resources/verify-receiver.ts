import { isTeam, newId, userOrTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { EMAIL_CODES } from '../../core/text.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { actorOf, type Owner, requireInCharge } from '../levels/reach.ts';
import { spendCode, tryCode, typedDigits } from './verification-code.ts';
import { verifiedIn } from './verified-resource.queries.ts';
import { MAX_VERIFIED, ownerGone, type ReceiverKind } from './verified-resource.rules.ts';

/**
 * One code has this many tries, from wherever: the caller is in charge of the owner, so nobody can lock out anybody
 * else.
 */
export const MOST_TRIES = 3;

const CODES = ['INVALID_VERIFICATION_CODE', 'TOO_MANY_GUESSES', 'TOO_MANY'] as const;
export const VERIFY_EMAIL_CODES = [...EMAIL_CODES, ...CODES] as const;
export const VERIFY_PHONE_CODES = ['INVALID_PHONE', ...CODES] as const;

/**
 * Has a receiver verified for its owner by the code that was sent there, which is used up. @returns the id of what is verified:
 * the same if it was before, and who gives the code answers for it from now on. `receiver` is checked (`checkedEmail`, `checkedPhone`).
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID_VERIFICATION_CODE, TOO_MANY_GUESSES, TOO_MANY
 */
export async function verifyReceiver(
  em: Em,
  kind: ReceiverKind,
  owner: Owner,
  { receiver, code: typedCode }: { readonly receiver: string; readonly code: string },
  key: Uint8Array,
): Promise<string> {
  if (typedDigits(typedCode) === undefined) throw invalidCode();
  const { ownerId } = owner;
  // Before a try is counted: only who is in charge uses any up.
  await requireInCharge(em, owner, ownerGone());
  const code = await tryCode(em, { ownerId, subject: kind, receiver }, typedCode, { key, most: MOST_TRIES });
  if (code === 'TOO_MANY') throw tooManyTries();
  if (code === 'WRONG') throw invalidCode();
  return em.transactional(async (inner) => {
    // One at a time for each owner, so that the count below is true.
    const owners = sql.table(isTeam(ownerId) ? 'teams' : 'users');
    if (!(await row(inner, sql`select id from ${owners} where id = ${ownerId} for no key update`))) throw ownerGone();
    if (!(await spendCode(inner, code))) throw invalidCode();
    const { userId, teamId } = userOrTeam(ownerId);
    const table = verifiedIn(kind);
    const verified = await row(
      inner,
      sql<{ id: string }>`
        insert into ${table} (owner_id, id, user_id, team_id, receiver, verified_by_id, verified_at)
        select ${ownerId}::uuid, ${newId()}::uuid, ${userId}::uuid, ${teamId}::uuid, ${receiver}::text, ${actorOf(owner)}::uuid, now()
        where ${owner.isInCharge}
          and (select count(*) from ${table} where owner_id = ${ownerId} and receiver <> ${receiver}) < ${MAX_VERIFIED}::int
        on conflict (owner_id, receiver) do update set verified_at = excluded.verified_at, verified_by_id = excluded.verified_by_id
        returning id`,
    );
    if (verified) return verified.id;
    await owner.refuse(inner);
    throw tooMany();
  });
}

/** The same for a wrong code, for one that is over or used, and where none was sent. */
function invalidCode(): Problem {
  const message = 'The code is wrong, over or used; give the one that was sent last, or request another one.';
  return new Problem('INVALID_VERIFICATION_CODE', message, ['code']);
}

function tooManyTries(): Problem {
  const message = `This code was tried ${MOST_TRIES} times; request another one.`;
  return new Problem('TOO_MANY_GUESSES', message, ['code']);
}

function tooMany(): Problem {
  return new Problem(
    'TOO_MANY',
    `There are already ${MAX_VERIFIED} verified ones, which is the limit; delete one first.`,
  );
}
