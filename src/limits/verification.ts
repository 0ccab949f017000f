import type { Admission, Mail } from '../mail/mailer.ts';
import type { GuessLimit, GuessRule } from './guess-limit.ts';
import type { MailLimit } from './mail-limit.ts';

/** 5 codes in 15 minutes for an e-mail address and network. */
export const CODE_REQUESTS: GuessRule = { name: 'code-request', guesses: 5, windowInSeconds: 15 * 60 };

/** 3 wrong codes for what is verified and network; the next code that is sent begins anew. */
export const CODE_TRIES: GuessRule = { name: 'code-try', guesses: 3, windowInSeconds: 15 * 60 };

/** The key and the limits that it takes to send somebody a code, and to see whether they have it. */
export interface Verification {
  /** Codes are stored as MACs under it: six digits behind a plain hash would be found by trying them all. */
  readonly key: Uint8Array;
  readonly requests: GuessLimit;
  readonly tries: GuessLimit;
  readonly mailLimit: MailLimit;
  /** Sends a mail behind the answer, which neither waits for it nor fails with it. */
  readonly send: (mail: Mail, admission: Admission) => void;
}
