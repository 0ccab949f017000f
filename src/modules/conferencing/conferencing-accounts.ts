import { CACHES } from '../../core/caches.ts';
import type { OwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import type { Em } from '../../database/sql.ts';
import { UnreadableCredentials } from '../../outbound/credentials.ts';
import { OutboundFailure } from '../../outbound/outcome.ts';
import type { ConnectionStatus } from '../calendars/connections/calendar-connection.rules.ts';
import { BrokenConnection } from '../connections/access-tokens.ts';
import type { Connections } from '../connections/connections.ts';
import type { OAuthApp } from './conferencing-app.rules.ts';
import { MeetingFailure, type MeetingProvider } from './meeting-provider.ts';

/** The account behind a connected app. */
export interface AppAccount {
  readonly app: OAuthApp;
  /** Its tokens. */
  readonly connection: OwnedId;
}

/** Whether an account can be used; `reason`: in words for its owner, why not. */
export interface AccountState {
  readonly status: ConnectionStatus;
  readonly reason: string | null;
}

interface ConferencingAccountsSettings {
  /** The apps that are configured. */
  readonly providers: Partial<Readonly<Record<OAuthApp, MeetingProvider>>>;
  readonly connections: Connections;
}

/** How long an answer about an account is as good as a new one: asking again calls somebody else's server. */
const STATE_MILLISECONDS = 10_000;
const ANSWER_BYTES = 1_000;
const CHECK_MILLISECONDS = 8_000;

/** Opens the accounts of users and teams at providers of meetings. */
export class ConferencingAccounts {
  readonly #settings: ConferencingAccountsSettings;
  readonly #states = CACHES.share<Promise<AccountState>>({
    name: 'accounts',
    weigh: () => ANSWER_BYTES,
    ttl: STATE_MILLISECONDS,
    fromFirstUse: true,
  });

  constructor(settings: ConferencingAccountsSettings) {
    this.#settings = settings;
  }

  /** The apps that can be used here. */
  get apps(): readonly OAuthApp[] {
    return Object.keys(this.#settings.providers) as OAuthApp[];
  }

  /**
   * Works in an account, with an access token of it. One that the provider takes no more, though it was to live, is renewed, and
   * the work done again. Not in a transaction. @throws MeetingFailure
   */
  async use<Result>(
    em: Em,
    { app, connection }: AppAccount,
    work: (provider: MeetingProvider, accessToken: string) => Promise<Result>,
  ): Promise<Result> {
    const provider = this.#settings.providers[app];
    if (!provider)
      throw new MeetingFailure('UNAVAILABLE', 'The app is not configured here any more.', { isUndone: true });
    const token = await this.#accessToken(em, connection);
    try {
      return await work(provider, token);
    } catch (error) {
      if (!(error instanceof MeetingFailure) || error.kind !== 'REFUSED') throw error;
      return work(provider, await this.#accessToken(em, connection, token));
    }
  }

  /** Whether the account can be used now, or could a few seconds ago. */
  stateOf(em: Em, account: AppAccount): Promise<AccountState> {
    const key = account.connection.id;
    const known = this.#states.get(key, 'KNOWN');
    if (known) return known;
    const state = this.#check(em, account);
    this.#states.set(key, state, 'KNOWN');
    return state;
  }

  async #check(em: Em, account: AppAccount): Promise<AccountState> {
    try {
      const answer = this.use(em, account, (provider, token) => provider.check(token));
      await inTime(answer, CHECK_MILLISECONDS, () => new MeetingFailure('UNAVAILABLE', 'The provider takes too long.'));
      return { status: 'CONNECTED', reason: null };
    } catch (error) {
      if (!(error instanceof MeetingFailure)) throw error;
      return { status: error.kind === 'REFUSED' ? 'BROKEN' : 'UNREACHABLE', reason: error.message };
    }
  }

  async #accessToken(em: Em, connection: OwnedId, rejected?: string): Promise<string> {
    try {
      return await this.#settings.connections.accessToken(em, connection, rejected);
    } catch (error) {
      if (error instanceof BrokenConnection || error instanceof UnreadableCredentials)
        throw new MeetingFailure('REFUSED', 'The account lets us in no more: connect it again.');
      if (error instanceof OutboundFailure) throw new MeetingFailure('UNAVAILABLE', error.message, { isUndone: true });
      throw error;
    }
  }
}
