import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { createLog, type Log } from './log.ts';

const FAREWELL_MILLISECONDS = 250;
const DRAIN_MILLISECONDS = 10_000;
/** A whole request, head and body, has this long to arrive; Node then answers 408. */
const REQUEST_MILLISECONDS = 15_000;

/** Starts the service and returns when it listens; it stops on SIGTERM and SIGINT, after the requests under way. */
export async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel, config.isProduction);
  if (config.workers > 1 && cluster.isPrimary) return superviseWorkers(config, log);
  const startedAt = performance.now();
  const app = await createApp(config, log);
  const server = await listen(app, config);
  const stop = onceOnly(() => drain(server, app, log));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (cluster.isPrimary) greet(config, server, app, Math.round(performance.now() - startedAt));
}

async function listen(app: App, config: Config): Promise<Server> {
  const server = createServer(
    { requestTimeout: REQUEST_MILLISECONDS, connectionsCheckingInterval: 1_000 },
    app.listener,
  );
  server.listen(config.port, config.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `port ${config.port} on ${config.host} is in use. Stop what listens there, or set PORT to another one.`,
      { cause: error },
    );
  }
  return server;
}

async function drain(server: Server, app: App, log: Log): Promise<void> {
  log.info('Stopping: finishing the requests under way.');
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
  // An HTTP server's own `close` ends at once what looks idle, and a request that was not read yet looks like that: its
  // client would not know what became of it. So nobody new comes in, and each answer ends its connection.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, pause(FAREWELL_MILLISECONDS)]);
  server.closeIdleConnections();
  await closed;
  clearTimeout(forced);
  await app.close();
  process.exit(0);
}

/** One process a core, on one port. A worker that dies is replaced; one that cannot start ends the service. */
async function superviseWorkers(config: Config, log: Log): Promise<void> {
  let isStopping = false;
  const begin = (): void => {
    const worker = cluster.fork();
    let hasListened = false;
    worker.on('listening', () => (hasListened = true));
    worker.on('exit', (code) => {
      if (isStopping) return;
      if (!hasListened) process.exit(code || 1);
      log.error({ worker: worker.id, exitCode: code }, 'A worker died; starting another one.');
      begin();
    });
  };
  for (let count = 0; count < config.workers; count += 1) begin();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  }
  log.info(`Gatehouse runs ${config.workers} processes at ${config.publicUrl}.`);
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

function whatToTry(url: string): string[] {
  const places = [
    ['npm run demo', 'the OAuth round trip with a client library, in another terminal'],
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

function onceOnly(run: () => Promise<void>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    void run();
  };
}
