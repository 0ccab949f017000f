import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { type App, createApp } from '../../src/app.ts';
import { Browser } from '../../src/cli/demo-browser.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

export const DEMO_PASSWORD = 'gatehouse-demo';
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64url');

export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** The whole service on a real port, on a database of its own with the demo data. */
export interface TestApp {
  readonly url: string;
  readonly config: Config;
  readonly database: TestDatabase;
  /** For a server of the test's own. */
  readonly listener: App['listener'];
  /** `App.routes`. */
  readonly routes: readonly string[];
  /** A browser signed in as a demo user. */
  signIn(email: string): Promise<Browser>;
  /** One GraphQL request, with an access token or without. */
  graphql(
    query: string,
    options?: { token?: string | undefined; variables?: Record<string, unknown> },
  ): Promise<GraphQLAnswer>;
  close(): Promise<void>;
}

/** Unless it `runsJobs`, nothing is sent but what an answer itself sends. */
export async function startTestApp(
  env: Record<string, string> = {},
  { runsJobs = false, database: given }: { runsJobs?: boolean; database?: TestDatabase } = {},
): Promise<TestApp> {
  const database = given ?? (await openTestDatabase(env['SEED_DEMO'] === 'off' ? 'empty' : 'demo'));
  // The port must be known before the service is made: it is part of its own address.
  let listener: App['listener'];
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: 'memory:',
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    // Private, so that nothing is sent.
    APPLE_CALDAV_URL: 'https://127.0.0.1/',
    // Registered nowhere: connections can be begun.
    GOOGLE_CLIENT_ID: 'gatehouse',
    GOOGLE_CLIENT_SECRET: 'a-secret-of-the-client',
    SEED_DEMO: 'on',
    CONFERENCING_VIDEO_URL: 'https://meet.example/rooms',
    ...(database.url && { DATABASE_URL: database.url }),
    // `FAST_PATH=off npx vitest run …`: the same tests by the ordinary way.
    FAST_PATH: process.env['FAST_PATH'] ?? 'on',
    ...env,
  });
  const app = await createApp(config, createLog(config.logLevel, config.isProduction), database, { runsJobs });
  listener = app.listener;
  return {
    url,
    config,
    database,
    listener,
    routes: app.routes,
    signIn: (email) => Browser.signIn(url, email, DEMO_PASSWORD),
    graphql: (query, options) => graphql(url, query, options),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

async function graphql(
  url: string,
  query: string,
  { token, variables }: { token?: string | undefined; variables?: Record<string, unknown> } = {},
): Promise<GraphQLAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
