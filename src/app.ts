/** The composition root: opens the parts (parts.ts), hands each what it needs, and mounts the routes (routes.ts). */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import type { Config } from './config.ts';
import { CACHES, MEGABYTE } from './core/caches.ts';
import { inTime } from './core/in-time.ts';
import { lazily } from './core/lazily.ts';
import { type Listen, listenOnEmbedded, listenOnPostgres } from './database/listen.ts';
import { type GraphQLServer, graphqlServer } from './graphql/server.ts';
import { type TrustedDocuments, trustedDocuments } from './graphql/trusted-documents.ts';
import { answeringClients } from './http/oauth/client-endpoint.listener.ts';
import { CLIENT_ENDPOINTS } from './http/oauth/token.routes.ts';
import { withUsableTarget } from './http/request-target.ts';
import { restDocuments } from './http/rest/table.ts';
import { whileClientWaits } from './http/while-client-waits.ts';
import { startJanitor } from './jobs/janitor.ts';
import { jobKinds } from './jobs/job-kinds.ts';
import { releaseAllClaims } from './jobs/job-queue.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { tasks } from './jobs/tasks.ts';
import type { Log } from './log.ts';
import { createChildrenOfMember } from './modules/event-types/managed-event-types.ts';
import { isLetIn } from './oauth/grants/authorized-apps.ts';
import { openParts, type Parts } from './parts.ts';
import type { Database } from './persistence/connect.ts';
import type { EmbeddedConnection } from './persistence/embedded/embedded-dialect.ts';
import type { PooledPostgres } from './persistence/postgres-dialect.ts';
import { requireNoDemo, seedDemo } from './persistence/seed-demo.ts';
import { mountRoutes } from './routes.ts';
import { buildSchemas, type Schemas } from './schema.ts';

export interface App {
  /** Handles requests of Node's HTTP server. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Describes the database in words, for the operator who starts the service. */
  readonly database: string;
  /** Every route beside GraphQL, as `GET /path`: so that a test can ask of each what it requires. */
  readonly routes: readonly string[];
  /** Undefined while this process works, or will by itself. */
  live(): Promise<string | undefined>;
  /** Begins no more work beside the requests; what runs may go on for a while. @returns whether all of it has ended */
  stopWorking(): Promise<boolean>;
  /** After the last request. Ends, whatever hangs. @returns whether nothing had to be abandoned */
  close(): Promise<boolean>;
}

/** Work that has not ended by then goes with the process; both are within the grace of drain.ts. */
const WORK_MILLISECONDS = 9_000;
const CLOSING_MILLISECONDS = 2_000;

export interface AppOptions {
  /** Whether this process tells events and does jobs; unless said otherwise, it does. */
  readonly runsJobs?: boolean;
}

/** Opens everything that serving needs, on an open database. @throws Error with what to do, before anything listens */
export async function createApp(config: Config, log: Log, database: Database, options: AppOptions = {}): Promise<App> {
  CACHES.limit(config.cacheMegabytes * MEGABYTE);
  const schemas = buildSchemas();
  if (config.seedDemo) await seedDemo(database.em.fork());
  else if (!config.isForThisMachine) await requireNoDemo(database.em.fork());
  const listen = listenOf(database, config);
  const { runsJobs = true } = options;
  const parts = await openParts(config, log, database, { listen, runsJobs });
  const routes = new Hono();
  const graphql = await openGraphQL(config, schemas, parts, routes);
  mountRoutes(routes, config, schemas, parts, graphql);
  const janitor = startJanitor({
    em: database.em,
    tasks: tasks({ isLetIn }),
    onError: (error) => log.warn({ err: error }, 'Expired rows are swept away later.'),
  });
  const jobs = runsJobs ? await startJobs(config, log, database, parts, listen) : undefined;
  const clients = { ...parts, em: parts.em.fork(), server: parts.authorizationServer };
  const forClients = (otherwise: App['listener']) =>
    config.fastPath ? answeringClients(clients, CLIENT_ENDPOINTS, otherwise) : otherwise;
  const stopWorking = lazily(() => withinTime(jobs?.stop(), WORK_MILLISECONDS, 'Jobs', log));
  return {
    listener: withUsableTarget(graphql.inFront(whileClientWaits(forClients(graphql.listener)))),
    routes: routes.routes.map(({ method, path }) => `${method} ${path}`),
    database: parts.database,
    live: () => database.health.live(),
    stopWorking,
    close: async () => {
      await stopWorking();
      const { requests, authorizationServer, forgetProfiles, outbound } = parts;
      const closing = Promise.all([
        requests.close(),
        janitor.stop(),
        authorizationServer.close(),
        forgetProfiles(),
        outbound.close(),
      ]);
      const hasEnded = await withinTime(closing, CLOSING_MILLISECONDS, 'Work behind the answers', log);
      await database.close();
      return hasEnded;
    },
  };
}

