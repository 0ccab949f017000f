import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Background } from '../../../core/background.ts';
import { newUserId } from '../../../core/id.ts';
import type { MailContent } from '../../../core/mail-content.ts';
import { randomBase62 } from '../../../core/secret.ts';
import { writeNothing } from '../../../database/lanes.ts';
import { type Em, row, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { admitOrHoldWelcome, forgetHeldWelcome } from '../../../limits/held-notices.ts';
import { type CountedAs, type MailLimit, ownAccount, strangerAt } from '../../../limits/mail-limit.ts';
import type { Admission, Mail } from '../../../mail/mailer.ts';
import { User } from '../user.entity.ts';
import { IS_EMAIL_VERIFIED } from '../user.queries.ts';
import { makeLink } from './account-links.ts';
import { type Account, accountMails, type ResetLink } from './account-mail.rules.ts';

interface AccountMailSettings {
  /** The global EntityManager: what happens behind an answer has a fork of its own. */
  readonly em: Em;
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
  readonly background: Background;
  /** Puts a mail into the queue, in the transaction of what it tells, or holds it if it is one too many. */
  readonly enqueue: (em: Em, mail: Mail, counted: CountedAs) => Promise<unknown>;
  /** Sends a mail with a link, which must not lie in the database; a failure is logged. */
  readonly sendAtOnce: (mail: Mail, admission: Admission) => Promise<void>;
  /** Does the same and sends nothing: where nobody has an address, what comes next must not tell by finding us idle. */
  readonly rehearse: (mail: Mail) => Promise<void>;
}

/** An account whose address may not be verified. */
interface Unverified extends Account {
  /** The username of the account that has verified the address; null when none has. */
  readonly ownedBy: string | null;
}

interface FoundAccount {
  readonly id: string;
  readonly username: string;
  readonly locale: string;
  readonly createdAt: string;
}

/** A mail names this many accounts that are older than others, and as many that are younger. */
const MOST_OF_EACH_AGE = 5;

/**
 * The accounts of an address: the one that has verified it alone, or those that have not, by their age. Of many, the oldest and
 * the youngest, so that neither who was first nor who comes last hides those of others.
 */
async function accountsOf(
  em: Em,
  email: string,
  username: string | undefined,
): Promise<{ readonly accounts: readonly FoundAccount[]; readonly hasMore: boolean }> {
  const columns = ['id', 'username', 'locale', 'createdAt', IS_EMAIL_VERIFIED] as const;
  const named = selectFrom(User, { email }).$if(username !== undefined, (all) =>
    all.where('username', '=', username ?? ''),
  );
  const verified = selectFrom(User, { email }).where('emailVerifiedAt', 'is not', null).select(columns);
  const others = named
    .where('emailVerifiedAt', 'is', null)
    .select(columns)
    .limit(MOST_OF_EACH_AGE + 1);
  const found = await rows(
    em,
    verified.unionAll((eb) => [
      eb.parens(others.orderBy('createdAt').orderBy('id')),
      eb.parens(others.orderBy('createdAt', 'desc').orderBy('id', 'desc')),
    ]),
  );
  const owner = found.find(({ isEmailVerified }) => isEmailVerified);
  if (owner) return { accounts: [owner], hasMore: false };
  const all = [...new Map(found.map((one) => [one.id, one])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (all.length <= 2 * MOST_OF_EACH_AGE) return { accounts: all, hasMore: false };
  return { accounts: [...all.slice(0, MOST_OF_EACH_AGE), ...all.slice(-MOST_OF_EACH_AGE)], hasMore: true };
}

/** Written about as if it were there. */
const NOBODY_THERE = (): FoundAccount => ({ id: newUserId(), username: 'nobody', locale: 'en', createdAt: '' });

/**
 * Mails people about their accounts. Only the mailbox learns whether an address has an account, and only after the
 * answer is out.
 */
export class AccountMails {
  readonly #settings: AccountMailSettings;
  readonly #words: ReturnType<typeof accountMails>;

  constructor(settings: AccountMailSettings) {
    this.#settings = settings;
    this.#words = accountMails(settings.publicUrl);
  }

  /** Counts a link that somebody at `address` asks for, whether or not it is sent in the end. @throws TooManyMails */
  async requireRoom(em: Em, to: string, address: string, purpose: 'ACCESS' | 'NEWS'): Promise<Admission> {
    return this.#settings.mailLimit.require(em, { to, cause: strangerAt(address), purpose });
  }

  /** To the address of a new account. If too much was mailed there, it is held, which the account's page says. */
  welcome({ id, email }: Account & { readonly id: string }, address: string): void {
    this.#behind(async (em) => {
      const mail = { to: email, cause: strangerAt(address), purpose: 'NEWS' } as const;
      const admission = await admitOrHoldWelcome(em, this.#settings.mailLimit, id, mail);
      if (admission) await this.sendVerification(em, id, admission);
    });
  }

  /** The link that verifies an account's address, once more. */
  verification(userId: string, admission: Admission): void {
    this.#behind(async (em) => {
      await this.sendVerification(em, userId, admission);
      // One that waits would say the same.
      await forgetHeldWelcome(em, userId);
    });
  }

  /** Mails the address that an account is to get; the link was made before. */
  newEmail({ username, locale }: Account, newEmail: string, token: string, admission: Admission): void {
    this.#behind(async (em) => {
      const verified = selectFrom(User, { email: newEmail }).where('emailVerifiedAt', 'is not', null);
      const owner = await row(em, verified.select(['email', 'username', 'locale']));
      const content = owner
        ? this.#words.accountExists(owner, username)
        : this.#words.confirmNewEmail({ email: newEmail, username, locale }, token);
      await this.#settings.sendAtOnce({ to: newEmail, ...content }, admission);
    });
  }

  /**
   * Links to set a new password, if there are accounts with the address: one to the account that has verified it, or one to each
   * that has not. Anybody can have made any of these, and at any time, so that none of them is chosen for its reader.
   * `username`: of the one that is meant, where there are more than a mail has room for.
   */
  passwordReset(
    { email, username }: { readonly email: string; readonly username: string | undefined },
    admission: Admission,
    note: (em: Em, userId: string) => Promise<unknown>,
  ): void {
    this.#behind(async (em) => {
      const { accounts, hasMore } = await accountsOf(em, email, username);
      const asked = accounts.length > 0 ? accounts : [NOBODY_THERE()];
      const links = await em.transactional(async (inner) => {
        const made: ResetLink[] = [];
        for (const account of asked) {
          const token = await makeLink(inner, { userId: account.id, kind: 'RESET_PASSWORD', email });
          await note(inner, account.id);
          if (token !== undefined) made.push({ ...account, token });
        }
        if (made.length === 0) await writeNothing(inner);
        return made;
      });
      const written = links.length > 0 ? links : [{ ...NOBODY_THERE(), token: randomBase62(43) }];
      const mail = { to: email, ...this.#words.resetPassword(email, written, hasMore) };
      await (links.length === 0 ? this.#settings.rehearse(mail) : this.#settings.sendAtOnce(mail, admission));
    });
  }

  // The mails below tell the owner of what was done. They go to a verified address, since another may be anybody's.

  async emailAboutToChange(em: Em, account: Account, newEmail: string): Promise<void> {
    await this.#enqueue(em, account.email, 'EMAIL_TO_CHANGE', this.#words.emailAboutToChange(account, newEmail));
  }

  async emailChanged(em: Em, before: Account, newEmail: string): Promise<void> {
    const content = this.#words.emailChanged(before, newEmail);
    for (const to of [before.email, newEmail]) await this.#enqueue(em, to, 'EMAIL_CHANGED', content);
  }

  async passwordChanged(em: Em, account: Account): Promise<void> {
    await this.#enqueue(em, account.email, 'PASSWORD_CHANGED', this.#words.passwordChanged(account));
  }

  /** Sends the link that verifies an account's address, unless it is verified. */
  async sendVerification(em: Em, userId: string, admission: Admission): Promise<void> {
    const account = await row(
      em,
      sql<Unverified>`
        select u.email, u.username, coalesce(owner.locale, u.locale) as locale, owner.username as "ownedBy" from users u
        left join users owner on owner.email = u.email and owner.email_verified_at is not null
        where u.id = ${userId} and u.email_verified_at is null`,
    );
    if (!account) return;
    const { email, username, locale, ownedBy } = account;
    // Made in either case, so that both take as long; a token that is not mailed opens nothing.
    const token = await makeLink(em, { userId, kind: 'VERIFY_EMAIL', email });
    if (ownedBy !== null) {
      const content = this.#words.accountExists({ email, username: ownedBy, locale }, username);
      return this.#settings.sendAtOnce({ to: email, ...content }, admission);
    }
    if (token === undefined) return;
    return this.#settings.sendAtOnce({ to: email, ...this.#words.verifyEmail(account, token) }, admission);
  }

  async #enqueue(em: Em, to: string, news: Parameters<typeof ownAccount>[0], content: MailContent): Promise<void> {
    await this.#settings.enqueue(em, { to, ...content }, ownAccount(news));
  }

  /** After the answer is out, so that its time tells nothing of what is found here. */
  #behind(work: (em: Em) => Promise<unknown>): void {
    const { background, em } = this.#settings;
    background.run(async () => {
      await nextTurn();
      await work(em.fork());
    });
  }
}
