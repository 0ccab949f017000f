/** How long a start takes until requests are served, and what the process holds then: on each database, the first time and later. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { startService, temporaryFolder } from '../test/support/process.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { percentile } from './measure.ts';

const LATER_STARTS = 5;

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bench.example',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
  RATE_LIMITS: '',
};

export async function benchStartUp(serverUrl: string): Promise<void> {
  const name = `gatehouse_bench_${process.pid}_start`;
  await onServer(serverUrl, `create database ${name}`);
  const folder = await temporaryFolder();
  try {
    const databaseUrl = postgresSettings(serverUrl, name).databaseUrl ?? '';
    console.log('\n| start on | s (at most) | MB resident (at most) |\n|---|---|---|');
    await starts('the embedded database', { DATA_DIR: folder }, { first: '4', later: '1.5', megabytes: '' });
    const most = { first: '', later: '0.7', megabytes: '150' };
    await starts('PostgreSQL, in production', { ...PRODUCTION, DATABASE_URL: databaseUrl, DATA_DIR: folder }, most);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await onServer(serverUrl, `drop database ${name} with (force)`);
  }
}

interface Most {
  readonly first: string;
  readonly later: string;
  readonly megabytes: string;
}

async function starts(on: string, env: Record<string, string>, most: Most): Promise<void> {
  const first = await startOnce(env);
  console.log(`| ${on}, first | ${first.seconds.toFixed(2)} (${most.first}) | ${first.megabytes.toFixed(0)} |`);
  const later: Awaited<ReturnType<typeof startOnce>>[] = [];
  for (let n = 0; n < LATER_STARTS; n += 1) later.push(await startOnce(env));
  const middle = (key: 'seconds' | 'megabytes') =>
    percentile(
      later.map((one) => one[key]),
      0.5,
    );
  const megabytes = `${middle('megabytes').toFixed(0)} (${most.megabytes})`;
  console.log(`| ${on}, later | ${middle('seconds').toFixed(2)} (${most.later}) | ${megabytes} |`);
}

async function startOnce(env: Record<string, string>): Promise<{ seconds: number; megabytes: number }> {
  const began = performance.now();
  const service = await startService(env);
  const seconds = (performance.now() - began) / 1_000;
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8')) ?? [];
  await service.kill('SIGTERM');
  return { seconds, megabytes: Number(kilobytes) / 1_024 };
}
