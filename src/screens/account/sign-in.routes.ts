import { type Context, Hono } from 'hono';
import { publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { countForNetwork, type GuessLimit, type NetworkLimits } from '../../limits/guess-limit.ts';
import { signIn } from '../../modules/accounts/sign-in/sign-in.ts';
import type { UserProfile } from '../../modules/accounts/user.queries.ts';
import { hasStoppedThings } from '../../oauth/stopped/stopped-thing.queries.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendOpenPage, sendPage } from '../kit/page-response.ts';
import { localPath } from '../kit/paths.ts';
import { outcomeOf, sendForm } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { isJson, keptFields, readJsonTexts } from '../kit/request.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { resumePage } from './kept-form.ts';
import { signInPage } from './sign-in-page.ts';
import { STOPPED_PATH } from './stopped-page.ts';
import { authForm, authWords } from './words/auth-words.ts';

export interface SignInSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  readonly networkLimits: NetworkLimits;
  /** Whether the demo is for this visitor: the page then says how its users sign in. */
  readonly showsDemo: (c: Context) => boolean;
  /**
   * The password that all of them have, and that everybody knows: it lets in nobody from outside of the demo.
   * Undefined: there is none.
   */
  readonly demoPassword: string | undefined;
}

interface Typed {
  readonly email: string;
  readonly returnTo: string;
  /** A form that waits. */
  readonly kept?: string;
  /** Somebody who is signed in already may not just go on. */
  readonly mustSignIn?: boolean;
  /** The name of the notice about the page before. */
  readonly done?: string | undefined;
}

/** `/auth/login`: the page, its form, and the same for a script that sends JSON. */
export function signInRoutes(settings: SignInSettings): Hono {
  const { visitors } = settings;
  const routes = new Hono();
  routes.get('/auth/login', (c) => {
    const { return_to: returnTo, login_hint: email = '', prompt } = c.req.query();
    const done = visitors.doneBefore(c);
    const mustSignIn = prompt === 'login';
    return show(c, { email, returnTo: localPath(returnTo, settings.publicUrl), mustSignIn, done });
  });
  routes.post('/auth/login', (c) => (isJson(c.req.raw) ? signInByJson(c) : signInByForm(c)));
  return routes;

  async function signInByForm(c: Context): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, 'sign-in');
    const email = form.get('email') ?? '';
    const returnTo = localPath(form.get('return_to'), settings.publicUrl);
    const kept = form.get('kept') ?? '';
    const act = () => enter(c, email, form.get('password') ?? '');
    const { problem, result: user } = await outcomeOf(forgery, act);
    if (problem) return show(c, { email, returnTo, kept }, problem);
    const isOver = keptFields(kept).length === 0 || returnTo === '/';
    // A user who comes back after a new password sees first what has stopped by that.
    const first = returnTo === '/' && user && (await hasStoppedThings(settings.em.fork(), user.id));
    return isOver
      ? seeOther(c, first ? STOPPED_PATH : returnTo)
      : sendPage(c, resumePage({ viewer: user, path: returnTo, kept, locale: localeOf(c) }));
  }

  async function signInByJson(c: Context): Promise<Response> {
    visitors.requireOwnScript(c);
    const { email, password } = await readJsonTexts(c.req.raw, ['email', 'password']);
    const { id, name, username, email: address } = await enter(c, email, password);
    return c.json({ user: { id: publicId('user', id), name, username, email: address } }, 200, {
      'Cache-Control': 'no-store',
    });
  }

  async function enter(c: Context, email: string, password: string): Promise<UserProfile> {
    const address = settings.addressOf(c);
    if (password === settings.demoPassword && !settings.showsDemo(c)) throw demoIsElsewhere();
    await countForNetwork(settings.networkLimits.signIns, address);
    const signedIn = await signIn(settings.em.fork(), settings.passwordGuesses, { email, password, address });
    await visitors.signIn(c, signedIn);
    return signedIn.user;
  }

  async function show(c: Context, typed: Typed, problem?: Problem): Promise<Response> {
    const viewer = await visitors.viewerOf(c.req.raw);
    const locale = localeOf(c);
    const page = signInPage({
      email: typed.email,
      returnTo: typed.returnTo,
      kept: typed.kept ?? '',
      csrf: visitors.formToken(c, 'sign-in'),
      mistakes: mistakesIn(locale, problem, authForm(locale)),
      viewer: typed.mustSignIn || problem ? undefined : viewer,
      hasDemoData: settings.showsDemo(c),
      done: typed.done === 'password' ? authWords(locale).signIn.newPasswordSet : undefined,
      locale,
    });
    return problem ? sendForm(c, page, problem) : sendOpenPage(c, viewer, page);
  }
}

function demoIsElsewhere(): Problem {
  return new Problem(
    'WRONG_CREDENTIALS',
    'The password of the demo works on this machine alone. Who runs the service opens the demo to others by SEED_DEMO=on.',
  );
}
