import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const FIELDS = 'me { name username email timeZone weekStart timeFormat locale bio avatarUrl metadata }';

describe('a profile is changed', () => {
  test('in what the patch names, and in nothing else', async () => {
    const dan = api.as('dan');
    const before = (await dan.ask(`{ ${FIELDS} }`)).data.me;
    const { data, mistakes } = await dan.change('profileUpdate', { name: 'Daniel', bio: 'Hello.' }, FIELDS);
    expect(mistakes).toEqual([]);
    expect(data.me).toEqual({ ...before, name: 'Daniel', bio: 'Hello.' });
    expect((await dan.ask(`{ ${FIELDS} }`)).data.me).toEqual(data.me);
    expect((await dan.change('profileUpdate', { bio: null }, FIELDS)).data.me).toEqual({ ...before, name: 'Daniel' });
  });

  test('in the hours on the clock, which are those of an enum', async () => {
    const writer = api.as('cyd');
    for (const timeFormat of ['H12', 'H24']) {
      const { data } = await writer.change('profileUpdate', { timeFormat }, FIELDS);
      expect(data.me).toMatchObject({ timeFormat });
    }
    expect((await writer.change('profileUpdate', { timeFormat: 12 })).codes).toEqual(['BAD_USER_INPUT']);
  });

  test('with all mistakes told at once', async () => {
    const wrong = { name: null, timeZone: 'Mars/Olympus', avatarUrl: 'http://example.test/a.png' };
    const { mistakes } = await api.as('dan').change('profileUpdate', wrong);
    expect(mistakes.toSorted()).toEqual(['INVALID_TIME_ZONE timeZone', 'INVALID_URL avatarUrl', 'REQUIRED name']);
  });

  test('to a name that is no advertisement', async () => {
    const dan = api.as('dan');
    const advertised = await dan.change('profileUpdate', { name: 'Dan www.evil.example' });
    expect(advertised.mistakes).toEqual(['INVALID_TEXT name']);
    expect((await dan.change('profileUpdate', { name: 'Dan of ACME.io' })).mistakes).toEqual([]);
  });

  test('to a username that nobody else has', async () => {
    expect((await api.as('dan').change('profileUpdate', { username: 'ada' })).mistakes).toEqual([
      'USERNAME_TAKEN username',
    ]);
    expect((await api.as('dan').change('profileUpdate', { username: 'daniel' })).mistakes).toEqual([]);
  });

  test('twice in one operation, each showing what it did', async () => {
    const { data } = await api
      .as('cyd')
      .ask(
        'mutation { a: profileUpdate(input: { name: "One" }) { me { name } } b: profileUpdate(input: { name: "Two" }) { me { name } } }',
      );
    expect(data).toEqual({ a: { me: { name: 'One' } }, b: { me: { name: 'Two' } } });
  });

  test('by PROFILE_WRITE, and shown by PROFILE_READ', async () => {
    const writer = api.as('cyd', ['PROFILE_WRITE']);
    expect((await writer.change('profileUpdate', { name: 'Cyd' })).codes).toEqual([]);
    expect((await writer.change('profileUpdate', { name: 'Cyd' }, 'me { name }')).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    expect((await api.as('cyd', ['PROFILE_READ']).change('profileUpdate', { name: 'Cyd' })).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
  });
});
