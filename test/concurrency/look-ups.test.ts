import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_USERS } from '../../src/persistence/demo-data.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { atOnce } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';

interface Somebody {
  readonly token: string;
  readonly eventTypes: readonly string[];
  readonly bookings: readonly string[];
}

let app: TestApp;
let everybody: Somebody[];
beforeAll(async () => {
  app = await startTestApp();
  everybody = await Promise.all(
    DEMO_USERS.map(async ({ email }) => {
      const { access_token: token } = await tokensFor(await TestBrowser.signedIn(app.url, email), APP, {
        scope: SCOPES.join(' '),
      });
      const { body } = await app.graphql('{ me { eventTypes { nodes { id } } bookings { nodes { id } } } }', {
        token,
      });
      const { eventTypes, bookings } = body.data.me;
      return {
        token,
        eventTypes: eventTypes.nodes.map(({ id }: { readonly id: string }) => id),
        bookings: bookings.nodes.map(({ id }: { readonly id: string }) => id),
      };
    }),
  );
});
afterAll(() => app?.close());

test('fifty users who look up the same things at the same moment are each shown their own', async () => {
  const eventTypes = everybody.flatMap((one) => one.eventTypes);
  const bookings = [...new Set(everybody.flatMap((one) => one.bookings))].slice(0, 20);
  const query = `query {
    me {
      ${eventTypes.map((id, n) => `e${n}: eventType(id: "${id}") { id }`).join(' ')}
      ${bookings.map((uid, n) => `b${n}: booking(id: "${uid}") { id }`).join(' ')}
    }
  }`;
  const shownTo = (one: Somebody): object => ({
    ...Object.fromEntries(eventTypes.map((id, n) => [`e${n}`, one.eventTypes.includes(id) ? { id } : null])),
    ...Object.fromEntries(bookings.map((uid, n) => [`b${n}`, one.bookings.includes(uid) ? { id: uid } : null])),
  });
  // The executor answers a document the first time, and a plan from then on.
  for (let round = 0; round < 3; round += 1) {
    const answers = await atOnce(50, async (n) => {
      const one = everybody[n % everybody.length] as Somebody;
      const { body } = await app.graphql(query, { token: one.token });
      return { shown: body.data?.me, expected: shownTo(one) };
    });
    for (const { shown, expected } of answers) expect(shown).toEqual(expected);
  }
  expect(everybody.map((one) => one.eventTypes.length)).toEqual([3, 3, 3, 3, 3]);
  expect(bookings.length).toBeGreaterThan(10);
});
