import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/core/problem.ts';
import { TooManyGuesses } from '../../src/limits/guess-limit.ts';
import { setLocale } from '../../src/screens/kit/page-locale.ts';
import { PAGE_HEADERS } from '../../src/screens/kit/page-response.ts';
import { answerElsewhere, answerErrors, answerTooMany } from '../../src/screens/kit/problem-response.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const SCRIPT = { accept: 'application/json' };

describe.each([
  ['a page', BROWSER],
  ['JSON', SCRIPT],
])('as %s', (_, headers) => {
  test.each<[string, unknown, number, string, string | null]>([
    ['a mistake', new Problem('REQUIRED', 'The name is empty.'), 422, 'The name is empty.', null],
    ['too many tries', new TooManyGuesses(61), 429, 'wait 2 minutes', '61'],
    ['a busy service', new Problem('BUSY', 'Later.'), 503, 'Later.', '2'],
    ['a database that is away', Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 503, 'database', '5'],
    ['a fault of ours', new Error('secret'), 500, 'on our side', null],
  ])('%s is told', async (__, error, status, text, retryAfter) => {
    const { routes } = failingWith(error);
    const response = await routes.request('/', { headers });
    const body = await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(body).toContain(text);
    expect(body).not.toContain('secret');
    for (const [name, value] of Object.entries(PAGE_HEADERS)) expect(response.headers.get(name)).toBe(value);
    expect(body.startsWith('{"error":{"code":"')).toBe(headers === SCRIPT);
  });

  test('a missing page is reported', async () => {
    const response = await failingWith(new Error('x')).routes.request('/nowhere', { headers });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('nothing at this address');
  });

  test('another method is told which ones there are', async () => {
    const { routes } = failingWith(new Error('x'));
    routes.get('/forms/:id', (c) => c.text('a form')).post((c) => c.text('done'));
    const response = await routes.request('/forms/1', { method: 'DELETE', headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD');
    expect(await response.text()).toContain('not DELETE');
    expect((await routes.request('/forms/1', { headers })).status).toBe(200);
  });
});

describe('in German', () => {
  const GERMAN = { ...BROWSER, 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };

  test.each<[string, unknown, RegExp]>([
    ['a mistake', new Problem('NOT_FOUND', 'There is no such thing.'), /Das gibt es nicht oder nicht mehr\./],
    ['too many tries', new TooManyGuesses(61), /Das waren zu viele Versuche\. Bitte warten Sie 2 Minuten\./],
    ['a page of another site', new Problem('FOREIGN_REQUEST', 'Another site.'), /Seite eines anderen Anbieters/],
    ['a database that is away', Object.assign(new Error(), { code: 'ECONNREFUSED' }), /gerade nicht erreichbar/],
    ['a fault of ours', new Error('secret'), /nennen Sie bitte diese Nummer: [0-9a-f-]{36}/],
  ])('%s is told to a person, and to a program in English', async (_, error, text) => {
    const { routes } = failingWith(error);
    const page = await (await routes.request('/', { headers: GERMAN })).text();
    expect(page).toMatch(text);
    expect(page).toContain('<html lang="de">');
    const json = await (await routes.request('/', { headers: { ...GERMAN, ...SCRIPT } })).text();
    expect(json).not.toMatch(text);
  });

  test('the language of a signed-in user goes before that of the browser', async () => {
    const { routes } = failingWith(new Problem('NOT_FOUND', 'There is no such thing.'));
    routes.get('/of/:locale', (c) => {
      setLocale(c.req.raw, c.req.param('locale'));
      throw new Problem('NOT_FOUND', 'There is no such thing.');
    });
    const langOf = async (path: string) =>
      /<html lang="(\w+)">/.exec(await (await routes.request(path, { headers: GERMAN })).text())?.[1];
    expect([await langOf('/'), await langOf('/of/en'), await langOf('/of/de-CH')]).toEqual(['de', 'en', 'de']);
  });

  test('too many requests', async () => {
    const { routes } = failingWith(new Error('x'));
    const verdict = { isAllowed: false, limit: 60, remaining: 0, resetInSeconds: 1 };
    routes.get('/busy', (c) => answerTooMany(c, verdict));
    const answer = await routes.request('/busy', { headers: GERMAN });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await answer.text()).toContain('mehr als 60 Anfragen in einer Minute. Bitte warten Sie 1 Sekunde und');
    const json = await routes.request('/busy', { headers: { ...GERMAN, ...SCRIPT } });
    expect(await json.json()).toMatchObject({
      error: { code: 'RATE_LIMITED', message: expect.stringContaining('Wait 1 second, then') },
    });
  });

  test('another method', async () => {
    const { routes } = failingWith(new Error('x'));
    const answer = await routes.request('/', { method: 'DELETE', headers: GERMAN });
    expect(await answer.text()).toContain('Diese Adresse nimmt GET, HEAD, aber nicht DELETE.');
  });
});

test('below /v2 what is not there is told as JSON to every caller', async () => {
  const { routes } = failingWith(new Error('x'));
  for (const headers of [BROWSER, SCRIPT, {}]) {
    const response = await routes.request('/v2/nowhere', { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('a fault of ours is reported under the id that the answer names, and nothing else is', async () => {
  const fault = new Error('ours');
  const { routes, reports } = failingWith(fault);
  const body = await (await routes.request('/', { headers: BROWSER })).text();
  expect(reports).toEqual([[fault, expect.stringMatching(/^[0-9a-f-]{36}$/)]]);
  expect(body).toContain(reports[0]?.[1]);
  const callers = failingWith(new Problem('NOT_FOUND', 'x'));
  await callers.routes.request('/');
  expect(callers.reports).toEqual([]);
});

function failingWith(error: unknown) {
  const reports: [error: unknown, id: string][] = [];
  const routes = new Hono();
  routes.use((_c, next) => next());
  routes.get('/', () => {
    throw error;
  });
  routes.onError(answerErrors((...report) => reports.push(report)));
  routes.notFound(answerElsewhere(routes, async () => undefined));
  return { routes, reports };
}