async function withinTime(
  work: Promise<unknown> | undefined,
  milliseconds: number,
  name: string,
  log: Log,
): Promise<boolean> {
  const late = (): Error => new Error(`${name} did not end within ${milliseconds} ms.`);
  try {
    await inTime(Promise.resolve(work), milliseconds, late);
    return true;
  } catch (error) {
    log.error({ err: error }, 'Stopping without waiting any longer.');
    return false;
  }
}

async function startJobs(config: Config, log: Log, database: Database, parts: Parts, listen: Listen) {
  const { publicUrl, mailFrom } = config;
  const jobs = new JobRunner(database.em, jobKinds({ ...parts, publicUrl, mailFrom, isLetIn }), log);
  // No other process uses the embedded database, so jobs that are claimed still belonged to an earlier run of this one.
  if (database.isEmbedded) await releaseAllClaims(database.em.fork());
  await jobs.start(listen);
  return jobs;
}

async function openGraphQL(config: Config, schemas: Schemas, parts: Parts, routes: Hono): Promise<GraphQLServer> {
  const { authorizationServer: oauth, passwordGuesses, verification, accountMails, profiles } = parts;
  const {
    webhooksKey,
    requestedDeliveries,
    calendarAccounts,
    calendarAccountTries,
    connections,
    outbound,
    credentials,
    feedTries,
  } = parts;
  const { allowPrivateNetwork } = config;
  return graphqlServer({
    ...schemas,
    ...parts,
    publicUrl: config.publicUrl,
    failedRequests: oauth.failedRequests,
    modules: {
      codesBySms: parts.codesBySms,
      oauth,
      passwordGuesses,
      verification,
      invitationMails: parts.invitationMails,
      accountMails,
      profiles,
      furnishMember: createChildrenOfMember,
      webhooksKey,
      isLetIn,
      calendarAccounts,
      calendarAccountTries,
      connections,
      requestedDeliveries,
      formSubmissions: parts.networkLimits.formSubmissions,
      allowPrivateNetwork,
      feeds: { outbound, credentials },
      feedTries,
      hasRooms: parts.rooms !== undefined,
      uids: parts.uids,
      conferencingAccounts: parts.conferencingAccounts,
    },
    hasConsole: config.seedDemo,
    trustedDocuments: await readTrustedDocuments(config, () => restDocuments(schemas.forTokens.rules)),
    elsewhere: (request, environment) => routes.fetch(request, environment),
  });
}

async function readTrustedDocuments(
  config: Config,
  ownDocuments: () => readonly string[],
): Promise<TrustedDocuments | undefined> {
  const { trustedDocuments: path, trustedDocumentsOnly: isExclusive } = config;
  if (path === undefined) return undefined;
  const json = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`TRUSTED_DOCUMENTS cannot be read (${String(error)}).`, { cause: error });
  });
  const byHash = trustedDocuments(json);
  return { byHash, isExclusive, texts: new Set([...byHash.values(), ...ownDocuments()]) };
}

function listenOf(database: Database, config: Config) {
  const connection: unknown = database.orm.em.getDriver().getConnection();
  if (config.databaseUrl !== undefined)
    return listenOnPostgres(config.databaseDirectUrl ?? config.databaseUrl, connection as PooledPostgres);
  return listenOnEmbedded(async () => (connection as EmbeddedConnection).database);
}
