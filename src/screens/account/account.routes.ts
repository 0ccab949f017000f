/**
 * account/ is a user's own pages: signing up and in, a forgotten password, the settings of the account. It may import
 * kit/.
 */
import { type Context, Hono } from 'hono';
import type { Report } from '../../database/failure.ts';
import { routesOf } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { isJson } from '../kit/request.ts';
import type { Visitors } from '../kit/visitors.ts';
import type { AccountPageSettings } from './account-actions.ts';
import { accountSettingsRoutes } from './account-settings.routes.ts';
import { confirmEmailRoutes } from './confirm-email.routes.ts';
import { type ForgottenPasswordSettings, forgottenPasswordRoutes } from './forgotten-password.routes.ts';
import { type HomeSettings, homePage } from './home.ts';
import { type SignInSettings, signInRoutes } from './sign-in.routes.ts';
import { signOutPage } from './sign-out-page.ts';
import { type SignUpSettings, signUpRoutes } from './sign-up.routes.ts';
import { type StoppedSettings, stoppedRoutes } from './stopped.routes.ts';

export interface AccountSettings
  extends SignInSettings,
    SignUpSettings,
    ForgottenPasswordSettings,
    AccountPageSettings,
    StoppedSettings,
    HomeSettings {
  readonly report: Report;
}

/** The start page, signing in, up and out, the links of mails, and the user's own settings. */
export function accountRoutes(settings: AccountSettings): Hono {
  const { visitors } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(settings.report));
  routes.route('/', routesOf(settings, [homePage(settings)]));
  routes.route('/', signInRoutes(settings));
  routes.route('/', signUpRoutes(settings));
  routes.route('/', confirmEmailRoutes(settings));
  routes.route('/', forgottenPasswordRoutes(settings));
  routes.route('/', accountSettingsRoutes(settings));
  routes.route('/', stoppedRoutes(settings));
  routes.get('/auth/logout', (c) => showSignOut(c, visitors, 200));
  routes.post('/auth/logout', (c) => signOut(c, visitors));
  return routes;
}

async function showSignOut(c: Context, visitors: Visitors, status: 200 | 403): Promise<Response> {
  const viewer = await visitors.viewerOf(c.req.raw);
  const page = signOutPage({ viewer, csrf: visitors.formToken(c, 'sign-out'), locale: localeOf(c) });
  return sendPage(c, page, status);
}

/** A form, or JSON from a script, which another site's page cannot send. */
async function signOut(c: Context, visitors: Visitors): Promise<Response> {
  if (isJson(c.req.raw)) {
    visitors.requireOwnScript(c);
    await visitors.signOut(c);
    return c.body(null, 204);
  }
  const { forgery } = await visitors.readForm(c, 'sign-out');
  if (forgery) return showSignOut(c, visitors, 403);
  await visitors.signOut(c);
  return seeOther(c, '/auth/logout');
}
