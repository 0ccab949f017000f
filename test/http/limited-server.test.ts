/** Clients cannot exhaust the memory of a process by asking and not reading, and slow ones are served all the same. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { atEndOfTurn } from '../../src/core/turns.ts';
import { ASK, askFor, type Client, heard, LARGE, large, SHORT, talk } from '../support/limited-talk.ts';
import { paced } from '../support/pace.ts';

const CLIENTS = 150;
const isWhole = ({ length }: string): boolean => length > LARGE.length;

async function openMany(open: () => Promise<Client>): Promise<Client[]> {
  const clients: Client[] = [];
  for (let count = 0; count < CLIENTS; count += 1) clients.push(await open());
  return clients;
}

/** A little at a time; all that came until the end. */
async function readSlowly(socket: Socket): Promise<number> {
  let [bytes, allowed] = [0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  socket.on('data', (part) => {
    bytes += part.length;
    if (bytes > allowed) socket.pause();
    if (bytes > LARGE.length) resolve();
  });
  const reading = setInterval(() => {
    allowed += LARGE.length / 100;
    socket.resume();
  }, SHORT / 10);
  await promise;
  clearInterval(reading);
  return bytes;
}

test('a hundred and fifty clients that ask and never read are all closed', async () => {
  await talk({
    listener: large,
    limits: { idleMilliseconds: SHORT },
    act: async (open) => {
      const clients = await openMany(open);
      for (const { socket } of clients) socket.write(ASK);
      expect(await Promise.all(clients.map(({ closed }) => closed))).toHaveLength(CLIENTS);
    },
  });
});

test('answers that wait for clients that do not read are bounded, and clients that read get theirs whole meanwhile', async () => {
  const answers = new Set<ServerResponse>();
  const unread = (): number => [...answers].reduce((sum, { writableLength }) => sum + writableLength, 0);
  let begun = 0;
  await talk({
    listener: (_request, response) => {
      begun += 1;
      answers.add(response.on('close', () => answers.delete(response)));
      response.end(LARGE);
    },
    limits: { unreadBytes: 4 * LARGE.length },
    act: async (open) => {
      const clients = await openMany(open);
      for (const { socket } of clients) socket.write(ASK.repeat(5));
      await expect.poll(() => begun).toBe(CLIENTS);
      const { socket: reader } = await open();
      reader.write(ASK);
      expect((await heard(reader, isWhole)).length).toBeGreaterThan(LARGE.length);
      await expect.poll(unread, { timeout: paced(5_000) }).toBeLessThanOrEqual(4 * LARGE.length);
      // Requests that they sent ahead went with their connections.
      expect(begun).toBe(CLIENTS + 1);
    },
  });
});

test('a client that reads slowly is not closed, however long all of it takes', async () => {
  const bytes = await talk({
    listener: large,
    limits: { idleMilliseconds: 3 * SHORT },
    act: async (open) => {
      const { socket } = await open();
      socket.write(ASK);
      return readSlowly(socket);
    },
  });
  expect(bytes).toBeGreaterThan(LARGE.length);
});

test('requests that are sent ahead are worked on one after another, and answered in their order', async () => {
  const begun: (string | undefined)[] = [];
  let under = 0;
  const text = await talk({
    listener: ({ url }, response) => {
      begun.push(url);
      under += 1;
      expect(under).toBe(1);
      setImmediate(() => {
        under -= 1;
        response.end(`answer to ${url};`);
      });
    },
    limits: {},
    act: async (open) => {
      const { socket } = await open();
      socket.write(askFor('/1') + askFor('/2') + askFor('/3'));
      return heard(socket, (heardSoFar) => heardSoFar.endsWith('/3;'));
    },
  });
  expect(begun).toEqual(['/1', '/2', '/3']);
  expect(text.match(/answer to \S+;/g)).toEqual(['answer to /1;', 'answer to /2;', 'answer to /3;']);
});

test('work that is sent ahead begins outside of all other requests, also where answers of several clients are ended together', async () => {
  const work = new AsyncLocalStorage<string | undefined>();
  const begun: Record<string, string | undefined> = {};
  const waiting: (() => void)[] = [];
  await talk({
    listener: ({ url = '' }, response) => {
      begun[url] = work.getStore() ?? 'nobody';
      work.run(url, () => waiting.push(AsyncLocalStorage.bind(() => atEndOfTurn(() => response.end(url)))));
      if (url === '/ahead') waiting.pop()?.();
      // Both at the end of one turn, which began as the first one's.
      else if (waiting.length === 2) setImmediate(() => waiting.splice(0).forEach((answer) => answer()));
    },
    limits: {},
    act: async (open) => {
      const { socket: another } = await open();
      another.write(askFor('/another'));
      await expect.poll(() => begun).toHaveProperty('/another');
      const { socket } = await open();
      socket.write(askFor('/first') + askFor('/ahead'));
      await heard(socket, (text) => text.endsWith('/ahead'));
    },
  });
  expect(begun).toEqual({ '/another': 'nobody', '/first': 'nobody', '/ahead': 'nobody' });
});

test('nothing is done any more of what a client sent ahead that went away', async () => {
  const begun: (string | undefined)[] = [];
  await talk({
    listener: ({ url, socket }) => {
      begun.push(url);
      if (url === '/1') socket.destroy();
    },
    limits: {},
    act: async (open) => {
      const { socket } = await open();
      socket.write(askFor('/1') + askFor('/2'));
      await heard(socket);
      const { socket: another } = await open();
      another.write(askFor('/3'));
      await expect.poll(() => begun).toContain('/3');
    },
  });
  expect(begun).toEqual(['/1', '/3']);
});
