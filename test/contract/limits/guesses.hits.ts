/** Secrets that can be guessed. A wrong guess is judged as wrong until there were too many. */
import { APP, basic, TOKEN_PATH } from '../../support/oauth-requests.ts';
import { type Hits, oneByOne } from './limit-hit.ts';

export const hits: Hits = {
  'password-guesses': (visit, limit) =>
    oneByOne(
      limit,
      () => visit.json('/auth/login', { email: 'ada@acme.test', password: 'not the password' }),
      '401 WRONG_CREDENTIALS',
    ),
  'calendar-account-guesses': async (visit, limit) => {
    const as = await visit.sessionOf('cyd@acme.test');
    const input = { username: 'grace@icloud.test', appPassword: 'app-password' };
    return oneByOne(limit, () => visit.mutation('appleCalendarAccountConnect', input, as), '200 NOT_REACHABLE');
  },
  'client-secret-guesses': (visit, limit) =>
    oneByOne(
      limit,
      () =>
        visit.form(
          TOKEN_PATH,
          { grant_type: 'refresh_token', refresh_token: 'none' },
          { authorization: basic(APP.client_id, 'not the secret') },
        ),
      '401 invalid_client',
    ),
  'client-guesses': (visit, limit) =>
    oneByOne(
      limit,
      (n) =>
        visit.form(
          TOKEN_PATH,
          { grant_type: 'refresh_token', refresh_token: 'none' },
          { authorization: basic(`made-up-${n}`, 'any secret') },
        ),
      '401 invalid_client',
    ),
};
