import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core';

/** The one without windows takes half of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const EXECUTABLE = NAMES.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** For `describe.runIf`: the system's own Chromium. CI installs it, so there nothing is skipped: a missing one fails. */
export const hasChromium = EXECUTABLE !== undefined || process.env['CI'] === 'true';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let running: Promise<Browser> | undefined;

/** One for each worker, whose files use it one after the other; it ends with the worker. */
function theChromium(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: EXECUTABLE ?? '', args: QUIET });
  return running;
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** The browser's complaints: blocked by policy, failed to load, thrown. */
  readonly complaints: readonly string[];
}

const VIEWPORT = { width: 1280, height: 720 };

/** A fresh browser profile with scripts switched off, as pages must work. */
export async function visit({ viewport, colorScheme, ...rest }: BrowserContextOptions = {}): Promise<Visit> {
  const { javaScriptEnabled = false, ...special } = rest;
  const isPlain = Object.keys(special).length === 0;
  const idle = javaScriptEnabled ? idleWithScripts : idleWithoutScripts;
  const page = (isPlain ? idle.pop() : undefined) ?? (await openProfile({ javaScriptEnabled, ...special }));
  await page.setViewportSize(viewport ?? VIEWPORT);
  await page.emulateMedia({ media: null, colorScheme: colorScheme ?? 'light' });
  return {
    page,
    complaints: complaintsOf(page),
    [Symbol.asyncDispose]: async () => {
      if (isPlain && (await isAsNew(page, javaScriptEnabled))) idle.push(page);
      else await page.context().close();
    },
  };
}

async function openProfile(options: BrowserContextOptions): Promise<Page> {
  const browser = await theChromium();
  const context = await browser.newContext(options);
  return context.newPage();
}

/**
 * Pages of plain profiles that nobody visits with: to open one takes Chromium three times as long as to show a page, and
 * in a new one it compiles all scripts anew.
 */
const idleWithoutScripts: Page[] = [];
const idleWithScripts: Page[] = [];

/** @returns whether nothing in the profile tells of a visit any more */
async function isAsNew(page: Page, runsScripts: boolean): Promise<boolean> {
  const context = page.context();
  try {
    for (const event of HEARD) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const { origin } = new URL(page.url());
    if (runsScripts) await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    // Once the page has gone: some store what they show half a second later, or when they are left.
    const storage = { origin, storageTypes: 'local_storage' };
    if (runsScripts) await (await openSession(page)).send('Storage.clearDataForOrigin', storage);
    for (const session of sessions.get(page)?.splice(0) ?? []) await session.detach();
    await context.clearCookies();
    // Scripts stay in its cache: they are megabytes, and the same for everybody.
    if (!runsScripts) await (await openSession(page)).send('Network.clearBrowserCache');
    return context.pages().length === 1;
  } catch {
    // It has crashed, or is still on its way to somewhere.
    return false;
  }
}

const sessions = new WeakMap<Page, CDPSession[]>();

/** To talk to Chromium by its own protocol, until the visit is over. */
export async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  sessions.getOrInsertComputed(page, () => []).push(session);
  return session;
}

/** Tests listen to these events. */
const HEARD = ['console', 'request', 'requestfailed', 'requestfinished', 'response'] as const;

function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A page with a status of 400 or more is logged as an error too, and is not meant here.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) {
      complaints.push(message.text());
    }
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The test went on to the next page before the icon had come: nobody's fault.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && response.request().resourceType() !== 'document') complaints.push(response.url());
  });
  return complaints;
}
