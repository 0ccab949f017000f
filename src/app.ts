/** The composition root: the only file that knows all parts, and hands each what it needs. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import type { Config } from './config.ts';
import { inTime } from './core/in-time.ts';
import { macOf } from './core/secret.ts';
import { unlessDatabaseIsSilent } from './database/database-away.ts';
import { type Listen, listenOnEmbedded, listenOnPostgres } from './database/listen.ts';
import type { Em } from './database/sql.ts';
import { graphqlServer } from './graphql/server.ts';
import { type TrustedDocuments, trustedDocuments } from './graphql/trusted-documents.ts';
import { apiCaller } from './http/api-caller.ts';
import { assetRoutes } from './http/asset.routes.ts';
import { clientAddress, trustedProxies } from './http/client-address.ts';
import { conferencingCallbackRoutes } from './http/conferencing-callback.routes.ts';
import { explainRoutes } from './http/explain.routes.ts';
import { healthRoutes } from './http/health.routes.ts';
import { metadataRoutes } from './http/oauth/metadata.routes.ts';
import { tokenRoutes } from './http/oauth/token.routes.ts';
import { answerElsewhere, answerErrors, challengeToSignIn } from './http/problem-response.ts';
import { withUsableTarget } from './http/request-target.ts';
import { REST_DOCUMENTS, restRoutes } from './http/rest.routes.ts';
import { refuseBadCredentials } from './http/shown-credentials.ts';
import { Visitors } from './http/visitors.ts';
import { whileClientWaits } from './http/while-client-waits.ts';
import { chores } from './jobs/chores.ts';
import { startJanitor } from './jobs/janitor.ts';
import { jobKinds } from './jobs/job-kinds.ts';
import { enqueueJobs, releaseAllClaims } from './jobs/job-queue.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { mailJob } from './jobs/mail.job.ts';
import { createGuessLimit, PASSWORD_GUESSES } from './limits/guess-limit.ts';
import { type CountedAs, MailLimit } from './limits/mail-limit.ts';
import { createNetworkLimits } from './limits/network-limits.ts';
import { RequestLimit } from './limits/request-limit.ts';
import { shareInDatabase } from './limits/shared-counts.ts';
import { CODE_REQUESTS, CODE_TRIES } from './limits/verification.ts';
import type { Log } from './log.ts';
import { type Admission, addressOfMail, createMailer, type Mail } from './mail/mailer.ts';
import { AccountMails } from './modules/accounts/links/account-mails.ts';
import { keyOfSecret } from './modules/bookings/conferencing/callback-signature.rules.ts';
import { createChildrenOfMember } from './modules/event-types/managed/child-event-types.ts';
import { createFirstSchedule } from './modules/schedules/create-schedule.ts';
import { findClientScopes } from './oauth/clients/find-client-scopes.ts';
import { openAuthorizationServer } from './oauth/open-authorization-server.ts';
import { ENDPOINTS } from './oauth/protocol/tokens/metadata.ts';
import { connect, type Database } from './persistence/connect.ts';
import { CONSOLE_CLIENT_ID } from './persistence/demo-data.ts';
import { EmbeddedConnection } from './persistence/embedded-driver.ts';
import { masterKeys } from './persistence/master-key.ts';
import { seedDemo } from './persistence/seed-demo.ts';
import { buildSchemas, type Schemas } from './schema.ts';
import { accountRoutes } from './screens/account/account.routes.ts';
import { limitNetworks } from './screens/account/auth-limit.ts';
import { bookingRoutes } from './screens/booked/booking.routes.ts';
import { bookingIcsRoutes } from './screens/booked/booking-ics.routes.ts';
import { authorizeRoutes } from './screens/consent/authorize.routes.ts';
import { CONSOLE_PATH, consoleRoutes } from './screens/console/console.routes.ts';
import { settingsRoutes } from './screens/developer/settings.routes.ts';

export interface App {
  /** For Node's HTTP server. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** In words, for the operator who starts it. */
  readonly database: string;
  /** Every route beside GraphQL, as `GET /path`: so that a test can ask of each what it requires. */
  readonly routes: readonly string[];
  /** Undefined while this process works, or will by itself. */
  live(): Promise<string | undefined>;
  /** Begins no more work beside the requests; what runs may go on for a while. */
  stopWorking(): Promise<void>;
  /** After the last request. Ends, whatever hangs. */
  close(): Promise<void>;
}

