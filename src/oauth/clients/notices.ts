import type { Background } from '../../core/background.ts';
import { inLanguages } from '../../core/language.ts';
import { linkTo, type MailContent } from '../../core/mail-content.ts';
import { holdsWebAddress, oneLine } from '../../core/text.ts';
import { selectColumns } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type CountedAs, type MailCause, ownAccount, strangerAt } from '../../limits/mail-limit.ts';
import type { Mail } from '../../mail/mailer.ts';
import { findAdministrators } from '../../modules/accounts/administrators.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { scopeSentences } from '../../scopes/scope-sentences.ts';
import type { Access } from '../protocol/access.ts';
import type { Client } from '../protocol/client.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import type { Actor } from './registered-client.ts';
import { USER_NOTICES_DE } from './user-notice-words.de.rules.ts';
import { USER_NOTICES_EN } from './user-notice-words.en.rules.ts';

/** The mails to users about apps, for a reader of this locale. */
const userNotices = inLanguages(USER_NOTICES_EN, { de: USER_NOTICES_DE });

/** Sends a mail unless it is one too many. `counted`: whose act it is. */
export type SendMail = (mail: Mail, counted: CountedAs) => Promise<void>;

/** A mail to the developer of a client. */
export interface ClientNotice {
  readonly subject: string;
  /** One or two sentences; the name of the client and its page are added. */
  readonly text: string;
  /**
   * The developer's own name for the thing that it is about, if it has one: told to nobody but them, in their own
   * mailbox.
   */
  readonly name?: string;
}

interface NewAccess {
  readonly userId: string;
  readonly client: Pick<Client, 'clientId' | 'name'>;
  readonly access: Access;
}

/** The mails that the authorization server sends. An answer never waits for one, and never fails with one. */
export class Notices {
  readonly #sendMail: SendMail;
  readonly #background: Background;
  readonly #appUrl: string;

  constructor(sendMail: SendMail, background: Background, appUrl: string) {
    this.#sendMail = sendMail;
    this.#background = background;
    this.#appUrl = appUrl;
  }

  /**
   * Somebody else may have had a token of the user's: what happened, and what to do. Only at a verified address, as all
   * that an account tells of itself.
   */
  userOfStolenGrant(em: Em, grantId: string): void {
    this.#background.run(async () => {
      const found = await row(
        em,
        sql<{ email: string; locale: string; clientId: string; name: string }>`
          select u.email, u.locale, ${selectColumns(OAuthClient, ['clientId', 'name'], 'c')} from oauth_grants g
          join users u on u.id = g.user_id join oauth_clients c on c.client_id = g.client_id
          where g.id = ${grantId} and u.email_verified_at is not null`,
      );
      if (!found) return;
      const { email: to, locale } = found;
      const content = userNotices(locale).stolenGrant(named(found), `${this.#appUrl}/settings/apps`);
      await this.#sendMail({ to, locale, ...content }, ownAccount('APP_CUT_OFF'));
    });
  }

  /**
   * An app was given access to an account: its user is told, in case somebody else did it in their browser. Only at a
   * verified address, since another may not be theirs. The app's name is its developer's choice, and the mail says so.
   */
  userOfNewAccess(em: Em, { userId, client, access }: NewAccess): void {
    this.#background.run(async () => {
      const verified = selectFrom(User, { id: userId }).where('emailVerifiedAt', 'is not', null);
      const user = await row(em, verified.select(['email', 'locale']));
      if (!user) return;
      const { email: to, locale } = user;
      const sentences = scopeSentences(locale);
      const granted = access.kind === 'SCOPED' ? access.scopes.map((scope) => sentences[scope]) : [];
      const content = userNotices(locale).newAccess(named(client), granted, `${this.#appUrl}/settings/apps`);
      await this.#sendMail({ to, locale, ...content }, ownAccount('APP_ADDED'));
    });
  }

  /** The owner of a client is notified of its review and of its secrets. */
  ownerOfClient(em: Em, clientId: string, notice: ClientNotice, by: Actor): void {
    this.#background.run(async () => {
      const found = await findDeveloper(em, clientId, by);
      if (!found) return;
      const { name, email } = found;
      const about = found.isVerified && notice.name !== undefined ? [`Its name is “${oneLine(notice.name)}”.`] : [];
      const what = { subject: notice.subject, paragraphs: [notice.text, ...about] };
      const content = clientNotice({ clientId, name }, what, `${this.#appUrl}/settings/developer/oauth`);
      await this.#sendMail(
        { to: email, ...content },
        {
          cause: causeOf(found, by),
          purpose: 'NEWS',
        },
      );
    });
  }

  /** A client waits for a review. */
  administratorsOfSubmission(em: Em, clientId: string, by: Actor): void {
    this.#background.run(async () => {
      const developer = await findDeveloper(em, clientId, by);
      if (!developer) return;
      const found = await findAdministrators(em);
      const content = submissionNotice({ clientId, name: developer.name }, `${this.#appUrl}/admin/oauth`);
      const counted = { cause: causeOf(developer, by), purpose: 'EXPECTED' } as const;
      for (const { email } of found) await this.#sendMail({ to: email, ...content }, counted);
    });
  }
}

interface Developer {
  readonly email: string;
  readonly isVerified: boolean;
  /** The developer's name for the client; null where their address is not verified. */
  readonly name: string | null;
  /** Whether the actor has a verified e-mail address. */
  readonly isByVerified: boolean;
}

interface MailedClient {
  readonly clientId: string;
  /** The developer's name for it; null where no mail may say it. */
  readonly name: string | null;
}

/** Writes to its owner what happened to a client, in paragraphs; `page` is that of their clients. */
export function clientNotice(
  { clientId, name }: MailedClient,
  what: { readonly subject: string; readonly paragraphs: readonly string[] },
  page: string,
): MailContent {
  const heading = name === null ? `Your OAuth client ${clientId}:` : `Your OAuth client “${name}” (${clientId}):`;
  return {
    subject: `${name ?? 'Your OAuth client'}: ${what.subject}`,
    parts: [heading, ...what.paragraphs, linkTo('See your OAuth clients:', page)],
  };
}

/** Tells an administrator that a client waits for a review; `page` lists the reviews. */
export function submissionNotice({ clientId, name }: MailedClient, page: string): MailContent {
  const client = name === null ? clientId : `“${name}” (${clientId})`;
  return {
    subject: `${name ?? 'An OAuth client'} is waiting for review`,
    parts: [`The OAuth client ${client} was submitted.`, linkTo('See everything that is waiting for review:', page)],
  };
}

/** A name that mail programs would make a link of is left out: it would lead wherever its developer likes. */
function named({ clientId, name }: NewAccess['client']) {
  return { clientId, name: holdsWebAddress(name) ? undefined : oneLine(name).replaceAll(/["„“”]/g, "'") };
}

async function findDeveloper(em: Em, clientId: string, { actorId }: Actor): Promise<Developer | undefined> {
  const found = await row(
    em,
    sql<Developer>`
      select u.email, u.email_verified_at is not null as "isVerified",
        case when u.email_verified_at is not null then c.name end as name,
        exists (select from users a where a.id = ${actorId} and (a.email_verified_at is not null or a.is_administrator))
          as "isByVerified"
      from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${clientId}`,
  );
  return found && { ...found, name: found.name === null ? null : oneLine(found.name) };
}

function causeOf({ isByVerified }: Developer, { actorId, address }: Actor): MailCause {
  return isByVerified ? { kind: 'ACCOUNT', userId: actorId } : strangerAt(address);
}
