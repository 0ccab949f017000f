/** How long a start takes until requests are served, and what the process holds: on each database, the first time and later. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningService, startService, temporaryFolder } from '../test/support/process.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { percentile } from './measure.ts';

const LATER_STARTS = 5;
const REQUESTS = 1_000;
/** By then, what is idle has given back what it does not need (src/memory.ts). */
const AT_REST_AFTER_MS = 90_000;
const QUERY = '{ publicEventTypes(username: "ada") { nodes { id slug title } } }';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bench.example',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
  RATE_LIMITS: 'anonymous=1000000',
  MAIL: 'files',
};

export async function benchStartUp(serverUrl: string): Promise<void> {
  const name = `gatehouse_bench_${process.pid}_start`;
  await onServer(serverUrl, `create database ${name}`);
  const folder = await temporaryFolder();
  try {
    const databaseUrl = postgresSettings(serverUrl, name).databaseUrl ?? '';
    console.log(`\nMB are resident: when it is ready, and at rest after ${REQUESTS} requests. In brackets: at most\n`);
    console.log('| start on | s | MB when ready | MB at rest |\n|---|---|---|---|');
    await starts('the embedded database', { DATA_DIR: folder }, { first: '4', later: '1.5' });
    const most = { later: '0.7', megabytes: '150' };
    await starts('PostgreSQL, in production', { ...PRODUCTION, DATABASE_URL: databaseUrl, DATA_DIR: folder }, most);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await onServer(serverUrl, `drop database ${name} with (force)`);
  }
}

interface Most {
  readonly first?: string;
  readonly later: string;
  readonly megabytes?: string;
}

interface Started {
  readonly seconds: number;
  readonly megabytes: number;
}

async function starts(on: string, env: Record<string, string>, most: Most): Promise<void> {
  const first = await startOnce(env);
  const cells = [`${on}, first`, atMost(first.seconds.toFixed(2), most.first), first.megabytes.toFixed(0), ''];
  console.log(`| ${cells.join(' | ')} |`);
  const later: Started[] = [];
  for (let n = 0; n < LATER_STARTS; n += 1) later.push(await startOnce(env));
  const middle = (key: keyof Started) =>
    percentile(
      later.map((one) => one[key]),
      0.5,
    );
  const rest = await megabytesAtRest(env);
  const times = atMost(middle('seconds').toFixed(2), most.later);
  const sizes = [middle('megabytes').toFixed(0), atMost(rest.toFixed(0), most.megabytes)];
  console.log(`| ${[`${on}, later`, times, ...sizes].join(' | ')} |`);
}

function atMost(value: string, most: string | undefined): string {
  return most === undefined ? value : `${value} (${most})`;
}

async function startOnce(env: Record<string, string>): Promise<Started> {
  const began = performance.now();
  const service = await startService(env);
  const seconds = (performance.now() - began) / 1_000;
  const megabytes = residentMegabytes(service);
  await service.kill('SIGTERM');
  return { seconds, megabytes };
}

async function megabytesAtRest(env: Record<string, string>): Promise<number> {
  const service = await startService(env);
  for (let n = 0; n < REQUESTS; n += 1) {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY }),
    });
    if (!response.ok) throw new Error(`A request was answered with ${response.status}: ${await response.text()}`);
    await response.text();
  }
  await pause(AT_REST_AFTER_MS);
  const megabytes = residentMegabytes(service);
  await service.kill('SIGTERM');
  return megabytes;
}

function residentMegabytes({ child }: RunningService): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