/** What has not ended by then goes with the process; both are within the grace of drain.ts. */
const WORK_MILLISECONDS = 9_000;
const CLOSING_MILLISECONDS = 2_000;

const RATE_WINDOW_SECONDS = 60;

const PAGE_PATIENCE_IN_MS = 10_000;
/** Longer than a body may take to arrive (start.ts): one that does not end is answered 408, and not as our own silence. */
const FORM_PATIENCE_IN_MS = 18_000;

/** What anybody may book and read; of the API like GraphQL's public fields, so credentials are judged as there. */
const PUBLIC_PATHS = ['/book/*', '/private-links/*', '/bookings/*'];

export interface AppOptions {
  /** Opened and migrated already. */
  readonly database?: Database;
  /** Whether this process tells events and does jobs; unless said otherwise, it does. */
  readonly runsJobs?: boolean;
}

/** Opens everything that serving needs. @throws Error with what to do, before anything listens */
export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const schemas = buildSchemas();
  const database = options.database ?? (await connect(config));
  if (config.seedDemo) await seedDemo(database.em.fork());
  const listen = listenOf(database, config);
  const { runsJobs = true } = options;
  const parts = await openParts(config, log, database, { listen, runsJobs });
  const routes = new Hono();
  const graphql = await openGraphQL(config, schemas, parts, routes);
  mountRoutes(routes, config, schemas, parts, graphql);
  const janitor = startJanitor({
    em: database.em,
    chores: chores(),
    onError: (error) => log.warn({ err: error }, 'Expired rows are swept away later.'),
  });
  const jobs = runsJobs ? await startJobs(config, log, database, parts, listen) : undefined;
  const stopWorking = once(() => withinTime(jobs?.stop(), WORK_MILLISECONDS, 'Jobs', log));
  return {
    listener: whileClientWaits(withUsableTarget(graphql)),
    routes: routes.routes.map(({ method, path }) => `${method} ${path}`),
    database: database.isEmbedded ? `embedded, in ${config.dataDir}` : 'PostgreSQL',
    live: () => database.health.live(),
    stopWorking,
    close: async () => {
      await stopWorking();
      const { requests, authorizationServer } = parts;
      const closing = Promise.all([requests.close(), janitor.stop(), authorizationServer.close()]);
      await withinTime(closing, CLOSING_MILLISECONDS, 'Work behind the answers', log);
      await database.close();
    },
  };
}

async function withinTime(
  work: Promise<unknown> | undefined,
  milliseconds: number,
  name: string,
  log: Log,
): Promise<void> {
  const late = (): Error => new Error(`${name} did not end within ${milliseconds} ms.`);
  await inTime(Promise.resolve(work), milliseconds, late).catch((error: unknown) =>
    log.warn({ err: error }, 'Closing without waiting.'),
  );
}

