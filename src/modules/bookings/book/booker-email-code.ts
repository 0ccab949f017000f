import { inLanguages } from '../../../core/language.ts';
import { Problem } from '../../../core/problem.ts';
import { emailMistake } from '../../../core/text.ts';
import type { Em } from '../../../database/sql.ts';
import { TooManyGuesses, type Verification } from '../../../limits/guess-limit.ts';
import { strangerAt } from '../../../limits/mail-limit.ts';
import { findBrand, lookOf } from '../../teams/team.queries.ts';
import { CODE_MINUTES, receiverOf } from '../../verified-resources/verified-resource.rules.ts';
import {
  type CodeFor,
  digitsOf,
  issueCode,
  type SentCode,
  spendCode,
  tryCode,
  typedDigits,
} from '../../verified-resources/verify-receiver.ts';
import type { BookableEventType } from '../slots/bookable-event-type.queries.ts';
import { CODE_MAIL_DE } from './code-mail-words.de.rules.ts';
import { CODE_MAIL_EN } from './code-mail-words.en.rules.ts';

export const REQUEST_BOOKER_EMAIL_CODE_CODES = [
  'REQUIRED',
  'INVALID_EMAIL',
  'TOO_MANY_GUESSES',
  'TOO_MANY_MAILS',
] as const;

/** The caller who requests a code or presents one. */
interface CodeBearer {
  readonly email: string;
  /** Their network address. */
  readonly address: string;
}

const wordsFor = inLanguages(CODE_MAIL_EN, { de: CODE_MAIL_DE });

/** From all networks together: each has three tries, but a thousand networks must not have three thousand. */
const MOST_TRIES = 30;

/**
 * Sends a code that lets the address book the event type; an earlier one is void. For an event type that asks for no
 * codes, nothing is sent, and the answer is the same. `locale` is the reader's.
 * @throws Problem REQUIRED, INVALID_EMAIL, TOO_MANY_GUESSES, TOO_MANY_MAILS
 */
export async function requestBookerEmailCode(
  em: Em,
  eventType: BookableEventType | undefined,
  { email, address, locale = 'en' }: CodeBearer & { readonly locale?: string | undefined },
  { key, requests, tries, mailLimit, send }: Verification,
): Promise<void> {
  const to = email.trim();
  const mistake = emailMistake(['email'], to);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const secondsToWait = await requests.count(receiverOf('EMAIL', to), address);
  if (secondsToWait !== undefined) throw new TooManyGuesses(secondsToWait);
  if (!eventType?.requiresBookerEmailVerification) return;

  const { ownerId } = eventType;
  // A caller with an account counts as a stranger here, too: only the code proves that the address is theirs.
  const admission = await mailLimit.require(em, { to, cause: strangerAt(address), purpose: 'ACCESS', ownerId });
  const about = codeFor(eventType, to);
  const code = digitsOf(key, await issueCode(em, about));
  await tries.clear(triesOf(about), address);
  // Nothing that an author of event types can write: they would choose what is mailed to strangers.
  send({ to, locale, ...wordsFor(locale)(code, CODE_MINUTES), ...lookOf(await findBrand(em, ownerId)) }, admission);
}

/**
 * Counts a try, then judges it, so that many at once do not slip through together. A right code stays as it is until it
 * is spent. @returns what `spendBookerEmailCode` spends @throws Problem INVALID_VERIFICATION_CODE, TOO_MANY_GUESSES
 */
export async function tryBookerEmailCode(
  em: Em,
  eventType: BookableEventType,
  { email, address, code }: CodeBearer & { readonly code: string },
  { key, tries }: Verification,
): Promise<SentCode> {
  if (typedDigits(code) === undefined) throw invalidCode();
  const about = codeFor(eventType, email);
  if ((await tries.count(triesOf(about), address)) !== undefined) throw tooManyTries();
  const found = await tryCode(em, about, code, { key, most: MOST_TRIES });
  // Strangers try these: that there is a code for somebody's address is not for them to know.
  if (found === 'WRONG' || found === 'TOO_MANY') throw invalidCode();
  await tries.clear(triesOf(about), address);
  return found;
}

/**
 * Uses the code up, in the transaction of the booking: one that fails has used nothing, and of two bookings with one code
 * one finds it. @throws Problem INVALID_VERIFICATION_CODE
 */
export async function spendBookerEmailCode(em: Em, code: SentCode): Promise<void> {
  if (!(await spendCode(em, code))) throw invalidCode();
}

/** The same for a wrong code, for one that is over or used, and where none was sent. */
function invalidCode(): Problem {
  const message = 'The code is wrong, over or used; enter the one of the last mail, or ask for another one.';
  return new Problem('INVALID_VERIFICATION_CODE', message, ['emailVerificationCode']);
}

function tooManyTries(): Problem {
  const message = 'Too many wrong codes were entered; ask for another one.';
  return new Problem('TOO_MANY_GUESSES', message, ['emailVerificationCode']);
}

function codeFor({ ownerId, id }: BookableEventType, email: string): CodeFor {
  return { ownerId, subject: id, receiver: receiverOf('EMAIL', email) };
}

function triesOf({ subject, receiver }: CodeFor): string {
  return `${subject} ${receiver}`;
}
