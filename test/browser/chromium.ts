import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

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

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE ?? '', args: QUIET });
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: blocked by policy, failed to load, thrown. */
  readonly complaints: readonly string[];
}

/** A fresh browser profile with scripts switched off, as pages must work. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
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
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