function once<Result>(run: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => {
    result ??= { value: run() };
    return result.value;
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;
type GraphQLServer = ReturnType<typeof graphqlServer>;

/** What lives as long as the process, beside the database. */
async function openParts(
  config: Config,
  log: Log,
  database: Database,
  { listen, runsJobs }: { readonly listen: Listen; readonly runsJobs: boolean },
) {
  const { em, isEmbedded } = database;
  const { publicUrl } = config;
  const folder = config.dataDir === 'memory:' ? undefined : join(config.dataDir, 'mail');
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder, log });
  const mailLimit = new MailLimit(config.mailLimits, log);
  const enqueue = async (inner: Em, mail: Mail, counted: CountedAs): Promise<void> => {
    const admission = await mailLimit.admitOne(inner, { to: addressOfMail(mail), ...counted });
    if (!admission) return;
    await (runsJobs ? enqueueJobs(inner, [mailJob(withId(mail, publicUrl), admission)]) : mailer.send(mail, admission));
  };
  const authorizationServer = await openAuthorizationServer({
    em,
    isEmbedded,
    listen,
    issuer: publicUrl,
    masterKeys: await masterKeys(config),
    codeLifetimeInSeconds: config.authorizationCodeSeconds,
    sendMail: (mail, counted) => enqueue(em.fork(), mail, counted),
    onError: (error) => log.error({ err: error }, 'Work behind an answer failed.'),
  });
  const { derivationKey } = authorizationServer.keys;
  const { background } = authorizationServer;
  const accountMails = new AccountMails({
    em,
    publicUrl,
    mailLimit,
    background,
    enqueue,
    sendAtOnce: (mail, admission) => mailer.send(mail, admission),
    rehearse: (mail) => mailer.rehearse(mail),
  });
  const proxies = trustedProxies(config.trustProxy);
  const addressOf = ({ env, req }: Context): string => {
    const { socket } = (env as { req?: IncomingMessage }).req ?? {};
    return clientAddress(socket?.remoteAddress, req.header('x-forwarded-for') ?? null, proxies);
  };
  const requests = new RequestLimit({
    windowInSeconds: RATE_WINDOW_SECONDS,
    share: isEmbedded ? undefined : shareInDatabase(em, RATE_WINDOW_SECONDS),
    onError: (error) => log.warn({ err: error }, 'Rate limits hold for this process alone until the database answers.'),
  });
  const visitors = new Visitors({ em, publicUrl, formKey: macOf(derivationKey, 'forms'), addressOf });
  const resource = { realm: 'Gatehouse', resourceMetadata: `${publicUrl}${ENDPOINTS.resourceMetadata}` };
  const { bearerTokens } = authorizationServer;
  return {
    em,
    health: database.health,
    mailer,
    mailLimit,
    accountMails,
    /** Where mails are looked for that no mail server gets. */
    mailFolder: config.smtpUrl === undefined ? folder : undefined,
    linkKey: macOf(derivationKey, 'links in mails'),
    authorizationServer,
    proxies,
    addressOf,
    requests,
    rateLimit: config.rateLimits && { requests, rates: config.rateLimits },
    visitors,
    resource,
    authenticate: apiCaller({ em, bearerTokens, visitors, publicUrl, resource, trustedProxies: proxies }),
    passwordGuesses: createGuessLimit(PASSWORD_GUESSES, database),
    networkLimits: createNetworkLimits(database),
    verification: {
      key: macOf(derivationKey, 'verification codes'),
      requests: createGuessLimit(CODE_REQUESTS, database),
      tries: createGuessLimit(CODE_TRIES, database),
      mailLimit,
      send: (mail: Mail, admission: Admission) => background.run(() => mailer.send(mail, admission)),
    },
    report: (error: unknown, id: string): void => log.error({ err: error, id }, 'A request failed on our side.'),
  };
}

function withId(mail: Mail, publicUrl: string): Mail & { readonly messageId: string } {
  return { messageId: `<${randomUUID()}@${new URL(publicUrl).hostname}>`, ...mail };
}

async function startJobs(config: Config, log: Log, database: Database, parts: Parts, listen: Listen) {
  const { publicUrl, mailFrom } = config;
  const { mailer, mailLimit, linkKey } = parts;
  const jobs = new JobRunner(database.em, jobKinds({ mailer, mailLimit, publicUrl, mailFrom, linkKey }), log);
  // No other process uses the embedded database, so jobs that are claimed still belonged to an earlier run of this one.
  if (database.isEmbedded) await releaseAllClaims(database.em.fork());
  await jobs.start(listen);
  return jobs;
}

