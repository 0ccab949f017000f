import { randomInt } from 'node:crypto';
import { Problem } from '../../../core/problem.ts';
import { equalsInConstantTime, macOf } from '../../../core/secret.ts';
import { emailMistake } from '../../../core/text.ts';
import { fromNow, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row } from '../../../database/sql.ts';
import { deleteFrom, insertInto, updateTable } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import { TooManyGuesses } from '../../../limits/guess-limit.ts';
import { strangerAt } from '../../../limits/mail-limit.ts';
import type { Verification } from '../../../limits/verification.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { findBrand } from '../../teams/inherited-profile.queries.ts';
import { BookerEmailCode } from './booker-email-code.entity.ts';

export const REQUEST_BOOKER_EMAIL_CODE_CODES = [
  'REQUIRED',
  'INVALID_EMAIL',
  'TOO_MANY_GUESSES',
  'TOO_MANY_MAILS',
] as const;

/** The caller who requests a code or presents one. */
export interface CodeBearer {
  readonly email: string;
  /** Their network address. */
  readonly address: string;
}

export const CODE_MINUTES = 15;
/** From all networks together: each has three tries, but a thousand networks must not have three thousand. */
const MOST_TRIES = 30;
const CODE_DIGITS = 6;
const MAX_TYPED_LENGTH = 20;

/**
 * Sends a code that lets the address book the event type; an earlier one is void. Without an event type that asks for
 * codes nothing is sent, and nobody is told. @throws Problem REQUIRED, INVALID_EMAIL, TOO_MANY_GUESSES, TOO_MANY_MAILS
 */
export async function requestBookerEmailCode(
  em: Em,
  eventType: BookableEventType | undefined,
  { email, address }: CodeBearer,
  { key, requests, tries, mailLimit, send }: Verification,
): Promise<void> {
  const to = email.trim();
  const mistake = emailMistake(['email'], to);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const secondsToWait = await requests.count(keyOfEmail(to), address);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  if (!eventType?.requiresBookerEmailVerification) return;

  const { ownerId, id } = eventType;
  // A caller with an account counts as a stranger, too: only the code proves that the address is theirs.
  const admission = await mailLimit.require(em, { to, cause: strangerAt(address), purpose: 'ACCESS', ownerId });
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const fresh = { codeMac: macOfCode(key, id, to, code), tries: 0, expiresAt: fromNow(CODE_MINUTES, 'mins') };
  await changed(
    em,
    insertInto(BookerEmailCode)
      .values({ ownerId, eventTypeId: id, email: keyOfEmail(to), ...fresh })
      .onConflict((earlier) => earlier.columns(['ownerId', 'eventTypeId', 'email']).doUpdateSet(fresh)),
  );
  await tries.clear(triesOf(id, to), address);
  // Nothing that an author of event types can write: they would choose what is mailed to strangers.
  const text = [
    `Enter this code to go on with your booking: ${code}`,
    `It is valid for ${CODE_MINUTES} minutes. If you are not booking anything, ignore this mail.`,
  ].join('\n\n');
  const { hideBranding: isUnbranded } = await findBrand(em, ownerId);
  send({ to, subject: 'Your code to book', text, isUnbranded }, admission);
}

/**
 * Counts a try, then judges it, so that many at once do not slip through together. A right code stays as it is until it
 * is spent. @returns what spends it @throws Problem INVALID_VERIFICATION_CODE, TOO_MANY_GUESSES
 */
export async function tryBookerEmailCode(
  em: Em,
  { ownerId, id }: BookableEventType,
  { email, address, code }: CodeBearer & { readonly code: string },
  { key, tries }: Verification,
): Promise<string> {
  const digits = code.length > MAX_TYPED_LENGTH ? '' : code.replaceAll(/\s/g, '');
  if (!/^[0-9]{6}$/.test(digits)) throw invalidCode();
  if ((await tries.count(triesOf(id, email), address)) !== undefined) throw tooManyTries();
  const found = await row(
    em,
    updateTable(BookerEmailCode, { ownerId, eventTypeId: id, email: keyOfEmail(email) })
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('expiresAt', '>', NOW)
      .where('tries', '<', MOST_TRIES)
      .returning('codeMac'),
  );
  const mac = macOfCode(key, id, email, digits);
  if (!found || !equalsInConstantTime(found.codeMac, mac)) throw invalidCode();
  await tries.clear(triesOf(id, email), address);
  return mac;
}

/**
 * Uses the code up, in the transaction of the booking: one that fails has used nothing, and of two bookings with one code
 * one finds it. @throws Problem INVALID_VERIFICATION_CODE
 */
export async function spendBookerEmailCode(
  em: Em,
  { ownerId, id }: BookableEventType,
  { email, mac }: { readonly email: string; readonly mac: string },
): Promise<void> {
  const spent = await changed(
    em,
    deleteFrom(BookerEmailCode, { ownerId, eventTypeId: id, email: keyOfEmail(email), codeMac: mac }).where(
      'expiresAt',
      '>',
      NOW,
    ),
  );
  if (spent === 0) throw invalidCode();
}

/** Sweeps away codes that are over. */
export const removeExpiredBookerEmailCodes = sweepOf(BookerEmailCode, 'expiresAt');

/** The same for a wrong code, for one that is over or used, and where none was sent. */
function invalidCode(): Problem {
  const message = 'The code is wrong, over or used; enter the one of the last mail, or ask for another one.';
  return new Problem('INVALID_VERIFICATION_CODE', message, ['emailVerificationCode']);
}

function tooManyTries(): Problem {
  const message = 'Too many wrong codes were entered; ask for another one.';
  return new Problem('TOO_MANY_GUESSES', message, ['emailVerificationCode']);
}

function macOfCode(key: Uint8Array, eventTypeId: string, email: string, code: string): string {
  return macOf(key, 'booker e-mail code', eventTypeId, keyOfEmail(email), code).toString('base64url');
}

function triesOf(eventTypeId: string, email: string): string {
  return `${eventTypeId} ${keyOfEmail(email)}`;
}

function keyOfEmail(email: string): string {
  return email.toLowerCase();
}
