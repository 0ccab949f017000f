import { rm } from 'node:fs/promises';
import { SECRET_KEY, startTestApp } from './app.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from './database.ts';
import { startService, temporaryFolder } from './process.ts';
import { TestBrowser } from './test-browser.ts';

/** One service, served by one or several processes on one database with the demo data. */
export interface Servers {
  readonly urls: readonly [string, ...string[]];
  readonly database: TestDatabase;
  /** The process for the n-th request: each in turn. */
  url(n: number): string;
  close(): Promise<void>;
}

/** The processes of a test share these: one name and one master key. */
export const SHARED = {
  PUBLIC_URL: 'http://localhost:4000',
  SECRET_KEY,
  SEED_DEMO: 'on',
  LOG_LEVEL: 'error',
  /** So that callers can be of several networks. */
  TRUST_PROXY: '127.0.0.1/32,::1/128',
} as const;

/** In this process, on either database. */
async function oneProcess(): Promise<Servers> {
  const app = await startTestApp({ TRUST_PROXY: SHARED.TRUST_PROXY });
  return { urls: [app.url], database: app.database, url: () => app.url, close: () => app.close() };
}

/** Processes as an operator starts them, both on a new database at the same moment. */
export async function twoProcesses(
  settings: (databaseUrl: string) => Promise<Readonly<Record<string, string>>> = async () => ({}),
): Promise<Servers> {
  const [database, DATA_DIR] = await Promise.all([openTestDatabase(), temporaryFolder()]);
  const { url: DATABASE_URL = '' } = database;
  const env = { ...SHARED, DATA_DIR, DATABASE_URL, ...(await settings(DATABASE_URL)) };
  const start = () => startService(env);
  const [a, b] = await Promise.all([start(), start()]);
  const urls = [a.url, b.url] as const;
  return {
    urls: [a.url, b.url],
    database,
    url: (n) => urls[n % 2 === 0 ? 0 : 1],
    close: async () => {
      await Promise.all([a.kill('SIGKILL'), b.kill('SIGKILL')]);
      await database.close();
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** For `describe.each`: several processes need PostgreSQL. */
export const ONE_AND_TWO: readonly (readonly [string, () => Promise<Servers>])[] = [
  ['in one process', oneProcess],
  ...(isOnPostgres ? [['in two processes', () => twoProcesses()] as const] : []),
];

/** Servers, with the browsers of a user and of an administrator of the demo data. */
export async function withBrowsers(start: () => Promise<Servers>) {
  const servers = await start();
  const ada = await TestBrowser.signedIn(servers.url(0), 'ada@acme.test');
  const admin = await TestBrowser.signedIn(servers.url(0), 'admin@gatehouse.test');
  return { servers, ada, admin };
}

/** Runs as many at once, each with its number. */
export function atOnce<Result>(count: number, run: (n: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => run(n)));
}