async function openGraphQL(config: Config, schemas: Schemas, parts: Parts, routes: Hono): Promise<GraphQLServer> {
  const { authorizationServer: oauth, passwordGuesses, verification, accountMails } = parts;
  return graphqlServer({
    ...schemas,
    ...parts,
    publicUrl: config.publicUrl,
    background: oauth.background,
    modules: { oauth, passwordGuesses, verification, accountMails, furnishMember: createChildrenOfMember },
    hasConsole: config.seedDemo,
    trustedDocuments: await readTrustedDocuments(config),
    elsewhere: (request, environment) => routes.fetch(request, environment),
  });
}

/** Everything that is not GraphQL. */
function mountRoutes(routes: Hono, config: Config, schemas: Schemas, parts: Parts, graphql: GraphQLServer): void {
  const { em, addressOf, report, visitors, authorizationServer } = parts;
  const { publicUrl, seedDemo: hasDemoData } = config;
  const { rules } = schemas.forTokens;
  const endpoint = { em, addressOf, report, visitors };
  const mount = (part: Hono): void => void routes.route('/', part);

  routes.notFound(answerElsewhere(routes));
  routes.onError(answerErrors(report));
  // Endpoints of clients give up a little earlier, in their own words.
  routes.use(({ req }, next) =>
    unlessDatabaseIsSilent(next, req.method === 'GET' ? PAGE_PATIENCE_IN_MS : FORM_PATIENCE_IN_MS),
  );
  routes.use(challengeToSignIn());
  const { requests } = parts;
  if (config.rateLimits) routes.use('/auth/*', limitNetworks({ addressOf, requests, rate: config.rateLimits.auth }));
  for (const path of PUBLIC_PATHS) routes.use(path, refuseBadCredentials(parts.authenticate));

  mount(assetRoutes());
  const consolePath = hasDemoData ? CONSOLE_PATH : undefined;
  mount(accountRoutes({ ...parts, publicUrl, hasDemoData, furnish: createFirstSchedule, consolePath }));
  mount(authorizeRoutes({ ...endpoint, rateLimit: parts.rateLimit }, authorizationServer));
  mount(settingsRoutes(endpoint, authorizationServer));
  mount(tokenRoutes(endpoint, authorizationServer));
  mount(metadataRoutes(authorizationServer));
  mount(restRoutes((request, environment) => graphql.fetch(request, environment), rules, publicUrl));
  const clientScopes = (clientId: string, userId: string | undefined) =>
    findClientScopes(em.fork(), clientId, publicUrl, { userId });
  mount(explainRoutes({ ...parts, rules, findClientScopes: clientScopes }));
  if (hasDemoData) mount(consoleRoutes({ visitors, publicUrl, clientId: CONSOLE_CLIENT_ID }));
  // The pages first: they count the requests for the calendar files too.
  mount(bookingRoutes({ ...parts, publicUrl }));
  mount(bookingIcsRoutes({ em, mailFrom: config.mailFrom }));
  const callbackKey = keyOfSecret(config.conferencingCallbackSecret ?? '');
  if (callbackKey) mount(conferencingCallbackRoutes({ em, key: callbackKey }));
  mount(healthRoutes(parts.health));
}

async function readTrustedDocuments(config: Config): Promise<TrustedDocuments | undefined> {
  const { trustedDocuments: path, trustedDocumentsOnly: isExclusive } = config;
  if (path === undefined) return undefined;
  return { byHash: trustedDocuments(await readFile(path, 'utf8')), isExclusive, ownDocuments: REST_DOCUMENTS };
}

function listenOf(database: Database, config: Config) {
  if (config.databaseUrl !== undefined) return listenOnPostgres(config.databaseUrl);
  const connection = database.orm.em.getDriver().getConnection();
  if (!(connection instanceof EmbeddedConnection)) throw new Error('The embedded database was expected.');
  return listenOnEmbedded(async () => connection.database);
}
