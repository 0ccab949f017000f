import { Problem } from '../../core/problem.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { ProviderClient } from '../calendars/connections/calendar-access.ts';
import type { Provider } from '../connections/provider.ts';
import { keepConnectedApp } from './conferencing-app.commands.ts';
import { APPS, OAUTH_APPS, type OAuthApp } from './conferencing-app.rules.ts';
import { MeetingFailure, type MeetingProvider } from './meeting-provider.ts';
import { Zoom } from './zoom.ts';

/** As a client of a provider that revokes tokens. */
export interface AppClient extends ProviderClient {
  /** RFC 7009 */
  readonly revocationUrl: string;
}

/** Undefined: the app cannot be connected. */
type AppClients = Readonly<Record<OAuthApp, AppClient | undefined>>;

/** Tells how each app is spoken to. Our rights are a part of our registration there. */
const OPENED: Readonly<Record<OAuthApp, (apiUrl: string, outbound: Outbound) => MeetingProvider>> = {
  zoom: (apiUrl, outbound) => new Zoom(apiUrl, outbound),
};

/** The providers of meetings that are configured, and how accounts there are connected. */
export function openMeetingProviders(
  clients: AppClients,
  outbound: Outbound,
): { readonly providers: Partial<Record<OAuthApp, MeetingProvider>>; readonly access: readonly Provider[] } {
  const providers: Partial<Record<OAuthApp, MeetingProvider>> = {};
  const access: Provider[] = [];
  for (const app of OAUTH_APPS) {
    const client = clients[app];
    if (!client) continue;
    const provider = OPENED[app](client.apiUrl, outbound);
    providers[app] = provider;
    access.push(accessTo(app, client, provider));
  }
  return { providers, access };
}

/** An account is kept once it has let us in. */
function accessTo(app: OAuthApp, client: AppClient, provider: MeetingProvider): Provider {
  const { clientId, clientSecret, authorizationUrl, tokenUrl, revocationUrl } = client;
  return {
    key: app,
    title: APPS[app],
    server: { authorization: authorizationUrl, token: tokenUrl, revocation: revocationUrl },
    clientId,
    clientSecret,
    secretBy: 'basic',
    scopes: [],
    arrive: async (accessToken) => {
      await provider.check(accessToken).catch((error: unknown) => {
        throw error instanceof MeetingFailure ? new Problem('NOT_REACHABLE', error.message) : error;
      });
      return (em, connection) => keepConnectedApp(em, connection, app);
    },
  };
}
