import type { Em } from '../../src/database/sql.ts';
import type { Connections } from '../../src/modules/connections/connections.ts';
import { askToSignIn } from '../../src/screens/account/sign-in.ts';
import { connectRoutes } from '../../src/screens/connect/connect.ts';
import { Visitors } from '../../src/screens/kit/visitors.ts';
import { Browser } from '../screens/a-browser.ts';
import type { AccountProvider } from './account-provider.ts';
import { uuidOf } from './ids.ts';
import { aSession } from './session.ts';

interface Here {
  readonly em: Em;
  readonly connections: Connections;
  readonly publicUrl: string;
}

const report = (error: unknown) => {
  throw error;
};

/** A browser that goes to a provider to connect an account, and comes back. */
export class ConnectingBrowser {
  readonly browser: Browser;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  /** `userId`: as the API gives it. */
  static async signedIn({ em, connections, publicUrl }: Here, userId: string): Promise<ConnectingBrowser> {
    const formKey = new Uint8Array(32);
    const visitors = new Visitors({ em, publicUrl, formKey, askToSignIn, addressOf: () => '192.0.2.1' });
    const browser = new Browser(connectRoutes({ em, visitors, connections, report }), publicUrl);
    browser.cookies.set('gatehouse_session', (await aSession(em.fork(), uuidOf(userId))).token);
    return new ConnectingBrowser(browser);
  }

  /** @returns the address that leads back from the provider */
  async toProvider(link: string, provider: AccountProvider): Promise<string> {
    const answer = await this.browser.get(link);
    if (answer.status !== 303) throw new Error(`It leads nowhere: ${answer.status} ${await answer.text()}`);
    return (await provider.authorize(answer.headers.get('location') ?? '')).href;
  }

  /** @returns where it ends */
  async connect(link: string, provider: AccountProvider): Promise<string | null> {
    return (await this.browser.get(await this.toProvider(link, provider))).headers.get('location');
  }
}
