import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outboundAddressMistake } from '../../src/outbound/guarded-addresses.ts';
import { Outbound, type OutboundSettings } from '../../src/outbound/outbound.ts';
import type { OutboundKind } from '../../src/outbound/outcome.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const KINDS = Object.keys({
  WEBHOOK: true,
  CALENDAR_FEED: true,
  CALDAV: true,
  CALENDAR: true,
  OAUTH: true,
  SMS: true,
  CONFERENCING: true,
} satisfies Record<OutboundKind, true>) as OutboundKind[];

/** Each way through the door, and the reason that it gives for having called nobody. */
const WAYS: Readonly<Record<string, (door: Outbound, kind: OutboundKind, url: string) => Promise<unknown>>> = {
  call: async (door, kind, url) => (await door.call({ kind, method: 'POST', url, headers: {}, body: '{}' })).error,
  ask: async (door, kind, url) => (await door.ask({ kind, method: 'PROPFIND', url, headers: {} })).error,
  fetch: (door, kind, url) =>
    door
      .fetchOf(kind)(url)
      .then(
        ({ status }) => status,
        (error: Error) => error.message,
      ),
};

/** Spellings of places that are not on the public internet, in an address. */
const LITERALS = [
  'https://127.0.0.1',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.01',
  'https://127.0.0.1.',
  'https://%31%32%37.0.0.1',
  'https://１２７.0.0.1',
  'https://0',
  'https://10.1.2.3',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://100.64.0.1',
  'https://169.254.169.254',
  'https://0xa9fea9fe',
  'https://255.255.255.255',
  'https://[::]',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[64:ff9b::7f00:1]',
  'https://[2002:7f00:1::]',
  'https://[fe80::1]',
  'https://[fd00:ec2::254]',
  'https://localhost',
  'https://LOCALHOST.',
  'https://printer.local',
  'https://metadata.google.internal',
  'http://example.com',
];

/** An innocent name leads to these. */
const ADDRESSES = [
  ['127.0.0.1'],
  ['::1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['93.184.216.34', '127.0.0.1'],
];

let receiver: WebhookReceiver;
const doors: Outbound[] = [];
beforeAll(async () => {
  receiver = await WebhookReceiver.open();
});
beforeEach(() => void receiver.all.splice(0));
afterAll(async () => {
  await Promise.all(doors.map((door) => door.close()));
  await receiver.close();
});

function aDoor(settings: Partial<OutboundSettings> = {}): Outbound {
  const door = new Outbound({ allowsPrivate: false, userAgent: 'Gatehouse', ...settings });
  doors.push(door);
  return door;
}

function resolvingTo(addresses: readonly string[]): OutboundSettings['resolve'] & {} {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

describe.each(Object.entries(WAYS))('by %s, of every kind', (_name, go) => {
  const reasons = async (door: Outbound, url: string) => [
    ...new Set(await Promise.all(KINDS.map((kind) => go(door, kind, url)))),
  ];

  test('no private address is called, however it is spelt', async () => {
    const door = aDoor({ resolve: resolvingTo(['127.0.0.1']) });
    for (const origin of LITERALS) {
      expect([origin, await reasons(door, `${origin}:${receiver.port}/`)]).toEqual([
        origin,
        ['The address does not lead to the public internet.'],
      ]);
    }
    expect(receiver.all).toEqual([]);
  });

  test('no name is called that leads to one, though it was saved, and though another address of it is public', async () => {
    const url = `https://rebind.example:${receiver.port}/`;
    // Whether the name leads there is not known when it is saved, and may change after that.
    expect(outboundAddressMistake(['url'], url, false)).toBeUndefined();
    for (const addresses of ADDRESSES) {
      const door = aDoor({ resolve: resolvingTo(addresses) });
      expect([addresses, await reasons(door, url)]).toEqual([
        addresses,
        ['The address does not lead to the public internet.'],
      ]);
    }
    expect(receiver.all).toEqual([]);
  });

  test('where private ones are allowed, the same address is called', async () => {
    await reasons(aDoor({ allowsPrivate: true }), receiver.url());
    expect(receiver.all).toHaveLength(KINDS.length);
  });
});

const named = async (url: string, kind: OutboundKind = 'CALDAV', insideHosts?: readonly string[]) => {
  const caldavInsideHosts = insideHosts ?? [`cloud.lan:${receiver.port}`];
  const door = aDoor({ resolve: resolvingTo(['127.0.0.1']), caldavInsideHosts });
  const answer = await door.ask({ kind, method: 'PROPFIND', url, headers: {} });
  return answer.error === undefined ? 'ANSWERED' : answer.reason;
};

/** CalDAV alone may ask them. Nothing there speaks TLS, so a call that comes so far hears of that. */
describe('hosts inside that the operator names', () => {
  test('are asked for calendars, encrypted, at their port', async () => {
    expect(await named(`https://cloud.lan:${receiver.port}/`)).toBe('TLS');
    expect(await named(`https://CLOUD.lan:${receiver.port}/`)).toBe('TLS');
    expect(await named(`https://127.0.0.1:${receiver.port}/`, 'CALDAV', [`127.0.0.1:${receiver.port}`])).toBe('TLS');
  });

  test.each<readonly [how: string, ask: () => Promise<string>]>([
    ['without encryption', () => named(`http://cloud.lan:${receiver.port}/`)],
    ['at another port', () => named('https://cloud.lan:1/')],
    ['by another name', () => named(`https://other.lan:${receiver.port}/`)],
    ['by a name that begins or ends like theirs', () => named(`https://a.cloud.lan:${receiver.port}/`)],
    ['by their address', () => named(`https://127.0.0.1:${receiver.port}/`)],
    ...KINDS.filter((kind) => kind !== 'CALDAV').map(
      (kind) => [`for ${kind}`, () => named(`https://cloud.lan:${receiver.port}/`, kind)] as const,
    ),
  ])('are not asked %s', async (_how, ask) => {
    expect(await ask()).toBe('PRIVATE_ADDRESS');
    expect(receiver.all).toEqual([]);
  });

  test('are the addresses that can be saved', () => {
    const door = aDoor({ caldavInsideHosts: ['cloud.lan:443', '10.0.0.5:8443', 'nas.local:443'] });
    const codeOf = (url: string) => door.caldavAddressMistake(['server'], url)?.code;
    expect(['https://nas.local/', 'https://10.0.0.5:8443/dav'].map(codeOf)).toEqual([undefined, undefined]);
    expect(['https://10.0.0.5/', 'https://10.0.0.6:8443/'].map(codeOf)).toEqual(['PRIVATE_ADDRESS', 'PRIVATE_ADDRESS']);
    expect(codeOf('http://nas.local/')).toBe('INVALID_URL');
  });
});
