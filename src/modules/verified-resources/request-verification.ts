import { Problem } from '../../core/problem.ts';
import { EMAIL_CODES } from '../../core/text.ts';
import type { Em } from '../../database/sql.ts';
import { TooManyGuesses, type Verification } from '../../limits/guess-limit.ts';
import type { SmsLimit } from '../../limits/sms-limit.ts';
import type { SmsAdmission } from '../../sms/sms.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Owner, requireInCharge } from '../levels/reach.ts';
import { type CodeFor, digitsOf, issueCode, type SentCode } from './verification-code.ts';
import { mailOfCode } from './verification-words.rules.ts';
import { checkedEmail, checkedPhone, ownerGone } from './verified-resource.rules.ts';

const CODES = ['EMAIL_NOT_VERIFIED', 'TOO_MANY_GUESSES'] as const;
export const REQUEST_EMAIL_CODES = [...EMAIL_CODES, ...CODES, 'TOO_MANY_MAILS'] as const;
export const REQUEST_PHONE_CODES = ['INVALID_PHONE', ...CODES, 'TOO_MANY_SMS', 'SMS_UNAVAILABLE'] as const;

/** How codes get to phones. */
export interface CodesBySms {
  readonly smsLimit: SmsLimit;
  /** Has an SMS with the code sent, once the transaction of `em` is done. */
  readonly send: (em: Em, code: SentCode, admission: SmsAdmission) => Promise<void>;
}

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
