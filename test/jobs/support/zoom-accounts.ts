import { isTeam } from '../../../src/core/id.ts';
import type { Em } from '../../../src/database/sql.ts';
import { openMeetingProviders } from '../../../src/modules/conferencing/app-access.ts';
import { ConferencingAccounts } from '../../../src/modules/conferencing/conferencing-accounts.ts';
import { CALLBACK_PATH, Connections } from '../../../src/modules/connections/connections.ts';
import { own, ownOfTeam } from '../../../src/modules/levels/reach.ts';
import { Credentials } from '../../../src/outbound/credentials.ts';
import type { Outbound } from '../../../src/outbound/outbound.ts';
import { AccountProvider, BASIC_CLIENT } from '../../support/account-provider.ts';
import { ZoomServer } from '../../support/zoom-server.ts';
import { testDoor } from './webhooks.ts';

const HERE = 'https://gatehouse.example';

/** Zoom, as far as it is needed: a real authorization server, and an API that asks it whose a token is. */
export class ZoomAccounts {
  readonly provider: AccountProvider;
  readonly zoom: ZoomServer;
  readonly accounts: ConferencingAccounts;
  readonly #connections: Connections;
  readonly #outbound: Outbound;

  private constructor(provider: AccountProvider, zoom: ZoomServer) {
    this.provider = provider;
    this.zoom = zoom;
    this.#outbound = testDoor(1_000);
    const { issuer } = provider;
    const client = {
      ...BASIC_CLIENT,
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      revocationUrl: `${issuer}/token/revocation`,
      apiUrl: zoom.url,
    };
    const { providers, access } = openMeetingProviders({ zoom: client }, this.#outbound);
    const credentials = new Credentials(new Uint8Array(32).fill(4));
    const settings = { publicUrl: HERE, outbound: this.#outbound, credentials, providers: access };
    this.#connections = new Connections(settings);
    this.accounts = new ConferencingAccounts({ providers, connections: this.#connections });
  }

  static async open(): Promise<ZoomAccounts> {
    const provider = await AccountProvider.open(`${HERE}${CALLBACK_PATH}`);
    return new ZoomAccounts(provider, await ZoomServer.open((token) => provider.holderOf(token)));
  }

  /** Connects an account, by default of the owner's own, through consent and callback. @returns its name at Zoom */
  async connect(em: Em, ownerId: string, userId = ownerId, account = `${ownerId}@zoom.example`): Promise<string> {
    this.provider.account = account;
    const owner = isTeam(ownerId) ? ownOfTeam(userId, ownerId) : own(userId);
    const link = new URL(await this.#connections.begin(em, owner, { userId, provider: 'zoom' }));
    const visit = { userId, browserId: 'a browser' };
    const followed = await this.#connections.follow(em, link.searchParams.get('link') ?? '', visit);
    if (followed.kind !== 'GO') throw new Error(`It does not go on: ${followed.kind}`);
    const back = await this.provider.authorize(followed.url);
    const completed = await this.#connections.complete(em, back.searchParams, visit);
    if (completed.kind !== 'CONNECTED') throw new Error(`It was not connected: ${completed.kind}`);
    return account;
  }

  async close(): Promise<void> {
    await Promise.all([this.provider.close(), this.zoom.close(), this.#outbound.close()]);
  }
}
