/**
 * Measures what a phone is sent with each page on a first visit, and when it shows something: in Chromium, throttled by
 * its own protocol.
 */
import process from 'node:process';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openSession, visit } from '../test/browser/chromium.ts';
import { pagesOf, type Reader, signIn } from '../test/browser/pages.ts';
import { startService } from '../test/support/process.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { percentile } from './measure.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

/** Each request waits for the latency once, as on a connection that is there already. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER_CPU = 4;
/** In a zone in which no host is: the calendar of an event type is then loaded a second time, in that zone. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  javaScriptEnabled: true,
  timezoneId: 'Europe/Lisbon',
};

const GOALS = { kilobytes: 60, first: 1, largest: 1.5, shift: 0 };

interface Load {
  /** Units of 1000 bytes, with headers, as they come over the wire. */
  readonly kilobytes: number;
  readonly requests: number;
  /** Servers of others that were asked for something. */
  readonly elsewhere: number;
  /** Seconds after the visitor has gone there. */
  readonly first: number;
  readonly largest: number;
  /** Cumulative, of web-vitals. */
  readonly shift: number;
  /** Tasks of 50 milliseconds or more. */
  readonly longTasks: number;
}

export async function benchPages(serverUrl: string): Promise<void> {
  const name = `gatehouse_bench_${process.pid}_pages`;
  await onServer(serverUrl, `create database ${name}`);
  const { databaseUrl = '' } = postgresSettings(serverUrl, name);
  const service = await startService({ DATABASE_URL: databaseUrl, SEED_DEMO: 'on' });
  try {
    console.log('\n| page | kB | requests | of others | first paint, s | largest paint, s | shift | long tasks |');
    console.log('|---|---|---|---|---|---|---|---|');
    for (const [who, paths] of Object.entries(await pagesOf(service))) {
      const state = await stateOf(service.url, who as Reader);
      for (const path of paths) console.log(rowOf(who as Reader, path, await loadsOf(service.url + path, state)));
    }
  } finally {
    await service.kill('SIGTERM');
    await onServer(serverUrl, `drop database ${name} with (force)`);
    await using last = await visit();
    await last.page.context().browser()?.close();
  }
}

type State = NonNullable<BrowserContextOptions['storageState']>;

/** The cookies and storage in the browser of somebody who has signed in. */
async function stateOf(url: string, who: Reader): Promise<State> {
  await using visitor = await visit();
  if (who !== 'nobody') await signIn(visitor.page, url, who);
  return visitor.page.context().storageState();
}

async function loadsOf(address: string, storageState: State): Promise<Load[]> {
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A new profile each time, with nothing in its cache.
    await using visitor = await visit({ ...PHONE, storageState });
    loads.push(await loadOf(visitor.page, address));
  }
  return loads;
}

async function loadOf(page: Page, address: string): Promise<Load> {
  const { host } = new URL(address);
  const session = await openSession(page);
  const [asked, bytes, began]: [string[], number[], number[]] = [[], [], []];
  session.on('Network.requestWillBeSent', ({ request, wallTime }) => {
    if (!request.url.startsWith('http')) return;
    asked.push(request.url);
    began.push(wallTime * 1_000);
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void bytes.push(encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  await page.goto(address, { waitUntil: 'networkidle' });
  const seen = await page.evaluate<Seen>(SEEN);
  const sinceStart = (milliseconds: number) => (seen.origin + milliseconds - (began[0] ?? Number.NaN)) / 1_000;
  return {
    kilobytes: bytes.reduce((sum, one) => sum + one, 0) / 1_000,
    requests: asked.length,
    elsewhere: asked.filter((url) => new URL(url).host !== host).length,
    first: sinceStart(seen.first),
    largest: sinceStart(seen.largest),
    shift: seen.shift,
    longTasks: seen.longTasks,
  };
}

interface Seen {
  readonly origin: number;
  readonly first: number;
  readonly largest: number;
  readonly shift: number;
  readonly longTasks: number;
}

/** Asks for what the browser has noted since the page began; all of it is told at once. */
const SEEN = `(async () => {
  const noted = (type) => new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
    observer.observe({ type, buffered: true });
    setTimeout(() => resolve(observer.takeRecords()), 300);
  });
  const [paints, largest, shifts, tasks] = await Promise.all(
    ['paint', 'largest-contentful-paint', 'layout-shift', 'longtask'].map(noted));
  return {
    origin: performance.timeOrigin,
    first: paints.find(({ name }) => name === 'first-contentful-paint').startTime,
    largest: largest.at(-1).startTime,
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    longTasks: tasks.length,
  };
})()`;

/** The middle of the rounds; what misses a goal stands out. */
function rowOf(who: Reader, path: string, loads: readonly Load[]): string {
  const middle = (key: keyof Load) =>
    percentile(
      loads.map((load) => load[key]),
      0.5,
    );
  const most = (key: keyof Load) => Math.max(...loads.map((load) => load[key]));
  const goal = (key: keyof typeof GOALS, digits: number) => {
    const text = middle(key).toFixed(digits);
    return middle(key) > GOALS[key] ? `**${text}**` : text;
  };
  const cells = [
    `${whose(who)}\`${path.replace(/_[\w-]{22,}/g, '_…').replace(/(authorize\?).*(client_id=[^&]*).*/, '$1$2…')}\``,
    goal('kilobytes', 1),
    middle('requests'),
    most('elsewhere'),
    goal('first', 2),
    goal('largest', 2),
    goal('shift', 3),
    middle('longTasks'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function whose(who: Reader): string {
  return who === 'nobody' ? '' : `${who.slice(0, who.indexOf('@'))}: `;
}
