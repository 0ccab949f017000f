import { randomUUID } from 'node:crypto';
import { newId, userOrTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { equalsInConstantTime, macOf } from '../../core/secret.ts';
import { EMAIL_CODES } from '../../core/text.ts';
import { changed, type Em, fromNow, NOW, row, sql } from '../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../database/statements.ts';
import { sweepOf } from '../../database/sweep.ts';
import { TooManyGuesses, type Verification } from '../../limits/guess-limit.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import type { SmsLimit } from '../../limits/sms-limit.ts';
import type { SmsAdmission } from '../../sms/sms.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { actorOf, type Owner, requireInCharge } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { mailOfCode } from './verification-words.rules.ts';
import { VerificationCode } from './verified-resource.entity.ts';
import { verifiedIn } from './verified-resource.queries.ts';
import {
  CODE_MINUTES,
  checkedEmail,
  checkedPhone,
  MAX_VERIFIED,
  ownerGone,
  type ReceiverKind,
} from './verified-resource.rules.ts';

const KEPT: KeptRows = { what: 'verified ones', most: MAX_VERIFIED };

const REQUEST_CODES = ['EMAIL_NOT_VERIFIED', 'TOO_MANY_GUESSES'] as const;
export const REQUEST_EMAIL_CODES = [...EMAIL_CODES, ...REQUEST_CODES, 'TOO_MANY_MAILS'] as const;
export const REQUEST_PHONE_CODES = ['INVALID_PHONE', ...REQUEST_CODES, 'TOO_MANY_SMS', 'SMS_UNAVAILABLE'] as const;

/** How codes get to phones. */
export interface CodesBySms {
  readonly smsLimit: SmsLimit;
  /** Has an SMS with the code sent, once the transaction of `em` is done. */
  readonly send: (em: Em, code: SentCode, admission: SmsAdmission) => Promise<void>;
}

/**
 * One code has this many tries, from wherever: the caller is in charge of the owner, so nobody can lock out anybody
 * else.
 */
export const MOST_TRIES = 3;

const VERIFY_CODES = ['INVALID_VERIFICATION_CODE', 'TOO_MANY_GUESSES', 'TOO_MANY'] as const;
export const VERIFY_EMAIL_CODES = [...EMAIL_CODES, ...VERIFY_CODES] as const;
export const VERIFY_PHONE_CODES = ['INVALID_PHONE', ...VERIFY_CODES] as const;

/** A code is bound to these: it is worth nothing for anything else. */
export interface CodeFor {
  /** A user or a team. */
  readonly ownerId: string;
  /** The purpose: the id of the event type that is booked, or the kind of a receiver that is to be verified. */
  readonly subject: string;
  /** In one spelling (`receiverOf`). */
  readonly receiver: string;
}

/** A code that was sent, as far as tables know it: of two for the same, which one. */
export interface SentCode extends CodeFor {
  readonly salt: string;
}

/** Sweeps away codes that are over. */
export const removeExpiredVerificationCodes = sweepOf(VerificationCode, 'expiresAt');

/**
 * Mails a code to an address, by which it is verified for the owner; an earlier one is void. The answer is the same whether or
 * not anybody else knows the address. @throws Problem NOT_FOUND, FORBIDDEN, REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED,
 * TOO_MANY_GUESSES, TOO_MANY_MAILS
 */
export async function requestEmailVerification(
  em: Em,
  owner: Owner,
  { email, actorId }: { readonly email: string; readonly actorId: string },
  verification: Verification,
): Promise<void> {
  const about = { ownerId: owner.ownerId, subject: 'EMAIL', receiver: checkedEmail(email) };
  await requireMayRequest(em, owner, actorId);
  await countRequest(about, verification);
  const { key, mailLimit, send } = verification;
  const { receiver: to, ownerId } = about;
  const cause = { kind: 'CODE', userId: actorId } as const;
  const admission = await mailLimit.require(em, { to, cause, purpose: 'ACCESS', ownerId });
  send({ to, ...mailOfCode(digitsOf(key, await issueCode(em, about))) }, admission);
}

/**
 * Sends a code to a number by SMS. @throws Problem NOT_FOUND, FORBIDDEN, INVALID_PHONE, SMS_UNAVAILABLE, EMAIL_NOT_VERIFIED,
 * TOO_MANY_GUESSES, TOO_MANY_SMS
 */
export async function requestPhoneVerification(
  em: Em,
  owner: Owner,
  { phone, actorId }: { readonly phone: string; readonly actorId: string },
  { verification, codesBySms }: { readonly verification: Verification; readonly codesBySms: CodesBySms | undefined },
): Promise<void> {
  const about = { ownerId: owner.ownerId, subject: 'PHONE', receiver: checkedPhone(phone) };
  await requireMayRequest(em, owner, actorId);
  if (!codesBySms) throw smsUnavailable();
  await countRequest(about, verification);
  const { smsLimit, send } = codesBySms;
  const admission = await smsLimit.require(em, { to: about.receiver, ownerId: about.ownerId, userId: actorId });
  await em.transactional(async (inner) => send(inner, await issueCode(inner, about), admission));
}

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
    await lockOwnerAlone(inner, owner, ownerGone());
    if (!(await spendCode(inner, code))) throw invalidCode();
    const { userId, teamId } = userOrTeam(ownerId);
    const table = verifiedIn(kind);
    const verified = await row(
      inner,
      sql<{ id: string }>`
        insert into ${table} (owner_id, id, user_id, team_id, receiver, verified_by_id, verified_at)
        select ${ownerId}::uuid, ${newId()}::uuid, ${userId}::uuid, ${teamId}::uuid, ${receiver}::text, ${actorOf(owner)}::uuid, now()
        where ${owner.isInCharge}
          and ${hasRoom(KEPT, sql`${table} where owner_id = ${ownerId} and receiver <> ${receiver}`)}
        on conflict (owner_id, receiver) do update set verified_at = excluded.verified_at, verified_by_id = excluded.verified_by_id
        returning id`,
    );
    if (verified) return verified.id;
    await owner.refuse(inner);
    throw tooManyKept(KEPT);
  });
}

