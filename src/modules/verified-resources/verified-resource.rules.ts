import { phoneMistake, tidyPhone } from '../../core/phone.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { emailMistake } from '../../core/text.ts';
import { tidyName } from '../accounts/account.rules.ts';

/** The kinds of receivers that can be verified. */
export type ReceiverKind = 'EMAIL' | 'PHONE';

/** How long a code is valid. */
export const CODE_MINUTES = 15;

/** A user or a team has this many of each kind at most. */
export const MAX_VERIFIED = 100;

const TIDY = { EMAIL: tidyName, PHONE: tidyPhone } as const;

/** The one spelling under which a receiver is kept and compared: an address in lower case, a number as it is dialled. */
export function receiverOf(kind: ReceiverKind, text: string): string {
  return TIDY[kind](text);
}

/** An address in its one spelling. @throws Problem REQUIRED, INVALID_EMAIL */
export function checkedEmail(text: string): string {
  const email = receiverOf('EMAIL', text);
  return unless(emailMistake(['email'], email), email);
}

/** A number in its one spelling. @throws Problem INVALID_PHONE */
export function checkedPhone(text: string): string {
  const phone = receiverOf('PHONE', text);
  return unless(phoneMistake(['phone'], phone), phone);
}

function unless(mistake: Mistake | undefined, receiver: string): string {
  Problem.throwIfAny(mistake ? [mistake] : []);
  return receiver;
}

export function ownerGone(): Problem {
  return new Problem('NOT_FOUND', 'This account or team no longer exists.');
}
