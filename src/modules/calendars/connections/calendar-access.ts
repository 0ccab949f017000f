import { Problem } from '../../../core/problem.ts';
import { textMistake } from '../../../core/text.ts';
import type { Em } from '../../../database/sql.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Provider } from '../../connections/provider.ts';
import { own } from '../../levels/reach.ts';
import type { CalendarProviders } from './calendar-accounts.ts';
import { connectCalendars } from './calendar-connection.commands.ts';
import {
  bearerAuthorization,
  type CalendarProviderName,
  type ListedAccount,
  MAX_ACCOUNT_LENGTH,
  OAUTH_CALENDAR_PROVIDERS,
  type OAuthCalendarProvider,
  TITLES,
} from './calendar-connection.rules.ts';
import { CalendarFailure, type CalendarProvider } from './calendar-provider.ts';
import { CALDAV_LIMITS, CalDav, CaldavServers } from './servers/caldav.ts';
import { GRAPH_LIMITS, Graph } from './servers/graph.ts';

/** This service as a registered client of a provider (RFC 6749 §2), and where that answers. */
export interface ProviderClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The address that revokes tokens (RFC 7009); left out where the provider has none. */
  readonly revocationUrl?: string;
  /** Where calendars are asked for. */
  readonly apiUrl: string;
}

/** Undefined: accounts there cannot be connected. */
type ProviderClients = { readonly [Name in OAuthCalendarProvider]: ProviderClient | undefined };

interface Offer {
  readonly scopes: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly open: (apiUrl: string, outbound: Outbound) => CalendarProvider;
}

/** Each provider is asked for this, and spoken to in this way. */
const OFFERS: Readonly<Record<OAuthCalendarProvider, Offer>> = {
  GOOGLE: {
    scopes: ['https://www.googleapis.com/auth/calendar'],
    // A refresh token, and another one each time that the account is connected: Google gives none otherwise.
    parameters: { access_type: 'offline', prompt: 'consent' },
    open: (apiUrl, outbound) => new CalDav(apiUrl, outbound.fetchOf('CALDAV', CALDAV_LIMITS)),
  },
  OFFICE365: {
    scopes: ['offline_access', 'User.Read', 'Calendars.ReadWrite'],
    parameters: {},
    open: (apiUrl, outbound) => new Graph(apiUrl, outbound.fetchOf('CALENDAR', GRAPH_LIMITS)),
  },
};

/** All calendars that can be connected, and the providers at which that takes a consent. */
export function openCalendarProviders(
  { appleCaldavUrl, clients }: { readonly appleCaldavUrl: string; readonly clients: ProviderClients },
  outbound: Outbound,
): {
  readonly providers: CalendarProviders;
  readonly access: readonly Provider[];
  readonly caldav: CaldavServers;
} {
  const providers: { [Name in CalendarProviderName]?: CalendarProvider } = {
    APPLE: new CalDav(appleCaldavUrl, outbound.fetchOf('CALDAV', CALDAV_LIMITS)),
  };
  const access: Provider[] = [];
  for (const key of OAUTH_CALENDAR_PROVIDERS) {
    const client = clients[key];
    if (!client) continue;
    const provider = OFFERS[key].open(client.apiUrl, outbound);
    providers[key] = provider;
    access.push(accessTo(key, client, provider));
  }
  return { providers, access, caldav: new CaldavServers(outbound) };
}

/** How accounts of a provider are connected: once it has listed their calendars, these are kept beside the tokens. */
export function accessTo(key: OAuthCalendarProvider, client: ProviderClient, provider: CalendarProvider): Provider {
  const { scopes, parameters } = OFFERS[key];
  const {
    clientId,
    clientSecret,
    authorizationUrl: authorization,
    tokenUrl: token,
    revocationUrl: revocation,
  } = client;
  return {
    key,
    title: TITLES[key],
    server: { authorization, token, ...(revocation !== undefined && { revocation }) },
    clientId,
    clientSecret,
    scopes,
    parameters,
    arrive: async (accessToken) => {
      const { account, calendars: listed } = await listWith(provider, accessToken);
      if (textMistake(['account'], account, { max: MAX_ACCOUNT_LENGTH }))
        throw new Problem('NOT_POSSIBLE', 'The provider does not say by which name the account is known.');
      return async (em, { userId, id: accessId }) => {
        const opened = async () => ({ credentials: null, accessId });
        await connectCalendars(em, { userId, provider: key, account, listed, opened });
      };
    },
  };
}

async function listWith(provider: CalendarProvider, accessToken: string): Promise<ListedAccount> {
  try {
    return await provider.list(bearerAuthorization(accessToken));
  } catch (error) {
    if (error instanceof CalendarFailure) throw new Problem('NOT_REACHABLE', error.message);
    throw error;
  }
}

export const CONNECT_CALENDAR_CODES = ['NOT_POSSIBLE'] as const;

/**
 * Begins to connect an account. @returns the address that its user is to open in their browser, within ten minutes
 * @throws Problem NOT_POSSIBLE for a provider that is not offered, or not by OAuth
 */
export function beginCalendarAccess(
  em: Em,
  { userId, provider }: { readonly userId: string; readonly provider: CalendarProviderName },
  connections: Connections,
): Promise<string> {
  if (provider === 'APPLE' || provider === 'CALDAV') {
    const message = `Such accounts are connected by a password, with ${provider === 'APPLE' ? 'appleCalendarAccountConnect' : 'caldavCalendarAccountConnect'}.`;
    throw new Problem('NOT_POSSIBLE', message, ['provider']);
  }
  if (connections.has(provider)) return connections.begin(em, own(userId), { userId, provider });
  const settings = `${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET`;
  const message = `Accounts of this provider cannot be connected here: the operator of the service has to set ${settings}.`;
  throw new Problem('NOT_POSSIBLE', message, ['provider']);
}
