/** How long a client may take: the same server with shorter times. */
import { setTimeout as pause } from 'node:timers/promises';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../../src/http/limited-server.ts';
import { ASK, heard, LARGE, large, SHORT, small, type Talk, talk } from '../../support/limited-talk.ts';
import type { Hit, Hits, Outcome } from './limit-hit.ts';

const CLOSED: Outcome = outcome(0, 'closed');
const isAnswered = (text: string): boolean => text.endsWith('small');

function outcome(status: number, text: string): Outcome {
  return { status, code: undefined, retryAfterInSeconds: undefined, text: text.slice(0, 200) };
}

function answered(text: string): Outcome {
  return outcome(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text);
}

/** The page says what the server has, in this unit; a server with less says what comes of it. */
function hit(name: keyof ConnectionLimits, unit: number, within: Talk<Outcome>, beyond: Talk<Outcome>): Hit {
  return async (_visit, { amount }) => {
    const has = CONNECTION_LIMITS[name];
    if (has !== amount * unit) throw new Error(`${name} is ${has}, and not ${amount * unit} as on the page.`);
    return { within: await talk(within), beyond: await talk(beyond) };
  };
}

const askOnce = (limits: Partial<ConnectionLimits>): Talk<Outcome> => ({
  listener: small,
  limits,
  act: async (open) => {
    const { socket } = await open();
    socket.write(ASK);
    return answered(await heard(socket, isAnswered));
  },
});

/** Asks for much and reads nothing; or sends something now and then, so that the connection is not idle. */
const readNothing = (limits: Partial<ConnectionLimits>, isChatty = false): Talk<Outcome> => ({
  listener: large,
  limits,
  act: async (open) => {
    const { socket, closed } = await open();
    socket.write(ASK);
    const chat = isChatty ? setInterval(() => socket.write(ASK), SHORT / 10) : undefined;
    await closed;
    clearInterval(chat);
    return CLOSED;
  },
});

/** Asks again, so long after the first answer, on the same connection. */
const askAgainAfter = (milliseconds: number, limits: Partial<ConnectionLimits>): Talk<Outcome> => ({
  listener: small,
  limits,
  act: async (open) => {
    const { socket, closed } = await open();
    socket.write(ASK);
    await heard(socket, isAnswered);
    const isClosed = await Promise.race([closed.then(() => true), pause(milliseconds, false)]);
    if (isClosed) return CLOSED;
    socket.write(ASK);
    return answered(await heard(socket, isAnswered));
  },
});

/** The first is being answered, and so many wait. */
const sendAhead = (count: number, limits: Partial<ConnectionLimits>): Talk<Outcome> => ({
  listener: (_request, response) => void setImmediate(() => response.end('small')),
  limits,
  act: async (open) => {
    const { socket } = await open();
    socket.write(ASK.repeat(1 + count));
    return answered(await heard(socket, (text) => text.split('small').length === count + 2));
  },
});

const openMany = (count: number, limits: Partial<ConnectionLimits>): Talk<Outcome> => ({
  ...askOnce(limits),
  act: async (open) => {
    for (let opened = 1; opened < count; opened += 1) await open();
    return askOnce(limits).act(open);
  },
});

/** To a server that takes so many bytes of bodies as fit into 20,000. */
const sendBody = (bytes: number): Talk<Outcome> => ({
  listener: small,
  limits: { bodyBytes: 20_000 },
  act: async (open) => {
    const { socket } = await open();
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);
    const text = await heard(socket, (said) => isAnswered(said) || said.includes('"errors"'));
    const code = /"code":"(\w+)"/.exec(text)?.[1];
    const retryAfter = /retry-after: (\d+)/i.exec(text)?.[1];
    return { ...answered(text), code, retryAfterInSeconds: retryAfter === undefined ? undefined : Number(retryAfter) };
  },
});

const withRequestTime = { requestMilliseconds: SHORT };
const withIdleTime = { idleMilliseconds: SHORT };
const withKeptAlive = { keptAliveMilliseconds: SHORT };
const withAnswerTime = { answerMilliseconds: SHORT };
const withWaiting = { pipelinedRequests: 20 };
const withConnections = { connections: 3 };

export const hits: Hits = {
  'request-time': hit('requestMilliseconds', 1_000, askOnce(withRequestTime), {
    listener: small,
    limits: withRequestTime,
    act: async (open) => {
      const { socket } = await open();
      socket.write('GET / HTTP/1.1\r\nHost: local');
      return answered(await heard(socket));
    },
  }),
  'idle-time': hit('idleMilliseconds', 1_000, askOnce(withIdleTime), readNothing(withIdleTime)),
  'kept-alive': hit(
    'keptAliveMilliseconds',
    1_000,
    askAgainAfter(SHORT / 3, withKeptAlive),
    askAgainAfter(20 * SHORT, withKeptAlive),
  ),
  'answer-time': hit('answerMilliseconds', 1_000, askOnce(withAnswerTime), readNothing(withAnswerTime, true)),
  'pipelined-requests': hit('pipelinedRequests', 1, sendAhead(20, withWaiting), sendAhead(21, withWaiting)),
  'unread-bytes': hit(
    'unreadBytes',
    1,
    askOnce({ unreadBytes: LARGE.length / 2 }),
    readNothing({ unreadBytes: LARGE.length / 2 }),
  ),
  'body-bytes': hit('bodyBytes', 1, sendBody(20_000), sendBody(20_001)),
  connections: hit('connections', 1, openMany(3, withConnections), openMany(4, withConnections)),
};
