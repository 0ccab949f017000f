import type { Background } from '../core/background.ts';
import { holdsWebAddress } from '../core/text.ts';
import { type Em, row, rows, sql } from '../database/sql.ts';
import type { Mail } from '../mail/mailer.ts';
import { describeScope } from '../scopes/catalog.ts';
import type { Access } from './protocol/access.ts';
import type { Client } from './protocol/client.ts';

export type SendMail = (mail: Mail) => Promise<void>;

/** A mail to the developer of a client. */
export interface ClientNotice {
  readonly subject: string;
  /** One or two sentences; the name of the client and its page are added. */
  readonly text: string;
}

export interface NewAccess {
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

  /** Somebody else may have had a token of the user's: what happened, and what to do. */
  userOfStolenGrant(em: Em, grantId: string): void {
    this.#background.run(async () => {
      const found = await row(
        em,
        sql<{ email: string; clientName: string }>`
          select u.email, c.name as "clientName" from oauth_grants g
          join users u on u.id = g.user_id join oauth_clients c on c.client_id = g.client_id
          where g.id = ${grantId}`,
      );
      if (!found) return;
      const { email, clientName } = found;
      await this.#sendMail({
        to: email,
        subject: `${oneLine(clientName)} was disconnected from your account`,
        text: [
          `A credential of the app "${oneLine(clientName)}" was used twice, which can mean that somebody copied it.`,
          'To be safe, its access to your account was ended. If you use the app, sign in to it again.',
          `What else has access: ${this.#appUrl}/settings/apps`,
        ].join('\n\n'),
      });
    });
  }

  /**
   * A user let an app in: whoever did it in their browser, they hear of it. At a verified address, since another may be
   * anybody's. What the app calls itself is its developer's word, and is told as that.
   */
  userOfNewAccess(em: Em, { userId, client, access }: NewAccess): void {
    this.#background.run(async () => {
      const user = await row(
        em,
        sql<{ email: string }>`select email from users where id = ${userId} and email_verified_at is not null`,
      );
      if (!user) return;
      const granted = access.kind === 'SCOPED' ? access.scopes.map((scope) => `- ${describeScope(scope).words}`) : [];
      await this.#sendMail({
        to: user.email,
        subject: 'An app was given access to your account',
        text: [
          `${introduced(client)} was given access to your account. It may:`,
          granted.length === 0 ? '- do everything that you can' : granted.join('\n'),
          `If it was not you, or you have changed your mind, end its access: ${this.#appUrl}/settings/apps`,
        ].join('\n\n'),
      });
    });
  }

  /** The owner of a client hears of its review and of its secrets. */
  ownerOfClient(em: Em, clientId: string, notice: ClientNotice): void {
    this.#background.run(async () => {
      const found = await row(
        em,
        sql<{ email: string; name: string }>`
          select u.email, c.name from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${clientId}`,
      );
      if (!found) return;
      const name = oneLine(found.name);
      const address = `${this.#appUrl}/settings/developer/oauth`;
      await this.#sendMail({
        to: found.email,
        subject: `${name}: ${notice.subject}`,
        text: [`Your OAuth client "${name}" (${clientId}):`, notice.text, address].join('\n\n'),
      });
    });
  }

  /** A client waits for a review. */
  administratorsOfSubmission(em: Em, clientId: string): void {
    this.#background.run(async () => {
      const found = await rows(
        em,
        sql<{ email: string; name: string }>`
          select u.email, c.name from users u, oauth_clients c
          where c.client_id = ${clientId} and u.is_administrator and u.suspended_at is null`,
      );
      for (const { email, name } of found) {
        await this.#sendMail({
          to: email,
          subject: `${oneLine(name)} waits for a review`,
          text: `The OAuth client "${oneLine(name)}" (${clientId}) was submitted.\n\n${this.#appUrl}/admin/oauth`,
        });
      }
    });
  }
}

/** A name that mail programs would make a link of is left out: it would lead wherever its developer likes. */
function introduced({ clientId, name }: NewAccess['client']): string {
  const called = holdsWebAddress(name) ? '' : ` that calls itself "${oneLine(name).replaceAll('"', "'")}"`;
  return `An app${called} (${clientId})`;
}

/** A name stands in headers and sentences that it must not be able to end. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
