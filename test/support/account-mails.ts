import { Background } from '../../src/core/background.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { AccountMails } from '../../src/modules/accounts/links/account-mails.ts';
import type { TestDatabase } from './database.ts';

export interface TestAccountMails {
  readonly accountMails: AccountMails;
  /** What was mailed, oldest first. */
  readonly mails: Mail[];
  /** What was written as if it were mailed. */
  readonly rehearsed: Mail[];
  /** Resolves when nothing happens behind the answers any more. */
  settled(): Promise<void>;
}

/** Mails about accounts, without limits and without a mail server. */
export function testAccountMails({ em }: Pick<TestDatabase, 'em'>, mails: Mail[] = []): TestAccountMails {
  const rehearsed: Mail[] = [];
  const background = new Background(fail, (run) => run());
  const keep = async (mail: Mail): Promise<void> => void mails.push(mail);
  const accountMails = new AccountMails({
    em,
    publicUrl: 'https://gatehouse.test',
    mailLimit: new MailLimit(undefined, console),
    background,
    enqueue: (_em, mail) => keep(mail),
    sendAtOnce: keep,
    rehearse: async (mail) => void rehearsed.push(mail),
  });
  return { accountMails, mails, rehearsed, settled: () => background.settled() };
}

function fail(error: unknown): never {
  throw error;
}
