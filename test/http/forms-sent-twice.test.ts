/** An answer to a form is repeated to its sender when the form comes twice, and little is kept for that. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { answerTwiceAlike } from '../../src/http/forms-sent-twice.ts';
import { Cookies } from '../../src/screens/kit/cookies.ts';
import { readForm } from '../../src/screens/kit/request.ts';

const cookies = new Cookies('http://localhost:4000');
const SESSIONS = { ada: 'a'.repeat(43), bob: 'b'.repeat(43) } as const;

/** Takes a form once; `sign-in` gives the session of its name with that. */
function taken() {
  const done = new Set<string>();
  const routes = new Hono();
  routes.use(answerTwiceAlike(cookies));
  routes.post('/:action', async (c) => {
    const text = String(await readForm(c.req.raw));
    if (text === 'never=1' || done.has(text)) return c.text('Nothing was done.', 409);
    done.add(text);
    if (c.req.param('action') === 'sign-in') cookies.setSessionToken(c, SESSIONS.ada);
    return c.redirect('/done', 303);
  });
  return async (text: string, session?: keyof typeof SESSIONS, path = '/save') => {
    const held = session === undefined ? '' : `; gatehouse_session=${SESSIONS[session]}`;
    const headers = {
      cookie: `gatehouse_browser=${'x'.repeat(43)}${held}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    return (await routes.request(path, { method: 'POST', headers, body: text })).status;
  };
}

describe('a form that comes twice', () => {
  test('is answered alike in the session that has sent it, and in no other', async () => {
    const send = taken();
    expect([await send('a=1', 'ada'), await send('a=1', 'ada')]).toEqual([303, 303]);
    expect([await send('a=1', 'bob'), await send('a=1')]).toEqual([409, 409]);
  });

  test('is answered alike when it has signed its sender in', async () => {
    const send = taken();
    expect(await Promise.all([send('a=1', undefined, '/sign-in'), send('a=1', undefined, '/sign-in')])).toEqual([
      303, 303,
    ]);
    expect([await send('a=1', 'ada', '/sign-in'), await send('a=1', 'bob', '/sign-in')]).toEqual([303, 409]);
  });

  test('costs the same however often it is refused', async () => {
    const send = taken();
    // Keeping something of each request made a process slower with each: 20,000 took minutes.
    for (let round = 0; round < 200; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => send('never=1')));
      expect(new Set(statuses)).toEqual(new Set([409]));
    }
  });
});
