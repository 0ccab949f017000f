import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, type OwnedId } from '../../src/core/id.ts';
import { Selection } from '../../src/database/columns.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { attemptDelivery } from '../../src/modules/webhooks/attempt-delivery.ts';
import { removeOldDeliveries } from '../../src/modules/webhooks/paused-deliveries.ts';
import { planDeliveries } from '../../src/modules/webhooks/plan-deliveries.ts';
import { retryDelivery, testWebhook } from '../../src/modules/webhooks/request-delivery.ts';
import { rotateWebhookSecret, updateWebhook } from '../../src/modules/webhooks/webhook.commands.ts';
import { Webhook } from '../../src/modules/webhooks/webhook.entity.ts';
import { WEBHOOKS } from '../../src/modules/webhooks/webhook.queries.ts';
import { webhookSecret } from '../../src/modules/webhooks/webhook.rules.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { outcomeOf } from '../support/outcome.ts';
import { paced } from '../support/pace.ts';
import { TAKEN, verified, WebhookReceiver } from '../support/webhook-receiver.ts';
import { aRunner, letTimePass, startRunner, storedJobs } from './support/jobs.ts';
import {
  storeAbsence,
  storedDeliveries,
  storeWebhooks,
  testDoor,
  WEBHOOKS_KEY,
  webhookKindsWith,
} from './support/webhooks.ts';

let database: TestDatabase;
let receiver: WebhookReceiver;
let door: Outbound;
/** For receivers that are to time out; with others, a machine under load might. */
let impatient: Outbound;
let em: () => Em;
let hostId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
  receiver = await WebhookReceiver.open();
  door = testDoor(20_000);
  impatient = testDoor(1_000);
});
afterAll(async () => {
  await door.close();
  await impatient.close();
  await receiver.close();
  await database.close();
});
beforeEach(async () => {
  [hostId = ''] = await newHosts(em(), 1);
});
afterEach(async () => {
  receiver.answer = TAKEN;
  receiver.all.length = 0;
  await rows(em(), sql`delete from jobs.job`);
  await rows(em(), sql`delete from webhooks`);
});

const aWebhook = async (options: Parameters<typeof storeWebhooks>[3] = {}, url = receiver.url()): Promise<string> =>
  (await storeWebhooks(em(), hostId, [url], options))[0] ?? '';

const tested = ({ ownerId, id }: OwnedId, who = own(ownerId)) =>
  testWebhook(em(), WEBHOOKS, who, id, { trigger: 'BOOKING_CREATED', webhooksKey: WEBHOOKS_KEY, isLetIn });

const booked = (day = 0) => book(em(), eventTypeOf([hostId]), slotOn(day, '09:00'));

/** Does all that is due. */
async function settle(outbound = door) {
  const { runner, logged } = aRunner(database.em, ...webhookKindsWith(outbound));
  await runner.settled();
  return logged;
}

// oxlint-disable-next-line typescript/no-explicit-any -- messages of every shape
const bodies = (): any[] => receiver.all.map(({ body }) => JSON.parse(body));