/**
 * Makes a code; an earlier one for the same is void. A code is nowhere stored: it is derived from a random salt, under a
 * key, and from all that it is bound to. So a table without the key tells nothing of it, and a message that is sent later,
 * or again, holds it all the same.
 */
export async function issueCode(em: Em, { ownerId, subject, receiver }: CodeFor): Promise<SentCode> {
  const fresh = { salt: randomUUID(), tries: 0, expiresAt: fromNow(CODE_MINUTES, 'mins') };
  await changed(
    em,
    insertInto(VerificationCode)
      .values({ ownerId, subject, receiver, ...fresh })
      .onConflict((earlier) => earlier.columns(['ownerId', 'subject', 'receiver']).doUpdateSet(fresh)),
  );
  return { ownerId, subject, receiver, salt: fresh.salt };
}

const CODE_DIGITS = 6;

/** The six digits. */
export function digitsOf(key: Uint8Array, { ownerId, subject, receiver, salt }: SentCode): string {
  const mac = macOf(key, 'verification code', ownerId, subject, receiver, salt);
  // The code is taken from 64 bits: that some codes are likelier by one in 10^13 helps nobody.
  return String(mac.readBigUInt64BE(0) % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Whether the code is still the last one that was sent, neither used nor over. */
export async function isCurrent(em: Em, code: SentCode): Promise<boolean> {
  return (
    (await row(em, selectFrom(VerificationCode, columnsOf(code)).where('expiresAt', '>', NOW).select('salt'))) !==
    undefined
  );
}

/**
 * Counts a try, then judges it: the number that the database gives it decides whether it is judged at all, so of any number
 * at once, in any number of processes, no more than `most` are. A right code stays as it is until it is spent.
 * @returns the code; `WRONG` also for one that is over or used, and where none was sent; `TOO_MANY` past `most` tries
 */
export async function tryCode(
  em: Em,
  about: CodeFor,
  typed: string,
  { key, most }: { readonly key: Uint8Array; readonly most: number },
): Promise<SentCode | 'WRONG' | 'TOO_MANY'> {
  const { ownerId, subject, receiver } = about;
  const found = await row(
    em,
    updateTable(VerificationCode, { ownerId, subject, receiver })
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('expiresAt', '>', NOW)
      .returning(['salt', 'tries']),
  );
  if (!found) return 'WRONG';
  if (found.tries > most) return 'TOO_MANY';
  const code = { ownerId, subject, receiver, salt: found.salt };
  return equalsInConstantTime(digitsOf(key, code), typedDigits(typed) ?? '') ? code : 'WRONG';
}

const MAX_TYPED_LENGTH = 20;

/** Reads a code that somebody typed, without white space; undefined for a text that can be none, and is no try. */
export function typedDigits(typed: string): string | undefined {
  const digits = typed.length > MAX_TYPED_LENGTH ? '' : typed.replaceAll(/\s/g, '');
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

/** Uses the code up, in the transaction of what it is for: of two with one code, one finds it. @returns whether it was there */
export async function spendCode(em: Em, code: SentCode): Promise<boolean> {
  return (await changed(em, deleteFrom(VerificationCode, columnsOf(code)).where('expiresAt', '>', NOW))) > 0;
}

async function requireMayRequest(em: Em, owner: Owner, actorId: string): Promise<void> {
  await requireInCharge(em, owner, ownerGone());
  await requireVerifiedEmail(em, actorId, 'Codes are sent at your request');
}

/** The count is for all networks together, as the caller is known. */
async function countRequest({ ownerId, subject, receiver }: CodeFor, { requests }: Verification): Promise<void> {
  const secondsToWait = await requests.count(`${ownerId} ${subject} ${receiver}`, '');
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
}

function smsUnavailable(): Problem {
  const message = 'This service sends no text messages: its operator has not configured a provider.';
  return new Problem('SMS_UNAVAILABLE', message, ['phone']);
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

function columnsOf({ ownerId, subject, receiver, salt }: SentCode): SentCode {
  return { ownerId, subject, receiver, salt };
}
