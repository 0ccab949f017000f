import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Outbound, type OutboundSettings } from '../../src/outbound/outbound.ts';
import { paced } from '../support/pace.ts';
import { TAKEN, WebhookReceiver } from '../support/webhook-receiver.ts';

let receiver: WebhookReceiver;
const doors: Outbound[] = [];
beforeAll(async () => {
  receiver = await WebhookReceiver.open();
});
afterEach(() => {
  receiver.answer = TAKEN;
  receiver.all.length = 0;
});
afterAll(async () => {
  await Promise.all(doors.map((door) => door.close()));
  await receiver.close();
});

function aDoor(settings: Partial<OutboundSettings> = {}): Outbound {
  const door = new Outbound({ allowsPrivate: true, userAgent: 'Gatehouse (+https://gatehouse.example)', ...settings });
  doors.push(door);
  return door;
}

const post = (door: Outbound, url: string) =>
  door.call({ kind: 'WEBHOOK', method: 'POST', url, headers: { 'x-test': '1' }, body: '{}' });

/** A resolver that knows these addresses, whatever is asked, and counts. */
function resolvingTo(...addresses: readonly string[]) {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
}

const labels = (answer: string, more = '') => `{worker="2",kind="webhook",answer="${answer}"${more}}`;

describe('a call', () => {
  test('brings body, headers and the one user agent, and tells status and latency', async () => {
    const outcome = await post(aDoor(), receiver.url('/a'));
    expect(outcome).toEqual({ status: 204, latencyInMs: expect.any(Number) });
    expect(receiver.all).toMatchObject([
      { path: '/a', body: '{}', headers: { 'x-test': '1', 'user-agent': 'Gatehouse (+https://gatehouse.example)' } },
    ]);
  });

  test('goes to the address that was looked at: the name is asked once', async () => {
    const { resolve, asked } = resolvingTo('127.0.0.1');
    const outcome = await post(aDoor({ resolve }), `http://no.such.name.example:${receiver.port}/b`);
    expect([outcome.status, asked(), receiver.all.length]).toEqual([204, 1, 1]);
  });

  test('follows no redirect', async () => {
    receiver.answer = (response) => void response.writeHead(302, { location: receiver.url('/private') }).end();
    expect(await post(aDoor(), receiver.url('/c'))).toMatchObject({ status: 302 });
    expect(receiver.all.map(({ path }) => path)).toEqual(['/c']);
  });

  test('ends when its time is over, and when nobody listens', async () => {
    receiver.answer = () => undefined;
    const door = aDoor({ timeoutInMs: 100 });
    expect(await post(door, receiver.url())).toMatchObject({ error: 'There was no whole answer within 0.1 s.' });
    const gone = await WebhookReceiver.open();
    const url = gone.url();
    await gone.close();
    expect(await post(door, url)).toMatchObject({ error: 'Nobody listens there: the connection was refused.' });
  });

  test('waits for no more of an answer than a little', async () => {
    receiver.answer = (response) => {
      response.writeHead(200);
      const write = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(16_384), () => setImmediate(write));
      };
      write();
    };
    const beganAt = performance.now();
    expect(await post(aDoor({ timeoutInMs: 30_000 }), receiver.url())).toMatchObject({ status: 200 });
    expect(performance.now() - beganAt).toBeLessThan(paced(20_000));
  });

  test('is counted, by its kind and what was answered', async () => {
    const door = aDoor();
    receiver.answer = (response) => void response.writeHead(500).end();
    await post(door, receiver.url());
    await post(door, receiver.url());
    receiver.answer = (response) => void response.destroy();
    await post(door, receiver.url());
    const lines = door.metrics(2).split('\n');
    expect(lines).toContain(`gatehouse_outbound_seconds_count${labels('5xx')} 2`);
    expect(lines).toContain(`gatehouse_outbound_seconds_bucket${labels('5xx', ',le="+Inf"')} 2`);
    expect(lines).toContain(`gatehouse_outbound_seconds_bucket${labels('5xx', ',le="30"')} 2`);
    expect(lines).toContain(`gatehouse_outbound_seconds_count${labels('no_connection')} 1`);
    expect(door.metrics()).toMatch(/^gatehouse_outbound_seconds_sum\{kind="webhook",answer="5xx"\} \d+(\.\d+)?$/m);
  });
});
