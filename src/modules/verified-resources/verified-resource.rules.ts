import { tidyPhone } from '../../core/phone.ts';
import { tidyName } from '../accounts/account.rules.ts';

/** What can be verified. */
export type ReceiverKind = 'EMAIL' | 'PHONE';

/** The one spelling under which a receiver is kept and compared: an address in lower case, a number as it is dialled. */
export function receiverOf(kind: ReceiverKind, text: string): string {
  return kind === 'EMAIL' ? tidyName(text) : tidyPhone(text);
}
