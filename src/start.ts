import cluster from 'node:cluster';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { drain, onSignalToStop, RequestsUnderWay } from './drain.ts';
import { createLimitedServer } from './http/limited-server.ts';
import { createLog, type Log, outliveReaders } from './log.ts';
import { allocateYoung, giveBackIdleMemory } from './memory.ts';
import { sendHeartbeat, shareDepartures, superviseWorkers } from './supervise.ts';

/** Starts the service and returns when it listens; it stops on SIGTERM and SIGINT, after the requests under way. */
export async function start(config: Config): Promise<void> {
  outliveReaders();
  const log = createLog(config.logLevel, config.isProduction);
  if (cluster.isPrimary) warnOfDevelopment(config, log);
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config, log);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Something failed that nothing was ready for; ending.');
    process.exit(1);
  });
  const startedAt = performance.now();
  allocateYoung();
  const isNew = cluster.isWorker ? false : announce(config);
  // The supervisor of workers does without. A new database is made while the rest is read.
  const { openDataFolder } = await import('./persistence/embedded/data-folder.ts');
  const folder = await openDataFolder(config);
  const [{ connect }, { createApp }] = await Promise.all([import('./persistence/connect.ts'), import('./app.ts')]);
  const database = await connect(config, { folder });
  database.watch?.onLeave(() => log.warn('The database is another server now, or read-only: connecting anew.'));
  if (cluster.isWorker && database.watch) shareDepartures(database.watch);
  const hasDirectUrl = config.databaseDirectUrl !== undefined;
  if ((cluster.worker?.id ?? 1) === 1) for (const said of await database.advice({ hasDirectUrl })) log.warn(said);
  if (isNew) console.log(`  Its tables are there.${config.seedDemo ? ' Now the demo data.' : ''}`);
  const app = await createApp(config, log, database);
  const server = await listen(app, config);
  const requests = new RequestsUnderWay(server);
  onSignalToStop(
    () => void drain(server, requests, app, log),
    () => process.exit(1),
  );
  giveBackIdleMemory();
  if (cluster.isWorker) sendHeartbeat(app);
  else greet(config, server, app, Math.round(performance.now() - startedAt));
}

/** Tells an operator who has forgotten to say production what that changes. */
function warnOfDevelopment({ isProduction, isForThisMachine, seedDemo, smtpUrl, host, publicUrl }: Config, log: Log) {
  if (isProduction || isForThisMachine) return;
  log.warn(
    { host, publicUrl },
    seedDemo
      ? 'SEED_DEMO=on: everybody who reaches this service can sign in to the demo accounts, and read all mails at /dev/mails.'
      : 'Others than this machine are to reach this service, so there is no demo data. Set NODE_ENV=production, which checks what a public service needs; SEED_DEMO=on would show the demo to everybody.',
  );
  if (smtpUrl === undefined && !seedDemo)
    log.warn('Mails are sent to nobody: they are files in DATA_DIR/mail. Set SMTP_URL and MAIL_FROM.');
}

/** At once, since the first start takes some seconds. @returns whether a database has to be made */
function announce({ databaseUrl, dataDir }: Config): boolean {
  const isNew = databaseUrl === undefined && !existsSync(join(dataDir, 'database'));
  console.log(isNew ? `Gatehouse is starting, and makes its database in ${dataDir} first.` : 'Gatehouse is starting.');
  return isNew;
}

async function listen(app: App, config: Config): Promise<Server> {
  const server = createLimitedServer(app.listener);
  server.listen(config.port, config.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await app.close();
    throw new Error(whyNotListening(config, error as NodeJS.ErrnoException), { cause: error });
  }
  return server;
}

function whyNotListening({ port, host }: Config, { code, message }: NodeJS.ErrnoException): string {
  return code === 'EADDRINUSE'
    ? `port ${port} on ${host} is in use. Stop what listens there, or set PORT to another one.`
    : `port ${port} on ${host} cannot be opened (${message}). Set HOST to an address of this machine, and PORT to one that it may open.`;
}

function greet(config: Config, server: Server, app: App, milliseconds: number): void {
  const { port } = server.address() as AddressInfo;
  const lines = [
    `Gatehouse is ready at ${config.publicUrl} (port ${port}, ${milliseconds} ms)`,
    `  GraphQL        POST ${config.publicUrl}/graphql`,
    `  Authorize      GET  ${config.publicUrl}/auth/oauth2/authorize`,
    `  Token          POST ${config.publicUrl}/v2/auth/oauth2/token`,
    `  Database       ${app.database}`,
  ];
  if (config.seedDemo) lines.push(...whatToTry(config.publicUrl));
  console.log(lines.join('\n'));
}

const DEMO = ['npm run demo', 'the OAuth round trip with a client library, in another terminal'] as const;

function whatToTry(url: string): string[] {
  const places = [
    // A package is without.
    ...(existsSync(new URL('cli/demo.ts', import.meta.url)) ? [DEMO] : []),
    [`${url}/dev`, 'begin here: demo accounts, mails, and OAuth step by step'],
    [`${url}/book/ada`, 'a page on which people book; /book/organization/acme/sales is that of a team'],
    [`${url}/graphql`, 'queries in the browser, as an app with the scopes that you choose'],
    [`${url}/settings/developer/oauth`, 'clients; sign in as ada@acme.test, password gatehouse-demo'],
    [`${url}/admin/oauth`, 'reviews; sign in as admin@gatehouse.test, same password'],
  ] as const;
  const width = Math.max(...places.map(([place]) => place.length));
  return [
    '',
    'To try it:',
    `  curl ${url}/graphql -H 'content-type: application/json' \\`,
    `    -d '{"query":"{ publicEventTypes(username: \\"ada\\") { nodes { slug title } } }"}'`,
    ...places.map(([place, what]) => `  ${place.padEnd(width)}  ${what}`),
  ];
}
