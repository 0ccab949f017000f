import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { nameServerResolve, nameServerServices, systemResolve } from '../../src/outbound/guarded-addresses.ts';
import { paced } from '../support/pace.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A name server on this machine; what it says to a question of a type (1: A, 28: AAAA), or nothing. */
async function nameServer(answerTo: (type: number) => Uint8Array | 'NONE' | undefined): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question, { port, address }) => {
    // Header, one question (RFC 1035 §4.1); what EDNS adds behind it is left out of the answer.
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const record = answerTo(type);
    if (!record) return;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(record === 'NONE' ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(record === 'NONE' ? 0 : 1, 6);
    header.fill(0, 8);
    const parts = [header, question.subarray(12, end)];
    if (record !== 'NONE') {
      const fields = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, record.length]);
      parts.push(fields, Buffer.from(record));
    }
    socket.send(Buffer.concat(parts), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

test('name servers are asked for addresses of both kinds', async () => {
  const server = await nameServer((type) => (type === 1 ? [93, 184, 216, 34] : 'NONE') as Uint8Array | 'NONE');
  expect(await nameServerResolve([server])('feeds.example.com')).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test('a name that they do not know is told from a server that says nothing, within its time', async () => {
  const unknown = await nameServer(() => 'NONE');
  await expect(nameServerResolve([unknown])('no.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  const silent = await nameServer(() => undefined);
  const beganAt = performance.now();
  await expect(nameServerResolve([silent], 300)('slow.example.com')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  expect(performance.now() - beganAt).toBeLessThan(paced(3_000));
});

test('names of this machine lead to it in development', async () => {
  expect((await systemResolve()('localhost')).map(({ address }) => address)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]),
  );
});

test('services of a domain are found by SRV, and what is said of them by TXT; where nobody tells, there are none', async () => {
  // RFC 2782: priority, weight, port, target; RFC 1035 §3.3.14: a text with its length.
  const target = Buffer.from('\x03dav\x07example\x00');
  const text = Buffer.from('\x0apath=/dav/');
  const records = new Map([
    [33, Buffer.from([0, 1, 0, 2, 1, 187, ...target])],
    [16, text],
  ]);
  const server = await nameServer((type) => records.get(type) ?? 'NONE');
  expect(await nameServerServices([server])('_caldavs._tcp.example.com')).toMatchObject({
    servers: [{ name: 'dav.example', port: 443, priority: 1, weight: 2 }],
    texts: ['path=/dav/'],
  });
  const none = { servers: [], texts: [] };
  const unknown = await nameServer(() => 'NONE');
  expect(await nameServerServices([unknown])('_caldavs._tcp.example.com')).toEqual(none);
  const silent = await nameServer(() => undefined);
  expect(await nameServerServices([silent], 300)('_caldavs._tcp.example.com')).toEqual(none);
});
