/**
 * Codes of six digits that show that somebody reads what is sent to a receiver. A code is nowhere stored: it is derived from
 * a random salt, under a key, and from all that it is bound to. So a table without the key tells nothing of it, and a message
 * that is sent later, or again, holds it all the same.
 */
import { randomUUID } from 'node:crypto';
import { equalsInConstantTime, macOf } from '../../core/secret.ts';
import { fromNow, NOW } from '../../database/expressions.ts';
import { changed, type Em, row } from '../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../../database/statements.ts';
import { sweepOf } from '../../database/sweep.ts';
import { VerificationCode } from './verification-code.entity.ts';
import { CODE_MINUTES } from './verified-resource.rules.ts';

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

const CODE_DIGITS = 6;
const MAX_TYPED_LENGTH = 20;

/** Makes a code; an earlier one for the same is void. */
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

/** Reads a code that somebody typed, without white space; undefined for a text that can be none, and is no try. */
export function typedDigits(typed: string): string | undefined {
  const digits = typed.length > MAX_TYPED_LENGTH ? '' : typed.replaceAll(/\s/g, '');
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

/** Uses the code up, in the transaction of what it is for: of two with one code, one finds it. @returns whether it was there */
export async function spendCode(em: Em, code: SentCode): Promise<boolean> {
  return (await changed(em, deleteFrom(VerificationCode, columnsOf(code)).where('expiresAt', '>', NOW))) > 0;
}

function columnsOf({ ownerId, subject, receiver, salt }: SentCode): SentCode {
  return { ownerId, subject, receiver, salt };
}

/** Sweeps away codes that are over. */
export const removeExpiredVerificationCodes = sweepOf(VerificationCode, 'expiresAt');
