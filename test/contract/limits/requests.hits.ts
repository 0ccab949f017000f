/** How often somebody may ask, and how much at once. */

import { APP, tokensFor } from '../../support/oauth-requests.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { bothOf, type Hits, oneByOne } from './limit-hit.ts';

const NAME = '{ __typename }';
const padded = (text: string, bytes: number): string => text.padEnd(bytes);

export const hits: Hits = {
  'requests-anonymous': (visit, limit) => oneByOne(limit, () => visit.graphql(NAME)),
  'requests-grant': async (visit, limit) => {
    const { access_token: token } = await tokensFor(await TestBrowser.signedIn(visit.app.url, 'ada@acme.test'), APP);
    return oneByOne(limit, () => visit.graphql(NAME, {}, { token }));
  },
  'requests-session': async (visit, limit) => {
    const session = await visit.sessionOf('ada@acme.test');
    return oneByOne(limit, () => visit.graphql(NAME, {}, session));
  },
  'graphql-body': (visit, limit) =>
    bothOf(limit, (amount) =>
      visit.send({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: padded(JSON.stringify({ query: NAME }), amount),
      }),
    ),
  'scopes-body': (visit, limit) =>
    bothOf(limit, (amount) =>
      visit.send({
        method: 'POST',
        path: '/graphql/scopes',
        headers: { 'content-type': 'application/json' },
        body: padded(JSON.stringify({ query: NAME }), amount),
      }),
    ),
};
