import { Background } from '../../src/core/background.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { AccountMails } from '../../src/modules/accounts/links/account-mails.ts';
import type { TestDatabase } from './database.ts';
import { asSent, type SentMail } from './sent-mail.ts';

export interface TestAccountMails {
  readonly accountMails: AccountMails;
  /** The mails that were sent, oldest first. */
  readonly mails: SentMail[];
  /** The mails that were written as if they were sent. */
  readonly rehearsed: SentMail[];
  /** Resolves when nothing happens behind the answers any more. */
  settled(): Promise<void>;
}

/** Mails about accounts, without limits and without a mail server. */
export function testAccountMails({ em }: Pick<TestDatabase, 'em'>, mails: SentMail[] = []): TestAccountMails {
  const rehearsed: SentMail[] = [];
  const background = new Background(fail, (run) => run());
  const keep = async (mail: Mail): Promise<void> => void mails.push(asSent(mail));
  const accountMails = new AccountMails({
    em,
    publicUrl: 'https://gatehouse.test',
    mailLimit: new MailLimit(undefined, console),
    background,
    enqueue: (_em, mail) => keep(mail),
    sendAtOnce: keep,
    rehearse: async (mail) => void rehearsed.push(asSent(mail)),
  });
  return { accountMails, mails, rehearsed, settled: () => background.settled() };
}

function fail(error: unknown): never {
  throw error;
}
