import { type Context, Hono } from 'hono';
import { pageRequest } from '../core/page.ts';
import type { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import type { GuessLimit } from '../limits/guess-limit.ts';
import { endOtherSessions, revokeSession } from '../modules/accounts/end-session.ts';
import { type FoundSession, findSessions } from '../modules/accounts/session.queries.ts';
import type { Aftermath } from '../oauth/authorization-server.ts';
import { changePasswordWithGrants } from '../oauth/change-password.ts';
import { ACCOUNT_PATH, accountPage } from '../pages/account-page.ts';
import { seeOther, sendPage } from './page-response.ts';
import { problemOf, retryHeaders, statusOf } from './problem-response.ts';
import { signedIn } from './signed-in.ts';
import { type AddressOf, asViewer, type Visitors } from './visitors.ts';

export interface AccountPageSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  /** What follows when apps lose their access with the old password. */
  readonly authorizationServer: Aftermath;
}

const PASSWORD_FORM = 'change-password';
const SESSIONS_FORM = 'end-sessions';

const DONE = new Map([
  ['password', 'Your password was changed.'],
  ['sessions', 'The sessions were ended.'],
]);

/** `/settings/account`: a user's password and sessions. */
export function accountSettingsRoutes(settings: AccountPageSettings): Hono {
  const { em, visitors, addressOf, passwordGuesses, authorizationServer } = settings;
  const routes = new Hono();
  routes.get(
    ACCOUNT_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(`${ACCOUNT_PATH}/password`, signedIn(visitors, setPassword));
  routes.post(`${ACCOUNT_PATH}/sessions`, signedIn(visitors, endSessions));
  // For who had to sign in before the form was taken, and comes back.
  for (const part of ['password', 'sessions']) {
    routes.get(`${ACCOUNT_PATH}/${part}`, (c) => seeOther(c, ACCOUNT_PATH));
  }
  return routes;

  async function setPassword(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, PASSWORD_FORM);
    const change = {
      userId: session.userId,
      sessionId: session.id,
      currentPassword: form.get('currentPassword') ?? '',
      newPassword: form.get('newPassword') ?? '',
      endOtherSessions: form.has('endOtherSessions'),
      revokeApps: form.has('revokeApps'),
      address: addressOf(c),
    };
    const attempt = () => changePasswordWithGrants(em.fork(), passwordGuesses, authorizationServer, change);
    const problem = forgery ?? (await problemOf(attempt));
    return problem ? show(c, session, problem) : seeOther(c, `${ACCOUNT_PATH}?done=password`);
  }

  async function endSessions(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, SESSIONS_FORM);
    if (forgery) return show(c, session, forgery);
    const ended = form.get('end') ?? '';
    if (ended === 'others') await endOtherSessions(em.fork(), session.userId, session.id, addressOf(c));
    // One that is over already is as ended as the reader wants it.
    else await revokeSession(em.fork(), session.userId, ended, addressOf(c));
    return seeOther(c, `${ACCOUNT_PATH}?done=sessions`);
  }

  async function show(c: Context, session: FoundSession, problem?: Problem): Promise<Response> {
    const { after, done = '' } = c.req.query();
    const page = accountPage({
      viewer: asViewer(session),
      sessions: await findSessions(em.fork(), session.userId, pageRequest({ after }, 2)),
      currentSessionId: session.id,
      csrf: { password: visitors.formToken(c, PASSWORD_FORM), sessions: visitors.formToken(c, SESSIONS_FORM) },
      mistakes: problem?.mistakes ?? [],
      done: problem ? undefined : DONE.get(done),
    });
    return problem ? sendPage(c, page, statusOf(problem), retryHeaders(problem)) : sendPage(c, page);
  }
}
