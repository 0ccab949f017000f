/**
 * account/ is a user's own pages: signing up and in, a forgotten password, the settings of the account. It may import
 * kit/.
 */
import { Hono } from 'hono';
import type { Report } from '../../database/failure.ts';
import { type PageSettings, routesOf } from '../kit/page.ts';
import { SIGN_IN_PATH } from '../kit/paths.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { type AccountPageSettings, accountSettingsPages } from './account-settings.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { type ForgottenPasswordSettings, forgottenPasswordPage, newPasswordPage } from './forgotten-password.ts';
import { type HomeSettings, homePage } from './home.ts';
import { type SignInSettings, signInByScript, signInPage } from './sign-in.ts';
import { SIGN_OUT_PATH, signOutByScript, signOutPage } from './sign-out.ts';
import { type SignUpSettings, signUpPage } from './sign-up.ts';
import { type StoppedSettings, stoppedPage } from './stopped.ts';

export interface AccountSettings
  extends PageSettings,
    HomeSettings,
    SignInSettings,
    SignUpSettings,
    ForgottenPasswordSettings,
    AccountPageSettings,
    StoppedSettings {
  readonly report: Report;
}

/** The start page, signing in, up and out, the links of mails, and the user's own settings. */
export function accountRoutes(settings: AccountSettings): Hono {
  const { visitors, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.post(SIGN_IN_PATH, signInByScript(settings));
  routes.post(SIGN_OUT_PATH, signOutByScript(visitors));
  const pages = [
    homePage(settings),
    signInPage(settings),
    signUpPage(settings),
    signOutPage(visitors),
    confirmEmailPage(settings),
    forgottenPasswordPage(settings),
    newPasswordPage(settings),
    ...accountSettingsPages(settings),
    stoppedPage(settings),
  ];
  return routes.route('/', routesOf(settings, pages));
}
