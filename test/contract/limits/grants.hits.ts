/**
 * Hits the limit of an app's grants. One more is accepted, and the one that was refreshed longest ago is refused from
 * then on.
 */
import { expect } from 'vitest';
import { NARROW, tokensFor } from '../../support/oauth-requests.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import type { Hits } from './limit-hit.ts';

export const hits: Hits = {
  'grants-of-app': async (visit, { amount }) => {
    const browser = await TestBrowser.signedIn(visit.app.url, 'cyd@acme.test');
    const { access_token: token } = await tokensFor(browser, NARROW);
    for (let index = 1; index < amount; index += 1) await tokensFor(browser, NARROW);
    const ask = () => visit.graphql('{ me { id } }', {}, { token });
    const within = await ask();
    await tokensFor(browser, NARROW);
    // Ended after the answer to the exchange.
    await expect.poll(async () => (await ask()).status).not.toBe(200);
    return { within, beyond: await ask() };
  },
};
