/**
 * Whether the time of an answer tells that an address has an account: `node bench/account-timing.ts [rounds]`. Each round
 * asks about an address with an account and about one without, in turns. What counts is the share of pairs in which the
 * known one took longer: 0.5 is a coin. From how many pairs it was counted says how far off it may be by chance (z).
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { formsOf } from '../test/support/html-form.ts';
import { startService, temporaryFolder } from '../test/support/process.ts';
import { send } from '../test/support/raw-http.ts';
import { percentile } from './measure.ts';

const ROUNDS = Number(process.argv[2] ?? 300);
const WARM_UP = 20;
const KNOWN = 'ada@acme.test';
const FORM = 'application/x-www-form-urlencoded';
/** The cookies of the user who has signed in. */
const session: string[] = [];

/** Asks about an address from a network of its own. @returns milliseconds */
type Ask = (url: string, email: string) => Promise<number>;

const ASKS: Readonly<Record<string, Ask>> = {
  'failed sign-in': (url, email) => sentForm(url, '/auth/login', { email, password: 'a wrong password' }),
  'sign-up': (url, email) => {
    const username = `u${randomUUID()}`;
    return sentForm(url, '/auth/signup', { name: 'Grace', username, email, password: 'the password of the test' });
  },
  'forgotten password': (url, email) => sentForm(url, '/auth/forgotten-password', { email }),
  'what comes after a forgotten password': after((url, email) => sentForm(url, '/auth/forgotten-password', { email })),
  'what comes after a sign-up': after((url, email) => ASKS['sign-up']?.(url, email)),
  'change of address': changeOfAddress,
  'what comes after a change of address': after(changeOfAddress),
};

/** Work behind an answer keeps the next one waiting. */
function after(ask: (url: string, email: string) => Promise<unknown> | undefined): Ask {
  return async (url, email) => {
    await ask(url, email);
    return timed(() => send(url, { path: '/auth/login', headers: { 'x-forwarded-for': anAddress() } }));
  };
}

const folder = await temporaryFolder();
const service = await startService({
  DATA_DIR: folder,
  MAIL_LIMITS: 'off',
  SEED_DEMO: 'on',
  TRUST_PROXY: '127.0.0.1/32,::1/128',
  ...(process.env['DATABASE_URL'] && { DATABASE_URL: process.env['DATABASE_URL'] }),
});
try {
  console.log(`${ROUNDS} rounds each; milliseconds, median known / unknown; share of pairs in which known took longer`);
  for (const [name, ask] of Object.entries(ASKS)) console.log(`  ${name.padEnd(40)} ${await compare(ask)}`);
} finally {
  await service.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function compare(ask: Ask): Promise<string> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const pair: [string, number[]][] = [
      [KNOWN, known],
      [`nobody-${randomUUID()}@acme.test`, unknown],
    ];
    // The second of two requests may find warmer caches.
    if (round % 2 === 0) pair.reverse();
    for (const [email, times] of pair) {
      const took = await ask(service.url, email);
      if (round >= 0) times.push(took);
    }
  }
  const share = longerShare(known, unknown);
  // The spread of the share when both are the same (Mann-Whitney).
  const spread = Math.sqrt((2 * ROUNDS + 1) / (12 * ROUNDS * ROUNDS));
  const medians = [known, unknown].map((times) => percentile(times, 0.5).toFixed(2)).join(' / ');
  return `${medians}; ${share.toFixed(3)} (z ${((share - 0.5) / spread).toFixed(1)})`;
}

function longerShare(first: readonly number[], second: readonly number[]): number {
  let longer = 0;
  for (const one of first) for (const other of second) longer += one > other ? 1 : one === other ? 0.5 : 0;
  return longer / (first.length * second.length);
}

/** Somebody else, who is signed in, wants the address for their own. */
async function changeOfAddress(url: string, email: string): Promise<number> {
  if (session.length === 0) await sentForm(url, '/auth/login', { email: 'dan@solo.test', password: 'gatehouse-demo' });
  return sentForm(url, '/settings/account', { newEmail: email, passwordForEmail: 'gatehouse-demo' });
}

async function sentForm(url: string, path: string, values: Record<string, string>): Promise<number> {
  const address = anAddress();
  const headersOf = (cookies: readonly string[]) => ({ 'x-forwarded-for': address, cookie: cookies.join('; ') });
  const page = await send(url, { path, headers: headersOf(session) });
  const cookies = [...session, ...cookiesIn(page)];
  const form = formsOf(page.text).find(({ controls }) => Object.keys(values).every((name) => controls.includes(name)));
  if (!form) throw new Error(`There is no such form at ${path}: ${page.text}`);
  const headers = { ...headersOf(cookies), 'content-type': FORM };
  const body = new URLSearchParams({ ...form.fields, ...values }).toString();
  return timed(async () => {
    const answer = await send(url, { method: 'POST', path: form.action, headers, body });
    if (values['password'] === 'gatehouse-demo') session.push(...cookies, ...cookiesIn(answer));
  });
}

function cookiesIn({ headers }: { readonly headers: Headers }): string[] {
  return headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '');
}

async function timed(request: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await request();
  return performance.now() - began;
}

/** No two of the same network, so that no limit is reached. */
function anAddress(): string {
  const [a, b] = crypto.getRandomValues(new Uint8Array(2));
  return `10.${a}.${b}.1`;
}
