import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import type { Config } from './config.ts';
import { CACHES } from './core/caches.ts';
import { unlessDatabaseIsSilent } from './database/database-away.ts';
import { onBehalfOf } from './database/on-behalf.ts';
import type { GraphQLServer } from './graphql/server.ts';
import { isAskedHere } from './http/client-address.ts';
import { conferencingCallbackRoutes } from './http/conferencing-callback.routes.ts';
import { explainRoutes } from './http/explain.routes.ts';
import { answerTwiceAlike } from './http/forms-sent-twice.ts';
import { healthRoutes } from './http/health.routes.ts';
import { metricsRoutes } from './http/metrics.routes.ts';
import { metadataRoutes } from './http/oauth/metadata.routes.ts';
import { tokenRoutes } from './http/oauth/token.routes.ts';
import { listedPaths } from './http/rest/openapi.ts';
import { restRoutes } from './http/rest/rest.routes.ts';
import { restRoutesOf } from './http/rest/table.ts';
import { schemaRoutes } from './http/schema.routes.ts';
import { refuseBadCredentials } from './http/shown-credentials.ts';
import { queueMetrics } from './jobs/queue-metrics.ts';
import { keyOfSecret } from './modules/bookings/conferencing/callback-signature.rules.ts';
import { furnishAccount } from './modules/event-types/event-type.commands.ts';
import { createChildrenOfMember } from './modules/event-types/managed-event-types.ts';
import { findClientScopes } from './oauth/clients/oauth-client.queries.ts';
import { isLetIn } from './oauth/grants/authorized-apps.ts';
import type { Parts } from './parts.ts';
import {
  CONSOLE_CLIENT_ID,
  DEMO_APP,
  DEMO_CLIENTS,
  DEMO_PASSWORD,
  DEMO_ROLES,
  DEMO_USERS,
} from './persistence/demo-data.ts';
import type { Schemas } from './schema.ts';
import { accountRoutes } from './screens/account/account.routes.ts';
import { limitNetworks } from './screens/account/sign-in.ts';
import { bookingRoutes } from './screens/booked/booked.routes.ts';
import { bookingIcsRoutes } from './screens/booked/booking-ics.ts';
import { calendarsRoutes } from './screens/calendars/calendars.ts';
import { conferencingRoutes } from './screens/conferencing/conferencing.routes.ts';
import { connectRoutes } from './screens/connect/connect.ts';
import { authorizeRoutes } from './screens/consent/authorize.ts';
import { CONSOLE_PATH, consoleRoutes } from './screens/console/console-page.ts';
import { deprecationsPage } from './screens/deprecations/deprecations.ts';
import { type DevFacts, devRoutes } from './screens/dev/dev.ts';
import { developerRoutes } from './screens/developer/developer.routes.ts';
import { eventTypesRoutes } from './screens/event-types/event-types.routes.ts';
import { hostingRoutes } from './screens/hosting/hosting.routes.ts';
import { invitationRoutes } from './screens/invitation/invitation.ts';
import { routesOf } from './screens/kit/page.ts';
import { assetRoutes } from './screens/kit/page-response.ts';
import { DEV_PATH } from './screens/kit/paths.ts';
import { answerElsewhere, answerErrors, answerNotFound, challengeToSignIn } from './screens/kit/problem-response.ts';
import { referencePage } from './screens/reference/reference.ts';
import { routingFormRoutes } from './screens/routing-form/routing-form.ts';
import { teamsRoutes } from './screens/teams/teams.routes.ts';
import { webhooksRoutes } from './screens/webhooks/webhooks.routes.ts';

const PAGE_TIMEOUT_IN_MS = 10_000;
/**
 * Longer than a body may take to arrive (start.ts), so that a body without an end is answered with 408 rather than taken for our
 * own silence.
 */
const FORM_TIMEOUT_IN_MS = 18_000;

/** These paths are there for the demo alone: outside of it, there is nothing. */
const DEMO_PATHS = [CONSOLE_PATH, DEV_PATH, `${DEV_PATH}/*`, '/demo/*'];

/**
 * Anybody may book and read here; the paths belong to the API like GraphQL's public fields, so credentials are judged
 * as there.
 */
const PUBLIC_PATHS = ['/book/*', '/private-links/*', '/bookings/*', '/mails/*'];

