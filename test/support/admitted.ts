import type { Admission } from '../../src/mail/mailer.ts';

/** For what sends mails and does not count them. */
export const ADMITTED = {} as Admission;