describe('a message', () => {
  test('is verified by the secret of its webhook, and tells all of a booking', async () => {
    const id = await aWebhook();
    const { key } = await booked();
    expect(await settle()).toEqual([]);
    expect(receiver.all).toHaveLength(1);
    const [delivered] = receiver.all;
    if (!delivered) return;
    const secret = webhookSecret(WEBHOOKS_KEY, { ownerId: hostId, id }, id);
    const message = verified(secret, delivered);
    expect(message).toMatchObject({
      id: delivered.headers['webhook-id'],
      type: 'BOOKING_CREATED',
      version: 1,
      data: {
        booking: {
          id: expect.stringMatching(/^bkg_/),
          title: 'Talk',
          status: 'ACCEPTED',
          start: slotOn(0, '09:00').toString(),
          attendees: [{ name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' }],
          hosts: [{ isAbsent: false }],
        },
      },
    });
    expect(message.occurredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const others = webhookSecret(WEBHOOKS_KEY, { ownerId: hostId, id: newId() }, id);
    expect(() => verified(others, delivered)).toThrow('No matching signature');
    expect(() => verified(secret, { ...delivered, body: delivered.body.replace('Grace', 'Eve') })).toThrow(
      'No matching signature',
    );
    expect(JSON.stringify(message)).not.toContain(key.id);
    expect(await storedDeliveries(em())).toEqual([
      {
        status: 'DELIVERED',
        trigger: 'BOOKING_CREATED',
        attempts: [{ endedAt: expect.any(String), status: 204, latencyInMs: expect.any(Number) }],
        waitsForSeconds: null,
      },
    ]);
  });

  test('comes once for each transition; subject and time tell their order', async () => {
    await aWebhook();
    const eventType = eventTypeOf([hostId]);
    const { key } = await book(em(), eventType, slotOn(0, '09:00'));
    const moved = await rescheduleBooking(em(), eventType, {
      key,
      start: slotOn(1, '09:00'),
      durationInMinutes: null,
      reason: 'Ill',
      reservationId: null,
      callerId: null,
    });
    await cancelBooking(em(), undefined, { key: moved, reason: null, callerId: null });
    await settle();
    const told = bodies().toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
    expect(told.map(({ type, data }) => [type, data.booking.status])).toEqual([
      ['BOOKING_CREATED', 'ACCEPTED'],
      ['BOOKING_RESCHEDULED', 'ACCEPTED'],
      ['BOOKING_CANCELLED', 'CANCELLED'],
    ]);
    expect(new Set(told.map(({ subject }) => subject)).size).toBe(1);
    expect(new Set(told.map(({ occurredAt }) => occurredAt)).size).toBe(3);
    expect(told[1].data.booking.rescheduledFromId).toBe(told[0].data.booking.id);
  });

  test('tells nothing but that it happened where its webhook may not read more', async () => {
    await aWebhook({ readable: ['SCHEDULE'] });
    await booked();
    await goAway(em());
    await settle();
    const [absence, booking] = bodies().toSorted((a, b) => (a.type > b.type ? -1 : 1));
    expect(booking).toEqual({
      id: expect.any(String),
      type: 'BOOKING_CREATED',
      version: 1,
      occurredAt: expect.any(String),
      subject: expect.any(String),
      data: null,
    });
    expect(absence.data.outOfOffice).toMatchObject({
      id: expect.stringMatching(/^ooo_/),
      start: '2031-01-06T00:00:00Z',
    });
  });

  test('has no data when it is sent again to a receiver that may no longer read it', async () => {
    const id = await aWebhook();
    await booked();
    await settle();
    expect(bodies()[0].data.booking).toBeDefined();
    const readable = (kinds: readonly string[]) =>
      rows(em(), sql`update webhooks set readable = ${kinds}::text[] where id = ${id}`);
    const sentAgain = async () => {
      receiver.all.splice(0);
      await rows(em(), sql`update webhook_deliveries set status = 'PENDING' where webhook_id = ${id}`);
      const [delivery] = await rows(em(), sql<OwnedId>`select owner_id as "ownerId", id from webhook_deliveries`);
      if (delivery)
        await (await attemptDelivery(em(), delivery, { outbound: testDoor(), webhooksKey: WEBHOOKS_KEY, isLetIn }))?.(
          em(),
        );
      return bodies()[0];
    };
    await readable(['SCHEDULE']);
    const thin = await sentAgain();
    expect(thin).toMatchObject({ type: 'BOOKING_CREATED', data: null });
    await readable(['BOOKING']);
    expect(await sentAgain()).toMatchObject({ id: thin.id, data: { booking: {} } });
  });

  test('tells what its app may read now, of what it could read when it set the address', async () => {
    const clientId = `app-${newId()}`;
    await aWebhook({ clientId, readable: ['BOOKING'] });
    await rows(
      em(),
      sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, requires_pkce, redirect_uris,
            scopes, submitted_at, created_at, updated_at)
          values (${clientId}, ${hostId}, '', '', 'PUBLIC', 'APPROVED', false, true, '{}', '{PROFILE_READ}', now(), now(), now())`,
    );
    const granted = (...scopes: readonly string[]) =>
      rows(
        em(),
        sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at,
              expires_at)
            values (${newId()}, ${clientId}, ${hostId}, 'SCOPED', ${scopes}::text[], '', 0, now(), now(), now(), now() + interval '1 day')`,
      );
    let day = 0;
    const told = async () => {
      await goAway(em());
      await booked(day++);
      await settle();
      return receiver.all.splice(0).map(({ body }) => JSON.parse(body).data !== null);
    };
    await granted('PROFILE_READ');
    expect(await told()).toEqual([false, false]);
    await granted('BOOKING_READ', 'SCHEDULE_READ');
    expect(new Set(await told())).toEqual(new Set([false, true]));
  });

  test('is written for the webhooks alone that listen to it', async () => {
    await aWebhook({ isActive: false }, receiver.url('/inactive'));
    await aWebhook({ triggers: ['BOOKING_CANCELLED'] }, receiver.url('/cancelled'));
    // No such app is let in by this user.
    await aWebhook({ clientId: 'gone' }, receiver.url('/cut-off'));
    const [other = ''] = await newHosts(em(), 1);
    await storeWebhooks(em(), other, [receiver.url('/other')]);
    await aWebhook({}, receiver.url('/own'));
    await booked();
    await settle();
    expect(receiver.all.map(({ path }) => path)).toEqual(['/own']);
    await rows(em(), sql`update users set suspended_at = now() where id = ${hostId}`);
    await goAway(em());
    await settle();
    expect(receiver.all).toHaveLength(1);
  });

  test('goes to each host of a booking, once to each of their webhooks', async () => {
    const [second = ''] = await newHosts(em(), 1);
    await aWebhook({}, receiver.url('/first'));
    await storeWebhooks(em(), second, [receiver.url('/second')]);
    await book(em(), eventTypeOf([hostId, second]), slotOn(0, '09:00'));
    await settle();
    expect(receiver.all.map(({ path }) => path).toSorted()).toEqual(['/first', '/second']);
  });

  test('is never written for a change that was rolled back', async () => {
    await aWebhook();
    const undone = em().transactional(async (inner) => {
      await goAway(inner);
      throw new Error('Undone.');
    });
    await expect(undone).rejects.toThrow('Undone.');
    await settle();
    expect([receiver.all, await storedDeliveries(em())]).toEqual([[], []]);
  });

  test('is written once, however often its event is handed out', async () => {
    await aWebhook();
    const event = {
      type: 'OUT_OF_OFFICE_CREATED',
      id: newId(),
      ownerId: hostId,
      occurredAt: '2026-12-01T09:00:00.000001+00:00',
      outOfOfficeId: await storeAbsence(em(), hostId),
      start: '2031-01-06T00:00:00Z',
      end: '2031-01-07T00:00:00Z',
    } as const;
    const settings = { webhooksKey: WEBHOOKS_KEY, isLetIn };
    const first = await planDeliveries(em(), event, settings);
    expect(await planDeliveries(em(), event, settings)).toEqual(first);
    expect(first).toHaveLength(1);
  });

  test('is kept for thirty days', async () => {
    await aWebhook();
    await booked();
    await settle();
    const age = (days: number) =>
      rows(em(), sql`update webhook_deliveries set created_at = now() - make_interval(days => ${days}::int)`);
    await age(29);
    expect(await removeOldDeliveries(em(), 10)).toBe(0);
    await age(31);
    expect(await removeOldDeliveries(em(), 10)).toBe(1);
  });
});

/** An event of the host's that needs no booking. */
async function goAway(inner: Em): Promise<void> {
  await recordEvent(inner, hostId, {
    type: 'OUT_OF_OFFICE_CREATED',
    outOfOfficeId: await storeAbsence(inner, hostId),
    start: '2031-01-06T00:00:00Z',
    end: '2031-01-07T00:00:00Z',
  });
}

describe('a secret that is rotated', () => {
  test('signs beside the new one for a day; of three, the first ends at once', async () => {
    const id = await aWebhook();
    const secretOf = (salt: string) => webhookSecret(WEBHOOKS_KEY, { ownerId: hostId, id }, salt);
    const isVerified = (salt: string): boolean[] =>
      receiver.all.splice(0).map((delivered) => {
        try {
          return verified(secretOf(salt), delivered).type === 'OUT_OF_OFFICE_CREATED';
        } catch {
          return false;
        }
      });
    const second = await rotateWebhookSecret(em(), WEBHOOKS, own(hostId), id, null);
    const signedBy = async (salt: string) => {
      await goAway(em());
      await settle();
      return isVerified(salt);
    };
    expect([await signedBy(id), await signedBy(second)]).toEqual([[true], [true]]);
    const third = await rotateWebhookSecret(em(), WEBHOOKS, own(hostId), id, null);
    expect([await signedBy(id), await signedBy(second), await signedBy(third)]).toEqual([[false], [true], [true]]);
    await rows(em(), sql`update webhooks set previous_until = now() - interval '1 second'`);
    expect([await signedBy(second), await signedBy(third)]).toEqual([[false], [true]]);
  });
});

describe('an address that is set', () => {
  const someApp = { allowsPrivate: true, clientId: 'some-app', readable: ['BOOKING', 'SCHEDULE'] } as const;
  test.each([
    ['by the app that has set it before keeps its secret', 'some-app', true],
    ['by another ends the secret that the one before knows, at once', 'other-app', false],
    ['by its user ends the secret that an app knows, at once', null, false],
  ])('%s', async (_rule, clientId, isKept) => {
    const id = await aWebhook({ clientId: 'some-app' });
    const director = { ...someApp, userId: hostId, clientId };
    const patch = { url: receiver.url('/elsewhere') };
    const shown = new Selection(Webhook, []);
    const { newSalt } = await updateWebhook(em(), WEBHOOKS, own(hostId), id, patch, shown, director);
    // No such app is let in by this user.
    await rows(em(), sql`update webhooks set client_id = null`);
    await tested({ ownerId: hostId, id });
    await settle();
    const [delivered] = receiver.all;
    expect(delivered?.path).toBe('/elsewhere');
    if (!delivered) return;
    const isSignedBy = (salt: string): boolean => {
      try {
        return verified(webhookSecret(WEBHOOKS_KEY, { ownerId: hostId, id }, salt), delivered).test;
      } catch {
        return false;
      }
    };
    expect([newSalt === undefined, isSignedBy(id), isSignedBy(newSalt ?? '')]).toEqual([isKept, isKept, !isKept]);
  });
});

describe('a message that is asked for', () => {
  test('for a test has no data, and is delivered like any other', async () => {
    const webhook = { ownerId: hostId, id: await aWebhook() };
    await tested(webhook);
    await settle();
    const [delivered] = receiver.all;
    const message = delivered && verified(webhookSecret(WEBHOOKS_KEY, webhook, webhook.id), delivered);
    expect(message).toMatchObject({ type: 'BOOKING_CREATED', test: true, data: null });
    expect(await storedDeliveries(em())).toMatchObject([{ status: 'DELIVERED', trigger: 'BOOKING_CREATED' }]);
  });

  test('once more has the same id, and begins anew', async () => {
    const webhook = { ownerId: hostId, id: await aWebhook() };
    const id = await tested(webhook);
    const retry = () => outcomeOf(retryDelivery(em(), WEBHOOKS, own(hostId), id, isLetIn));
    expect(await retry()).toBe('NOT_POSSIBLE');
    receiver.answer = (response) => void response.writeHead(500).end();
    await settle();
    await rows(em(), sql`update webhook_deliveries set status = 'FAILED', failures = 9`);
    await rows(em(), sql`delete from jobs.job`);
    receiver.answer = TAKEN;
    expect(await retry()).toBe('done');
    await settle();
    expect(await storedDeliveries(em())).toMatchObject([
      { status: 'DELIVERED', attempts: [{ status: 500 }, { status: 204 }] },
    ]);
    expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('is refused while its webhook is not active, and of others', async () => {
    const webhook = { ownerId: hostId, id: await aWebhook() };
    const id = await tested(webhook);
    await settle();
    const [other = ''] = await newHosts(em(), 1);
    const asked = (ownerId: string) => [
      outcomeOf(tested({ ...webhook, ownerId })),
      outcomeOf(retryDelivery(em(), WEBHOOKS, own(ownerId), id, isLetIn)),
    ];
    expect(await Promise.all(asked(other))).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await rows(em(), sql`update webhooks set is_active = false`);
    expect(await Promise.all(asked(hostId))).toEqual(['NOT_POSSIBLE', 'NOT_POSSIBLE']);
    expect(receiver.all).toHaveLength(1);
  });

  test('however often, keeps its last twenty attempts', async () => {
    const webhook = { ownerId: hostId, id: await aWebhook() };
    const id = await tested(webhook);
    await settle();
    const many = JSON.stringify(Array.from({ length: 20 }, () => ({ endedAt: 'x', status: 500, latencyInMs: 1 })));
    await rows(em(), sql`update webhook_deliveries set attempts = ${many}::jsonb`);
    await retryDelivery(em(), WEBHOOKS, own(hostId), id, isLetIn);
    await settle();
    const [delivery] = await storedDeliveries(em());
    expect(delivery?.attempts.map(({ status }) => status).slice(-2)).toEqual([500, 204]);
    expect(delivery?.attempts).toHaveLength(20);
  });
});

describe('a receiver that', () => {
  test.each([
    ['answers 500', (response) => void response.writeHead(500).end(), { status: 500 }],
    [
      'redirects to a private address',
      (response) => void response.writeHead(307, { location: 'http://10.0.0.1/' }).end(),
      { status: 307 },
    ],
    ['hangs', () => undefined, { error: 'There was no whole answer within 1 s.' }],
    [
      'answers after the time-out',
      (response) => void setTimeout(() => response.writeHead(204).end(), 1_300),
      { error: 'There was no whole answer within 1 s.' },
    ],
    ['breaks off', (response) => void response.destroy(), { error: 'The connection was broken off.' }],
  ] as readonly (readonly [string, WebhookReceiver['answer'], object])[])(
    '%s is tried again, with the same id',
    async (_what, answer, failure) => {
      await aWebhook();
      await booked();
      receiver.answer = answer;
      expect(await settle(impatient)).toEqual([]);
      const [failed] = await storedDeliveries(em());
      expect(failed).toMatchObject({ status: 'PENDING', attempts: [failure] });
      expect(failed?.waitsForSeconds).toBeGreaterThan(5);
      expect(failed?.waitsForSeconds).toBeLessThan(12);
      receiver.answer = TAKEN;
      await settle();
      expect(receiver.all).toHaveLength(1);
      await letTimePass(em());
      await settle();
      expect(await storedDeliveries(em())).toMatchObject([
        { status: 'DELIVERED', attempts: [failure, { status: 204 }] },
      ]);
      expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.all.map(({ body }) => body)).size).toBe(1);
    },
  );

  test('is down is tried for about a day, more and more seldom; nothing is lost if it comes back before', async () => {
    await aWebhook();
    const { port } = receiver;
    await receiver.close();
    await booked(0);
    await booked(1);
    let seconds = 0;
    while (seconds < 3_600) {
      await settle();
      const waits = (await storedDeliveries(em())).map(({ waitsForSeconds }) => waitsForSeconds ?? 0);
      expect(waits).toHaveLength(2);
      seconds += Math.min(...waits);
      await letTimePass(em());
    }
    receiver = await WebhookReceiver.open(port);
    await settle();
    expect((await storedDeliveries(em())).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
    expect(receiver.all).toHaveLength(2);
  });

  test('never answers well is tried again as documented, then given up, and no operator is bothered', async () => {
    await aWebhook();
    receiver.answer = (response) => void response.writeHead(503).end();
    await booked();
    const pauses: number[] = [];
    for (let isOver = false; !isOver; ) {
      expect(await settle()).toEqual([]);
      const [delivery] = await rows(
        em(),
        sql<{ status: string; pause: number }>`
          select status, extract(epoch from next_attempt_at - (attempts->-1->>'endedAt')::timestamptz)::float8 as pause from webhook_deliveries`,
      );
      isOver = delivery?.status === 'FAILED';
      if (!isOver) pauses.push(delivery?.pause ?? 0);
      await letTimePass(em());
    }
    // docs/webhooks.md has these; a tenth more or less, so that what failed together is not tried again together.
    const [seconds, minutes, hours] = [[10], [1, 5, 30], [2, 5, 8, 10]];
    const documented = [...seconds, ...minutes.map((n) => 60 * n), ...hours.map((n) => 3_600 * n)];
    expect(pauses).toHaveLength(documented.length);
    for (const [index, expected] of documented.entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(0.9 * expected);
      expect(pauses[index]).toBeLessThanOrEqual(1.1 * expected);
    }
    expect(receiver.all).toHaveLength(documented.length + 1);
    expect(await storedJobs(em())).toEqual([]);
  });

  test('is not to be told any more gets nothing that still waits', async () => {
    await aWebhook();
    receiver.answer = (response) => void response.writeHead(500).end();
    await booked();
    await settle();
    await rows(em(), sql`update webhooks set is_active = false`);
    await letTimePass(em());
    await settle();
    expect(await storedDeliveries(em())).toMatchObject([{ status: 'FAILED', attempts: [{ status: 500 }] }]);
    expect(receiver.all).toHaveLength(1);
  });

  // A thousand, in two processes, are tried in test/process/notified-once.test.ts.
  test('hangs delays none of 199 others', { timeout: paced(120_000) }, async () => {
    // As many as four people can have.
    const hostIds = [hostId, ...(await newHosts(em(), 3))];
    for (const [host, id] of hostIds.entries()) {
      await storeWebhooks(
        em(),
        id,
        Array.from({ length: 50 }, (_, index) => receiver.url(`/${host * 50 + index}`)),
      );
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let isHeld = false;
    receiver.answer = async (response, delivered) => {
      if (delivered.path === '/100') {
        isHeld = true;
        await released;
      }
      response.writeHead(204).end();
    };
    await book(em(), eventTypeOf(hostIds), slotOn(0, '09:00'));
    const patient = testDoor(300_000);
    const { logged } = await startRunner(database, ...webhookKindsWith(patient));
    const delivered = async () => (await storedDeliveries(em())).filter(({ status }) => status === 'DELIVERED').length;
    await expect.poll(delivered, { timeout: paced(100_000), interval: 500 }).toBe(199);
    expect(isHeld).toBe(true);
    release();
    await expect.poll(delivered, { timeout: paced(30_000) }).toBe(200);
    expect(logged).toEqual([]);
    expect(receiver.all).toHaveLength(200);
    await patient.close();
  });
});