/** Everything that is not GraphQL: which routes there are, and what each is given. */
export function mountRoutes(
  routes: Hono,
  config: Config,
  schemas: Schemas,
  parts: Parts,
  graphql: GraphQLServer,
): void {
  const { em, addressOf, report, visitors, authorizationServer } = parts;
  const { publicUrl, seedDemo: hasDemoData } = config;
  const showsDemo = (c: Context): boolean => hasDemoData && (config.isDemoOpen || isAskedHere(incomingOf(c)));
  const { rules } = schemas.forTokens;
  const endpoint = { em, addressOf, report, visitors };
  const mount = (part: Hono): void => void routes.route('/', part);

  routes.notFound(answerElsewhere(routes, ({ req }) => visitors.sessionOf(req.raw)));
  routes.onError(answerErrors(report));
  // Endpoints of clients give up a little earlier, in their own words.
  routes.use(({ req }, next) =>
    unlessDatabaseIsSilent(
      next,
      req.method === 'GET' ? { timeoutInMs: PAGE_TIMEOUT_IN_MS } : { timeoutInMs: FORM_TIMEOUT_IN_MS, mayChange: true },
    ),
  );
  // These routes act on behalf of the user who turns out to be signed in (visitors.ts).
  routes.use((_c, next) => onBehalfOf(undefined, next));
  routes.use(answerTwiceAlike(visitors.cookies));
  routes.use(challengeToSignIn());
  const { requests } = parts;
  if (config.rateLimits) routes.use('/auth/*', limitNetworks({ addressOf, requests, rate: config.rateLimits.auth }));
  for (const path of PUBLIC_PATHS) routes.use(path, refuseBadCredentials(parts));

  mount(assetRoutes());
  const consolePath = hasDemoData ? CONSOLE_PATH : undefined;
  mount(
    accountRoutes({
      ...parts,
      publicUrl,
      showsDemo,
      demoPassword: hasDemoData ? DEMO_PASSWORD : undefined,
      furnish: furnishAccount,
      consolePath,
      allowPrivateNetwork: config.allowPrivateNetwork,
    }),
  );
  mount(invitationRoutes({ ...parts, furnishMember: createChildrenOfMember }));
  mount(connectRoutes(parts));
  mount(calendarsRoutes({ ...parts, allowPrivateNetwork: config.allowPrivateNetwork }));
  mount(authorizeRoutes({ ...endpoint, rateLimit: parts.rateLimit }, authorizationServer));
  mount(developerRoutes({ ...endpoint, publicUrl, rules }, authorizationServer));
  mount(tokenRoutes({ ...endpoint, em: em.fork(), server: authorizationServer }));
  mount(metadataRoutes(authorizationServer));
  mount(restRoutes(restRoutesOf(rules), { ...parts, shared: graphql.shared }, visitors));
  mount(schemaRoutes(rules, publicUrl));
  const listed = () => listedPaths(restRoutesOf(rules), rules);
  mount(routesOf(parts, [referencePage(listed), deprecationsPage(schemas.forTokens.schema)]));
  const clientScopes = (clientId: string, userId: string | undefined) =>
    findClientScopes(em.fork(), clientId, publicUrl, { userId });
  mount(explainRoutes({ ...parts, rules, findClientScopes: clientScopes }));
  if (hasDemoData) {
    for (const path of DEMO_PATHS) routes.use(path, async (c, next) => (showsDemo(c) ? next() : answerNotFound(c)));
    mount(consoleRoutes({ em, visitors, publicUrl, clientId: CONSOLE_CLIENT_ID }));
    const send = async (request: Request, environment: object) => graphql.fetch(request, environment);
    const walk = { visitors, publicUrl, app: DEMO_APP, send };
    mount(devRoutes({ em, visitors, facts: devFacts(config, parts), walk }));
  }
  // The pages first: they count the requests for the calendar files too.
  mount(bookingRoutes({ ...parts, publicUrl }));
  mount(routingFormRoutes({ ...parts, publicUrl }));
  mount(hostingRoutes({ ...parts, publicUrl }));
  mount(eventTypesRoutes({ ...parts, publicUrl }));
  mount(teamsRoutes({ ...parts, publicUrl, furnishMember: createChildrenOfMember, isLetIn }));
  mount(conferencingRoutes({ ...parts, hasRooms: parts.rooms !== undefined }));
  mount(webhooksRoutes({ ...parts, isLetIn, allowPrivateNetwork: config.allowPrivateNetwork }));
  mount(bookingIcsRoutes({ em, uids: parts.uids, mailFrom: config.mailFrom }));
  const callbackKey = keyOfSecret(config.conferencingCallbackSecret ?? '');
  if (callbackKey) mount(conferencingCallbackRoutes({ em, key: callbackKey }));
  const { metricsToken: token } = config;
  const counted = [parts.deprecatedUses, parts.outbound, parts.uids, CACHES];
  const read = async () => [...counted.map((one) => one.metrics(cluster.worker?.id)), await queueMetrics(em)].join('');
  if (token !== undefined) mount(metricsRoutes({ token, read }));
  mount(healthRoutes(parts.health));
}

function devFacts({ publicUrl, smtpUrl }: Config, { database, mailFolder }: Parts): DevFacts {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const accounts = DEMO_USERS.map(({ name, email, username }) => ({ name, email, role: DEMO_ROLES[username] }));
  const sendsMail = smtpUrl !== undefined;
  return { version, database, publicUrl, mailFolder, sendsMail, password: DEMO_PASSWORD, accounts, apps: DEMO_CLIENTS };
}

/** Node's own request: its sender cannot write what stands behind it. */
function incomingOf({ env }: Context): IncomingMessage {
  return (env as { readonly req: IncomingMessage }).req;
}
