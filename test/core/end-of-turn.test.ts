import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { atEndOfTurn } from '../../src/core/turns.ts';
import { askFor, heard, talk } from '../support/limited-talk.ts';

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

test('work that is left until the end of a turn is done then, in its order, whatever is awaited before', async () => {
  const done: number[] = [];
  for (const n of [1, 2, 3]) atEndOfTurn(() => done.push(n));
  await Promise.resolve();
  await new Promise((resolve) => process.nextTick(resolve));
  expect(done).toEqual([]);
  await endOfTurn();
  expect(done).toEqual([1, 2, 3]);
});

test('the sixteenth waits no longer, and nothing is done twice', async () => {
  const done: number[] = [];
  const add = (n: number): void => atEndOfTurn(() => done.push(n));
  for (let n = 1; n < 16; n += 1) add(n);
  expect(done).toEqual([]);
  add(16);
  const first = Array.from({ length: 16 }, (_, index) => index + 1);
  expect(done).toEqual(first);
  add(17);
  expect(done).toEqual(first);
  await endOfTurn();
  expect(done).toEqual([...first, 17]);
  await endOfTurn();
  expect(done).toEqual([...first, 17]);
});

test.each([1, 16])('work that %i add while theirs is done is done in a later turn', async (count) => {
  const done: string[] = [];
  for (let n = 0; n < count; n += 1) {
    atEndOfTurn(() => {
      done.push('first');
      atEndOfTurn(() => done.push('second'));
    });
  }
  await endOfTurn();
  await endOfTurn();
  await endOfTurn();
  expect(done.toSorted()).toEqual([...Array(count).fill('first'), ...Array(count).fill('second')]);
});

/** Answers three clients in one turn; meanwhile something happens to the second. */
async function answersWith(happens: (bad: ServerResponse, socket: Socket) => void): Promise<readonly string[]> {
  const waiting = new Map<string, ServerResponse>();
  return talk({
    listener: ({ url = '' }, response) => {
      waiting.set(url, response);
      if (waiting.size < 3) return;
      for (const name of ['/1', '/2', '/3']) {
        const one = waiting.get(name) as ServerResponse;
        one.writeHead(200, { 'content-length': 5 });
        const { socket } = one.req;
        if (name === '/2') happens(one, socket);
        atEndOfTurn(() => one.end(`good${name[1]}`, 'latin1'));
      }
    },
    limits: {},
    act: async (open) => {
      const heardBy = ['/1', '/2', '/3'].map(async (path) => {
        const { socket, closed } = await open();
        socket.write(askFor(path));
        return Promise.race([heard(socket, (text) => /good\d$/.test(text)), closed.then(() => 'closed')]);
      });
      const texts = await Promise.all(heardBy);
      await endOfTurn();
      return texts.map((text) => text.slice(text.lastIndexOf('\n') + 1));
    },
  });
}

describe('when answers wait for the end of the turn,', () => {
  const failures: unknown[] = [];
  const onFailure = (error: unknown): unknown => failures.push(error);
  const others = process.listeners('uncaughtException');
  beforeEach(() => {
    failures.length = 0;
    process.removeAllListeners('uncaughtException').on('uncaughtException', onFailure);
  });
  afterEach(() => {
    process.off('uncaughtException', onFailure);
    for (const listener of others) process.on('uncaughtException', listener);
  });

  test('each is sent', async () => {
    expect(await answersWith(() => undefined)).toEqual(['good1', 'good2', 'good3']);
    expect(failures).toEqual([]);
  });

  test.each<[string, (bad: ServerResponse, socket: Socket) => void]>([
    ['was destroyed', (bad) => void bad.destroy()],
    ['has lost its connection', (_bad, socket) => void socket.destroy()],
    ['has its connection reset', (_bad, socket) => void socket.resetAndDestroy()],
    ['was ended too early', (bad, socket) => void bad.end('x', () => socket.destroy())],
    ['was promised longer', (bad, socket) => void bad.write('xx', () => setTimeout(() => socket.destroy(), 20))],
  ])('one that %s costs the others nothing', async (_what, happens) => {
    const [before, , after] = await answersWith(happens);
    expect([before, after]).toEqual(['good1', 'good3']);
    expect(failures).toEqual([]);
  });

  test('none is lost when the server closes meanwhile', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 4 });
      atEndOfTurn(() => response.end('good'));
      server.close();
      server.closeIdleConnections();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const text = heard(socket, (soFar) => soFar.endsWith('good'));
    socket.write(askFor('/'));
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ngood$/);
    socket.destroy();
  });
});
