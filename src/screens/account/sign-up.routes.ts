import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { countForNetwork, type NetworkLimits } from '../../limits/guess-limit.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { type Furnish, signUp } from '../../modules/accounts/sign-in/sign-up.ts';
import { preferredLanguage } from '../kit/page-locale.ts';
import { SCRIPTED_HEADERS, seeOther, sendOpenPage } from '../kit/page-response.ts';
import { localPath, WELCOME_PATH } from '../kit/paths.ts';
import { problemOf, sendForm } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { signUpPage } from './sign-up-page.ts';
import { authForm } from './words/auth-words.ts';

export interface SignUpSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  readonly networkLimits: NetworkLimits;
  readonly accountMails: AccountMails;
  /** Gives a new account its first things. */
  readonly furnish: Furnish;
}

interface Typed {
  readonly timeZone: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
}

const NOTHING_TYPED: Typed = { timeZone: '', name: '', username: '', email: '' };

/** `/auth/signup`: the page and its form. A visitor who signs up is signed in. */
export function signUpRoutes(settings: SignUpSettings): Hono {
  const { visitors } = settings;
  const routes = new Hono();
  routes.get('/auth/signup', (c) => {
    const { return_to: returnTo, login_hint: email = '' } = c.req.query();
    return show(c, { ...NOTHING_TYPED, email }, localPath(returnTo, settings.publicUrl));
  });
  routes.post('/auth/signup', async (c) => {
    const { form, forgery } = await visitors.readForm(c, 'sign-up');
    const typed = typedIn(form);
    const returnTo = localPath(form.get('return_to'), settings.publicUrl);
    const problem = forgery ?? (await problemOf(() => enrol(c, typed, form)));
    if (problem) return show(c, typed, returnTo, problem);
    return seeOther(c, returnTo === '/' ? WELCOME_PATH : returnTo);
  });
  return routes;

  async function enrol(c: Context, typed: Typed, form: URLSearchParams): Promise<void> {
    const address = settings.addressOf(c);
    await countForNetwork(settings.networkLimits.signUps, address);
    const timeZone = typed.timeZone || undefined;
    const locale = preferredLanguage(c.req.header('accept-language'));
    const input = { ...typed, password: form.get('password') ?? '', timeZone, locale, address };
    const signedUp = await signUp(settings.em.fork(), input, settings.furnish);
    await visitors.signIn(c, signedUp);
    settings.accountMails.welcome(signedUp.user, address);
  }

  async function show(c: Context, typed: Typed, returnTo: string, problem?: Problem): Promise<Response> {
    const csrf = visitors.formToken(c, 'sign-up');
    const locale = await visitors.localeOf(c);
    const page = signUpPage({ csrf, returnTo, typed, mistakes: mistakesIn(locale, problem, authForm(locale)), locale });
    if (problem) return sendForm(c, page, problem, SCRIPTED_HEADERS);
    return sendOpenPage(c, undefined, page, 200, SCRIPTED_HEADERS);
  }
}

function typedIn(form: URLSearchParams): Typed {
  const text = (name: string): string => form.get(name) ?? '';
  return { timeZone: text('timeZone'), name: text('name'), username: text('username'), email: text('email') };
}
