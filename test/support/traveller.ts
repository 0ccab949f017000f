import { NAVIGATION, TestBrowser } from './test-browser.ts';

/** These settings make a service believe where its requests come from. */
export const TRUSTING = { TRUST_PROXY: '127.0.0.1/32,::1/128' } as const;

/** A browser whose every request comes from another network: no limit of one network is reached. */
export class Traveller extends TestBrowser {
  override request(path: string, headers: Readonly<Record<string, string>> = NAVIGATION, body?: string) {
    const [a, b] = crypto.getRandomValues(new Uint8Array(2));
    return super.request(path, { ...headers, 'x-forwarded-for': `10.${a}.${b}.1` }, body);
  }
}
