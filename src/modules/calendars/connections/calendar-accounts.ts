import { LRUCache } from 'lru-cache';
import { inTime } from '../../../core/in-time.ts';
import type { Credentials } from '../../../outbound/credentials.ts';
import {
  type AppleAccount,
  basicAuthorization,
  type CalendarProviderName,
  type ConnectionStatus,
} from './calendar-connection.rules.ts';
import { CalendarFailure, type CalendarProvider } from './calendar-provider.ts';

/** What opens an account, as its row holds it. */
export interface StoredAccount {
  readonly userId: string;
  readonly id: string;
  readonly provider: CalendarProviderName;
  /** Sealed. */
  readonly credentials: string;
}

export interface CalendarAccountsSettings {
  readonly providers: Readonly<Record<CalendarProviderName, CalendarProvider>>;
  readonly credentials: Credentials;
}

/** So long an answer about an account is as good as a new one: asking again is a call to a server of others. */
const STATUS_MILLISECONDS = 10_000;
const MAX_STATUSES = 10_000;
const CHECK_MILLISECONDS = 8_000;

/** Opens accounts that users have elsewhere, at any provider. */
export class CalendarAccounts {
  readonly #settings: CalendarAccountsSettings;
  readonly #statuses = new LRUCache<string, Promise<ConnectionStatus>>({ max: MAX_STATUSES, ttl: STATUS_MILLISECONDS });

  constructor(settings: CalendarAccountsSettings) {
    this.#settings = settings;
  }

  providerOf(name: CalendarProviderName): CalendarProvider {
    return this.#settings.providers[name];
  }

  /** As the row of this connection is to hold it. */
  seal(account: AppleAccount, { userId, id }: Pick<StoredAccount, 'userId' | 'id'>): Promise<string> {
    return this.#settings.credentials.seal(account, ['calendar_connections', userId, id]);
  }

  /** The header that shows whose account it is. @throws CalendarFailure REFUSED for a row that our key does not open */
  async authorizationOf({ userId, id, credentials }: StoredAccount): Promise<string> {
    const opened = await this.#settings.credentials
      .open(credentials, ['calendar_connections', userId, id])
      .catch((error: unknown) => {
        throw new CalendarFailure('REFUSED', `The account has to be connected anew: ${String(error)}`);
      });
    return basicAuthorization(opened as AppleAccount);
  }

  /** Whether the account can be reached now, or a few seconds ago. */
  statusOf(account: StoredAccount): Promise<ConnectionStatus> {
    // New credentials are another account, of which nothing is known yet.
    const known = this.#statuses.get(account.credentials);
    if (known) return known;
    const status = this.#check(account);
    this.#statuses.set(account.credentials, status);
    return status;
  }

  async #check(account: StoredAccount): Promise<ConnectionStatus> {
    try {
      await inTime(
        this.authorizationOf(account).then((authorization) => this.providerOf(account.provider).check(authorization)),
        CHECK_MILLISECONDS,
        () => new CalendarFailure('UNAVAILABLE', 'The server takes too long.'),
      );
      return 'CONNECTED';
    } catch (error) {
      if (error instanceof CalendarFailure) return error.kind === 'REFUSED' ? 'BROKEN' : 'UNREACHABLE';
      throw error;
    }
  }
}
