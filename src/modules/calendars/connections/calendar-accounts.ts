import { CACHES } from '../../../core/caches.ts';
import { inTime } from '../../../core/in-time.ts';
import type { Em } from '../../../database/sql.ts';
import { type Credentials, UnreadableCredentials } from '../../../outbound/credentials.ts';
import { OutboundFailure } from '../../../outbound/outcome.ts';
import { BrokenConnection } from '../../connections/access-tokens.ts';
import type { Connections } from '../../connections/connections.ts';
import { noteHealth, noteRefusal } from './account-health.ts';
import type { StoredAccount } from './calendar-connection.queries.ts';
import {
  basicAuthorization,
  bearerAuthorization,
  type CalendarProviderName,
  type ConnectionStatus,
  type PasswordAccount,
} from './calendar-connection.rules.ts';
import { CalendarFailure, type CalendarProvider } from './calendar-provider.ts';
import type { CaldavServers } from './servers/caldav.ts';

type AnyCaldav = Pick<CaldavServers, 'typedMistake' | 'find' | 'open'>;

/** The providers that the operator has configured. */
export type CalendarProviders = { readonly [Name in CalendarProviderName]?: CalendarProvider };

interface CalendarAccountsSettings {
  readonly providers: CalendarProviders;
  /** Opens accounts at all other servers. */
  readonly caldav: AnyCaldav;
  readonly credentials: Credentials;
  /** Seals and opens the tokens of accounts. */
  readonly connections: Pick<Connections, 'accessToken'>;
}

/** How long an answer about an account is as good as a new one: asking again calls somebody else's server. */
const STATUS_MILLISECONDS = 10_000;
const ANSWER_BYTES = 1_000;
const CHECK_MILLISECONDS = 8_000;

type Ask<Result> = (provider: CalendarProvider, authorization: string) => Promise<Result>;

/** Opens accounts that users have elsewhere, at any provider. */
export class CalendarAccounts {
  readonly #settings: CalendarAccountsSettings;
  readonly #statuses = CACHES.share<Promise<ConnectionStatus>>({
    name: 'accounts',
    weigh: () => ANSWER_BYTES,
    ttl: STATUS_MILLISECONDS,
    fromFirstUse: true,
  });

  constructor(settings: CalendarAccountsSettings) {
    this.#settings = settings;
  }

  /** @throws CalendarFailure for one that is not configured any more */
  providerOf(name: CalendarProviderName): CalendarProvider {
    const provider = this.#settings.providers[name];
    if (provider) return provider;
    throw new CalendarFailure('UNAVAILABLE', 'This service is not set up for accounts of this provider any more.');
  }

  /** Servers that users name. */
  get caldav(): AnyCaldav {
    return this.#settings.caldav;
  }

  get credentials(): Credentials {
    return this.#settings.credentials;
  }

  /** As the row of this connection is to hold it. */
  seal(account: PasswordAccount, { userId, id }: Pick<StoredAccount, 'userId' | 'id'>): Promise<string> {
    return this.#settings.credentials.seal(account, ['calendar_connections', userId, id]);
  }

  /**
   * Asks the provider of an account for something, by the header that opens it, and notes how that went. Not in a transaction.
   * `signal`: what ends because of it says nothing of the account. @throws CalendarFailure
   */
  async use<Result>(em: Em, account: StoredAccount, ask: Ask<Result>, signal?: AbortSignal): Promise<Result> {
    const beganAt = performance.now();
    const secondsAgo = (): number => (performance.now() - beganAt) / 1_000;
    try {
      const result = await this.#ask(em, account, ask);
      await noteHealth(em, account, { secondsAgo: secondsAgo() });
      return result;
    } catch (error) {
      if (error instanceof CalendarFailure && !signal?.aborted)
        await noteHealth(em, account, { secondsAgo: secondsAgo(), failure: error });
      throw error;
    }
  }

  /** Whether the account can be reached now, or a few seconds ago. */
  async statusOf(em: Em, account: StoredAccount): Promise<ConnectionStatus> {
    // That is known of the row, and may change at any moment.
    if (account.refusedAt !== null) return 'BROKEN';
    // New credentials are another account, of which nothing is known yet.
    const key = account.accessId ?? account.credentials ?? account.id;
    const known = this.#statuses.get(key, 'KNOWN');
    if (known) return known;
    const asked = this.#check(em, account);
    this.#statuses.set(key, asked, 'KNOWN');
    const status = await asked;
    // From now on the row itself says that the account is broken.
    if (status === 'BROKEN' && account.accessId === null) this.#statuses.delete(key);
    return status;
  }

  async #check(em: Em, account: StoredAccount): Promise<ConnectionStatus> {
    try {
      await inTime(
        this.#ask(em, account, (provider, authorization) => provider.check(authorization)),
        CHECK_MILLISECONDS,
        () => new CalendarFailure('UNAVAILABLE', 'The server takes too long.'),
      );
      return 'CONNECTED';
    } catch (error) {
      if (!(error instanceof CalendarFailure)) throw error;
      return error.kind === 'REFUSED' || error.kind === 'REVOKED' ? 'BROKEN' : 'UNREACHABLE';
    }
  }

  #ask<Result>(em: Em, account: StoredAccount, ask: Ask<Result>): Promise<Result> {
    return account.accessId === null ? this.#askByPassword(em, account, ask) : this.#askByToken(em, account, ask);
  }

  /** A password that is refused is not tried again by itself: whoever guesses is locked out there, and so would be its user. */
  async #askByPassword<Result>(em: Em, stored: StoredAccount, ask: Ask<Result>): Promise<Result> {
    if (stored.refusedAt !== null)
      throw new CalendarFailure('REFUSED', 'The server has refused the password: connect the account again.');
    const account = await this.#password(stored);
    const { place } = account;
    const provider = place ? this.caldav.open({ ...place, ...account }) : this.providerOf(stored.provider);
    try {
      return await ask(provider, basicAuthorization(account));
    } catch (error) {
      if (error instanceof CalendarFailure && error.kind === 'REFUSED') await noteRefusal(em, stored);
      throw error;
    }
  }

  /** An access token that is refused before its time is renewed, and what was asked is asked once more. */
  async #askByToken<Result>(em: Em, account: StoredAccount, ask: Ask<Result>): Promise<Result> {
    const provider = this.providerOf(account.provider);
    const token = await this.#accessToken(em, account);
    try {
      return await ask(provider, bearerAuthorization(token));
    } catch (error) {
      if (!(error instanceof CalendarFailure) || error.kind !== 'REFUSED') throw error;
    }
    return ask(provider, bearerAuthorization(await this.#accessToken(em, account, token)));
  }

  async #password({ userId, id, credentials }: StoredAccount): Promise<PasswordAccount> {
    try {
      return (await this.#settings.credentials.open(credentials ?? '', [
        'calendar_connections',
        userId,
        id,
      ])) as PasswordAccount;
    } catch (error) {
      throw toCalendarFailure(error);
    }
  }

  async #accessToken(em: Em, { userId, accessId }: StoredAccount, rejected?: string): Promise<string> {
    try {
      return await this.#settings.connections.accessToken(em, { ownerId: userId, id: accessId ?? '' }, rejected);
    } catch (error) {
      throw toCalendarFailure(error);
    }
  }
}

/** Why an account cannot be opened. */
function toCalendarFailure(error: unknown): unknown {
  if (error instanceof OutboundFailure) return new CalendarFailure('UNAVAILABLE', error.message);
  if (error instanceof BrokenConnection || error instanceof UnreadableCredentials)
    return new CalendarFailure('REVOKED', 'The account has to be connected anew.');
  return error;
}
