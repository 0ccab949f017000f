/** Both doors answer clients' posts alike, to the byte of HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveCredentials, refreshOf } from '../flows/token-endpoint/token-requests.ts';
import { heard, SHORT, talk } from '../support/limited-talk.ts';
import { FORM, formOf, post, TOKEN_PATH } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { anotherNetwork, DOORS, type Door, openTwoDoors, type TwoDoors } from './two-doors.ts';
import { HOST, MANY_ON_A_WIRE, ONE_ON_A_WIRE } from './wire-requests.ts';

let doors: TwoDoors;
beforeAll(async () => {
  doors = await openTwoDoors();
});
afterAll(() => doors?.close());

const say = (door: Door, text: string, isEnough?: (heard: string) => boolean, limits = {}): Promise<string> =>
  talk({
    listener: doors[door].listener,
    limits,
    act: async (open) => {
      const { socket } = await open();
      socket.write(text.replaceAll(HOST, `${HOST}X-Forwarded-For: ${anotherNetwork()}\r\n`), 'latin1');
      return heard(socket, isEnough);
    },
  });
/** All answers, of each the names of headers without their case and order, which mean nothing, and no words for its status. */
const readable = (text: string): readonly unknown[] =>
  text.split(/(?=HTTP\/1\.1 \d)/).map((answer) => {
    const [head = '', ...rest] = answer.split('\r\n\r\n');
    const [line = '', ...headers] = head.split('\r\n');
    const named = headers.map((one) =>
      one.replace(/^date: .*/i, 'date').replace(/^[^:]+/, (name) => name.toLowerCase()),
    );
    return { status: Number(line.split(' ')[1]), headers: named.toSorted(), text: rest.join('\r\n\r\n') };
  });

test.each(MANY_ON_A_WIRE)('alike: %s', async (_, text, statuses) => {
  const [ordinary, fast] = [readable(await say('ordinary', text)), readable(await say('fast', text))];
  expect(fast).toEqual(ordinary);
  expect(fast).toMatchObject(statuses.map((status) => ({ status })));
});

/** The end of the JSON. */
const isAnswered = (soFar: string): boolean => /\r\n\r\n.*\}/s.test(soFar);

test.each(ONE_ON_A_WIRE)('alike: %s', async (_, text, status) => {
  const [ordinary, fast] = [
    readable(await say('ordinary', text, isAnswered)),
    readable(await say('fast', text, isAnswered)),
  ];
  expect(fast).toEqual(ordinary);
  expect(fast).toMatchObject([{ status }]);
});

test('a body that does not end is 408 in time, at both doors', async () => {
  const text = `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`;
  for (const door of DOORS) {
    expect(await say(door, text, undefined, { requestMilliseconds: SHORT })).toMatch(/^HTTP\/1\.1 408 /);
  }
});

test('a client that goes away within its body leaves nothing behind', async () => {
  const given = await giveCredentials(doors.ada);
  const before = await oauthRows(doors.fast.database.em);
  const body = formOf(refreshOf(given));
  await talk({
    listener: doors.fast.listener,
    limits: {},
    act: async (open) => {
      const { socket, closed } = await open();
      const head = `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}`;
      socket.write(`${head}\r\n\r\n${body.slice(0, -1)}`);
      socket.end();
      socket.destroy();
      await closed;
    },
  });
  expect(await oauthRows(doors.fast.database.em)).toEqual(before);
  expect((await post(doors.fast.url, refreshOf(given))).status).toBe(200);
});
