import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { findAuthorizedApp, findAuthorizedApps, namedGrant, revokeApp } from '../../oauth/grants/authorized-apps.ts';
import { isolated } from '../kit/layout.ts';
import { signedIn } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { confirmPage } from '../kit/question.ts';
import { asViewer } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import { APPS_PATH, appsPage, revokePath } from './apps-page.ts';
import type { AuthorizeSettings } from './authorize.routes.ts';
import { consentWords } from './words/consent-words.ts';

const REVOKE = `${APPS_PATH}/:clientId/revoke`;
const FORM = 'revoke-app';

/** `/settings/apps`: the apps that a user let in, and ending what they were granted. */
export function authorizedAppsRoutes(settings: AuthorizeSettings, after: Aftermath): Hono {
  const { em, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(
    APPS_PATH,
    signedIn(visitors, async (c, session) => {
      const { after: cursor } = c.req.query();
      const apps = await findAuthorizedApps(em.fork(), session.userId, pageRequest({ after: cursor }, ['TEXT']));
      const clock = { ...clockOf(await findUser(em.fork(), session.userId)), locale: localeOf(c) };
      const message = visitors.doneBefore(c) === 'revoked' ? consentWords(clock.locale).revoke.done : undefined;
      return sendPage(c, appsPage({ viewer: asViewer(session), apps, done: message, clock }));
    }),
  );
  routes.get(
    REVOKE,
    signedIn(visitors, (c, session) => ask(c, session)),
  );
  routes.post(REVOKE, signedIn(visitors, revoke));
  return routes;

  async function ask(c: Context, session: FoundSession, problem?: Problem): Promise<Response> {
    const { clientId, grantId } = targetOf(c);
    const app = await findAuthorizedApp(em.fork(), session.userId, clientId);
    // Ended already, in another tab or by the app itself: there is nothing left to confirm.
    if (!app) return seeOther(c, APPS_PATH);
    const locale = localeOf(c);
    const { revoke: words } = consentWords(locale);
    const { title, what } = grantId === undefined ? words.all : words.one;
    const page = confirmPage({
      viewer: asViewer(session),
      title: title(isolated(app.name)),
      explanation: what,
      button: words.button,
      action: revokePath(clientId, grantId),
      csrf: visitors.formToken(c, FORM),
      backPath: APPS_PATH,
      mistakes: mistakesIn(locale, problem),
      locale,
    });
    return sendPage(c, page, problem ? statusOf(problem) : 200);
  }

  async function revoke(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, FORM);
    if (forgery) return ask(c, session, forgery);
    const { clientId, grantId: named } = targetOf(c);
    const grantId = named === undefined ? undefined : namedGrant(named);
    await revokeApp(em.fork(), after, { clientId, grantId, userId: session.userId, address: addressOf(c) });
    return visitors.leadTo(c, APPS_PATH, 'revoked');
  }
}

function targetOf(c: Context) {
  return { clientId: c.req.param('clientId') ?? '', grantId: c.req.query('grant') };
}
