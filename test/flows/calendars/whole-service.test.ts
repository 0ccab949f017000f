import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FRESH_SECONDS } from '../../../src/modules/calendars/busy-calendar.rules.ts';
import { CALLBACK_PATH } from '../../../src/modules/connections/connections.ts';
import { AccountProvider } from '../../support/account-provider.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { compact } from '../../support/calendar-services.ts';
import { GraphServer } from '../../support/graph-server.ts';
import { paced } from '../../support/pace.ts';

const ACCOUNT = 'ada@outlook.test';
const SLOTS =
  'query ($from: DateTime!, $to: DateTime!) { slots(eventType: { ofUser: { username: "ada", slug: "intro" } }, start: $from, end: $to) { start } }';
const BOOK =
  'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid } userErrors { code } } }';

let consents: AccountProvider;
let graph: GraphServer;
let app: TestApp;
beforeAll(async () => {
  consents = await AccountProvider.open();
  graph = await GraphServer.start(consents);
  const { clientId, clientSecret, authorizationUrl, tokenUrl, apiUrl } = graph.client;
  app = await startTestApp(
    {
      ALLOW_PRIVATE_NETWORK: 'on',
      OFFICE365_CLIENT_ID: clientId,
      OFFICE365_CLIENT_SECRET: clientSecret,
      OFFICE365_AUTHORIZATION_URL: authorizationUrl,
      OFFICE365_TOKEN_URL: tokenUrl,
      OFFICE365_GRAPH_URL: apiUrl,
    },
    { runsJobs: true },
  );
  consents.sendBackTo(`${app.url}${CALLBACK_PATH}`);
  consents.account = ACCOUNT;
});
afterAll(async () => {
  await app.close();
  await graph.close();
  await consents.close();
});

test(
  'as an operator sets it up: an account is connected in a browser, its events close slots, and a booking is written there',
  async () => {
    graph.makeMailbox(ACCOUNT);
    const [from, to] = [3, 17].map((days) =>
      Temporal.Now.instant()
        .add({ hours: 24 * days })
        .toString(),
    );
    const slots = async () => {
      const { body } = await app.graphql(SLOTS, { variables: { from, to } });
      return body.data.slots.map(({ start }: { start: string }) => start) as string[];
    };
    const [taken = '', next = '', later = ''] = await slots();
    await graph.putEvent(ACCOUNT, 'dentist', taken, next);

    const ada = await app.signIn('ada@acme.test');
    const { it } = await ada.graphql<{ it: { authorizationUrl: string } }>(
      'mutation { it: calendarAccountConnect(input: { provider: OFFICE365 }) { authorizationUrl userErrors { code } } }',
      {},
    );
    const begun = await ada.get(it.authorizationUrl);
    const back = await consents.authorize(begun.headers.get('location') ?? '');
    expect((await ada.get(back.href)).headers.get('location')).toBe('/connect/done?name=Office+365');

    await vi.waitFor(async () => expect(await slots()).not.toContain(taken), { timeout: paced(30_000), interval: 100 });
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const { body: found } = await app.graphql(
      '{ publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { id } }',
    );
    const input = { eventTypeId: found.data.publicEventType.id, start: later, attendee };
    const { body: booked } = await app.graphql(BOOK, { variables: { input } });
    expect(booked.data.bookingCreate.userErrors).toEqual([]);
    await vi.waitFor(async () => expect(await graph.startsOf(ACCOUNT)).toEqual([compact(later)]), {
      timeout: paced(30_000),
      interval: 100,
    });

    // A meeting of a moment ago, which no reading in the background knows of yet.
    const [another = '', behind = ''] = (await slots()).slice(4);
    await graph.putEvent(ACCOUNT, 'meeting', another, behind);
    const over = { ...input, start: another };
    await pause(FRESH_SECONDS.BOOKED * 1_000);
    const { body: refused } = await app.graphql(BOOK, { variables: { input: over } });
    expect(refused.data.bookingCreate.userErrors).toEqual([{ code: 'SLOT_TAKEN' }]);
    expect(await slots()).not.toContain(another);
  },
  paced(90_000),
);
