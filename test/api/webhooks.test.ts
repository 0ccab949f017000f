import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, row, rows, sql } from '../../src/database/sql.ts';
import { MAX_WEBHOOKS } from '../../src/modules/webhooks/webhook.rules.ts';
import { storeDelivery } from '../jobs/support/webhooks.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf } from '../support/ids.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let count = 0;
const anUrl = (): string => {
  count += 1;
  return `https://hooks.example/${count}`;
};
const SHOWN = 'webhookId secret webhook { id url triggers isActive }';
const made = async (who = api.as('ada'), more: object = {}) => {
  const { data, mistakes } = await who.change(
    'webhookCreate',
    { url: anUrl(), triggers: ['BOOKING_CREATED'], ...more },
    SHOWN,
  );
  expect(mistakes).toEqual([]);
  return data;
};
const stored = (webhookId: string) =>
  row(
    api.database.em.fork(),
    sql<{ clientId: string | null; readable: string[] }>`
      select client_id as "clientId", readable from webhooks where id = ${ownedUuidOf(webhookId).id}`,
  );

describe('a webhook', () => {
  test('has an address as long as it may be, of characters that do not compress; a longer one is refused', async () => {
    const letters = randomBytes(2_033).map((byte) => 97 + (byte % 26));
    const url = `https://a.test/${Buffer.from(letters).toString('latin1')}`;
    const { webhookId } = await made(api.as('ada'), { url });
    const inChinese = [...randomBytes(1_000)].map((byte) => String.fromCodePoint(0x4e00 + 64 * byte)).join('');
    const wrong = { url: `https://a.test/${inChinese}` };
    const ada = api.as('ada');
    expect((await ada.change('webhookUpdate', { webhookId, ...wrong })).mistakes).toEqual(['TOO_LONG url']);
    const input = { triggers: ['BOOKING_CREATED'] };
    expect((await ada.change('webhookCreate', { ...input, ...wrong })).mistakes).toEqual(['TOO_LONG url']);
    expect((await ada.change('webhookUpdate', { webhookId, url: `${url.slice(0, -1)}0` })).mistakes).toEqual([]);
    expect((await ada.change('webhookDelete', { webhookId })).mistakes).toEqual([]);
  });

  test('is made, listed, changed and deleted', async () => {
    const { webhookId, webhook } = await made();
    expect(webhook).toMatchObject({ id: webhookId, triggers: ['BOOKING_CREATED'], isActive: true });
    const ada = api.as('ada');
    const input = { webhookId, url: anUrl(), triggers: ['BOOKING_CANCELLED', 'MEETING_ENDED'], isActive: false };
    const changed = await ada.change('webhookUpdate', input, 'webhook { id url triggers isActive }');
    const { webhookId: id, ...rest } = input;
    expect([changed.mistakes, changed.data.webhook]).toEqual([[], { id, ...rest }]);
    const list = '{ me { webhooks(last: 1) { nodes { id deliveries { nodes { id } } } } } }';
    expect((await ada.ask(list)).data.me.webhooks.nodes).toEqual([{ id, deliveries: { nodes: [] } }]);
    expect((await ada.change('webhookDelete', { webhookId })).mistakes).toEqual([]);
    const one = 'query($id: ID!) { me { webhook(id: $id) { id } } }';
    expect((await ada.ask(one, { id })).data.me.webhook).toBeNull();
  });

  test('shows its secret by the answer that it is made with, and no row holds it', async () => {
    const idempotencyKey = 'a key of sixteen and more';
    const input = { url: anUrl(), triggers: ['BOOKING_CREATED'], idempotencyKey };
    const first = await api.as('ada').change('webhookCreate', input, SHOWN);
    expect(first.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await api.as('ada').change('webhookCreate', input, SHOWN);
    // Whoever has lost the first answer is given it by the key alone.
    expect(again.data).toEqual(first.data);
    const list = '{ me { webhooks(first: 100) { nodes { id url triggers } } } }';
    expect(JSON.stringify(await api.as('ada').ask(list))).not.toContain('whsec_');
    const key = Buffer.from(first.data.secret.slice(6), 'base64');
    const dump = JSON.stringify(
      await rows(
        api.database.em.fork(),
        sql`select to_jsonb(w)::text as webhook from webhooks w union all select to_jsonb(k)::text from idempotency_keys k
            union all select to_jsonb(a)::text from audit_events a`,
      ),
    );
    for (const coded of ['base64', 'base64url', 'hex'] as const) expect(dump).not.toContain(key.toString(coded));
  });

  test('has another secret once it is rotated, and can be tried', async () => {
    const { webhookId, secret } = await made(api.signedIn('ada'));
    const ada = api.signedIn('ada');
    const rotated = await ada.change('webhookSecretRotate', { webhookId }, 'webhookId secret webhook { id status }');
    const webhook = { id: webhookId, status: 'ACTIVE' };
    expect(rotated.data).toEqual({ webhookId, webhook, secret: expect.stringMatching(/^whsec_/), userErrors: [] });
    expect(rotated.data.secret).not.toBe(secret);
    const message = 'webhookDeliveryId webhookDelivery { id trigger status }';
    const tried = await ada.change('webhookTest', { webhookId, trigger: 'MEETING_ENDED' }, message);
    expect(tried.mistakes).toEqual([]);
    const { webhookDeliveryId, webhookDelivery } = tried.data;
    expect(webhookDelivery).toEqual({ id: webhookDeliveryId, trigger: 'MEETING_ENDED', status: 'PENDING' });
    const retried = await ada.change('webhookDeliveryRetry', { webhookDeliveryId });
    expect(retried.mistakes).toEqual(['NOT_POSSIBLE webhookDeliveryId']);
    for (const [name, input] of [
      ['webhookSecretRotate', { webhookId }],
      ['webhookTest', { webhookId, trigger: 'MEETING_ENDED' }],
      ['webhookDeliveryRetry', { webhookDeliveryId }],
    ] as const) {
      const [named] = Object.keys(input);
      expect((await api.as('bob').change(name, input)).mistakes).toEqual([`NOT_FOUND ${named}`]);
    }
  });

  test('has a message sent again that is overdue by more than an hour', async () => {
    const { webhookId } = await made(api.signedIn('ada'));
    const ada = api.signedIn('ada');
    const { data } = await ada.change('webhookTest', { webhookId, trigger: 'MEETING_ENDED' }, 'webhookDeliveryId');
    const [em, { id }] = [api.database.em.fork(), ownedUuidOf(data.webhookDeliveryId)];
    const late = (minutes: number) =>
      changed(
        em,
        sql`update webhook_deliveries set next_attempt_at = now() - make_interval(mins => ${minutes}) where id = ${id}`,
      );
    await late(59);
    const { webhookDeliveryId } = data;
    expect((await ada.change('webhookDeliveryRetry', { webhookDeliveryId })).mistakes).toEqual([
      'NOT_POSSIBLE webhookDeliveryId',
    ]);
    await late(61);
    expect((await ada.change('webhookDeliveryRetry', { webhookDeliveryId })).mistakes).toEqual([]);
  });

  test('is its user’s alone', async () => {
    const { webhookId } = await made();
    const bob = api.as('bob');
    expect((await bob.change('webhookUpdate', { webhookId, isActive: false })).mistakes).toEqual([
      'NOT_FOUND webhookId',
    ]);
    expect((await bob.change('webhookDelete', { webhookId })).mistakes).toEqual(['NOT_FOUND webhookId']);
    const { data } = await bob.ask('query($id: ID!) { me { webhook(id: $id) { id } } }', { id: webhookId });
    expect(data.me.webhook).toBeNull();
  });

  test.each([
    [{ url: 'https://127.0.0.1/' }, 'PRIVATE_ADDRESS url'],
    [{ url: 'https://0x7f000001/' }, 'PRIVATE_ADDRESS url'],
    [{ url: 'https://localhost/' }, 'PRIVATE_ADDRESS url'],
    [{ url: 'http://hooks.example/' }, 'INVALID_URL url'],
    [{ url: '' }, 'REQUIRED url'],
    [{ triggers: [] }, 'REQUIRED triggers'],
    [{ triggers: ['BOOKING_CREATED', 'BOOKING_CREATED'] }, 'DUPLICATE triggers'],
  ])('is refused with %o', async (wrong, mistake) => {
    const input = { url: anUrl(), triggers: ['BOOKING_CREATED'] };
    expect((await api.as('ada').change('webhookCreate', { ...input, ...wrong })).mistakes).toEqual([mistake]);
    const { webhookId } = await made();
    expect((await api.as('ada').change('webhookUpdate', { webhookId, ...wrong })).mistakes).toEqual([mistake]);
  });

  test('has an address that no other of its user has', async () => {
    const first = await made();
    const second = await made();
    const ada = api.as('ada');
    const { url } = first.webhook;
    const taken = ['URL_TAKEN url'];
    expect((await ada.change('webhookCreate', { url, triggers: ['BOOKING_CREATED'] })).mistakes).toEqual(taken);
    expect((await ada.change('webhookUpdate', { webhookId: second.webhookId, url })).mistakes).toEqual(taken);
    expect((await ada.change('webhookUpdate', { webhookId: first.webhookId, url })).mistakes).toEqual([]);
    expect((await made(api.as('bob'), { url })).webhook.url).toBe(url);
  });

  test(`is one of ${MAX_WEBHOOKS} at most, also when they are made at once`, async () => {
    const cyd = api.as('cyd');
    const outcomes = await Promise.all(
      Array.from({ length: MAX_WEBHOOKS + 3 }, () =>
        cyd.change('webhookCreate', { url: anUrl(), triggers: ['BOOKING_CREATED'] }),
      ),
    );
    expect(outcomes.filter(({ mistakes }) => mistakes.length === 0)).toHaveLength(MAX_WEBHOOKS);
    expect(outcomes.flatMap(({ mistakes }) => mistakes)).toEqual(['TOO_MANY', 'TOO_MANY', 'TOO_MANY']);
  });
});

const writer = () => api.as('dan', ['WEBHOOK_READ', 'WEBHOOK_WRITE']);

describe('the messages of a webhook', () => {
  test('is what the app that has made it may read', async () => {
    const full = await made(api.as('dan', ['WEBHOOK_READ', 'WEBHOOK_WRITE', 'BOOKING_READ']));
    expect(await stored(full.webhookId)).toEqual({ clientId: 'test', readable: ['BOOKING'] });
    const thin = await made(writer());
    expect(await stored(thin.webhookId)).toEqual({ clientId: 'test', readable: [] });
    const own = await made(api.signedIn('dan'));
    expect(await stored(own.webhookId)).toEqual({ clientId: null, readable: ['BOOKING', 'SCHEDULE'] });
  });

  test('is what the app may read that has changed its address, and stays with other changes', async () => {
    const { webhookId } = await made(api.signedIn('dan'));
    await writer().change('webhookUpdate', { webhookId, triggers: ['BOOKING_REJECTED'], isActive: true });
    expect(await stored(webhookId)).toEqual({ clientId: null, readable: ['BOOKING', 'SCHEDULE'] });
    expect((await writer().change('webhookUpdate', { webhookId, url: anUrl() })).mistakes).toEqual([]);
    expect(await stored(webhookId)).toEqual({ clientId: 'test', readable: [] });
  });
});

test('its messages are listed with their attempts, oldest first', async () => {
  const { webhookId } = await made(api.as('bob'));
  await storeDelivery(api.database.em.fork(), ownedUuidOf(webhookId));
  const document = `query($id: ID!) { me { webhook(id: $id) { deliveries { nodes {
    id trigger status nextAttemptAt attempts { endedAt status error latencyInMilliseconds } } } } } }`;
  const { data, errors } = await api.as('bob').ask(document, { id: webhookId });
  expect(errors).toEqual([]);
  expect(data.me.webhook.deliveries.nodes).toEqual([
    {
      id: expect.stringMatching(/^whd_/),
      trigger: 'BOOKING_CREATED',
      status: 'PENDING',
      nextAttemptAt: '2026-12-01T09:01:00Z',
      attempts: [
        { endedAt: '2026-12-01T09:00:00Z', status: 500, error: null, latencyInMilliseconds: 3 },
        {
          endedAt: '2026-12-01T09:00:10Z',
          status: null,
          error: 'The connection was broken off.',
          latencyInMilliseconds: 2,
        },
      ],
    },
  ]);
});
