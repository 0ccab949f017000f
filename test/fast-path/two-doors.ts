/** Two services over one database; at one of them, what clients post is answered in front of the routes. */
import { createYoga } from 'graphql-yoga';
import { vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestBrowser } from '../support/test-browser.ts';

export type Door = 'fast' | 'ordinary';
export const DOORS = ['ordinary', 'fast'] as const;

export interface TwoDoors extends Readonly<Record<Door, TestApp>> {
  readonly ada: TestBrowser;
  /** How many requests with a body have come to the routes of either. */
  readonly byRoutes: () => number;
  close(): Promise<void>;
}

/** A request may say by `X-Forwarded-For` what network it comes from, so that no limit against guessing meets another one. */
export async function openTwoDoors(settings: Record<string, string> = {}): Promise<TwoDoors> {
  const { Request: YogaRequest } = createYoga({ logging: false }).fetchAPI;
  const body = Object.getPrototypeOf(YogaRequest.prototype) as { readonly body: unknown };
  const original = Object.getOwnPropertyDescriptor(body, 'body');
  let byRoutes = 0;
  const spy = vi.spyOn(body, 'body', 'get').mockImplementation(function (this: object) {
    byRoutes += 1;
    return original?.get?.call(this);
  });
  const env = {
    ...settings,
    TRUST_PROXY: '127.0.0.0/8',
    PUBLIC_URL: 'http://gatehouse.test',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
  };
  const ordinary = await startTestApp({ ...env, FAST_PATH: 'off' });
  const fast = await startTestApp(
    { ...env, FAST_PATH: 'on' },
    { database: { ...ordinary.database, close: async () => undefined } },
  );
  return {
    fast,
    ordinary,
    ada: await TestBrowser.signedIn(ordinary.url, 'ada@acme.test'),
    byRoutes: () => byRoutes,
    close: async () => {
      spy.mockRestore();
      await fast.close();
      await ordinary.close();
    },
  };
}

let networks = 0;
/** For `X-Forwarded-For`. */
export function anotherNetwork(): string {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}.1`;
}
