import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { countForNetwork, type GuessLimit, type NetworkLimits } from '../../limits/guess-limit.ts';
import { networkOf } from '../../limits/network.ts';
import type { RequestLimit } from '../../limits/request-limit.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { signIn } from '../../modules/accounts/sign-in/sign-in.ts';
import type { UserProfile } from '../../modules/accounts/user.queries.ts';
import { hasStoppedThings } from '../../oauth/stopped/stopped-thing.queries.ts';
import { formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { keptFields } from '../kit/form-through-sign-in.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, type OpenShowing, openPage, type PageSettings } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { sendOpenPage, sendPage } from '../kit/page-response.ts';
import { DEV_PATH, localPath, SIGN_IN_PATH, withReturn } from '../kit/paths.ts';
import { answerTooMany } from '../kit/problem-response.ts';
import { isJson, readJsonTexts } from '../kit/request.ts';
import type { AddressOf, AskToSignIn, Visitors } from '../kit/visitors.ts';
import { authForm, authWords } from './account-words.ts';
import { STOPPED_PATH } from './stopped.ts';

export interface SignInSettings {
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

/** `/auth/login`: somebody signs in, and goes on to where they were going. */
export function signInPage(settings: SignInSettings): DeclaredPage {
  return openPage({
    path: SIGN_IN_PATH,
    find: always,
    show: (showing) => show(showing, settings),
    forms: {
      signIn: {
        at: '',
        run: async (visit, _, form) => {
          const { c } = visit;
          const { email, returnTo, kept } = typedIn(form, settings);
          const user = await enter(visit.em, c, settings, { email, password: form.get('password') ?? '' });
          if (returnTo !== '/' && keptFields(kept).length > 0)
            return sendPage(c, resumeView({ viewer: user, path: returnTo, kept, locale: localeOf(c) }));
          // A user who comes back after a new password sees first what has stopped by that.
          const first = returnTo === '/' && (await hasStoppedThings(visit.em, user.id));
          return { to: first ? STOPPED_PATH : returnTo };
        },
      },
    },
  });
}

/** The same for a script, which sends JSON. */
export function signInByScript(settings: SignInSettings & PageSettings): MiddlewareHandler {
  return async (c, next) => {
    if (!isJson(c.req.raw)) return next();
    settings.visitors.requireOwnScript(c);
    const typed = await readJsonTexts(c.req.raw, ['email', 'password']);
    const { id, name, username, email } = await enter(settings.em.fork(), c, settings, typed);
    return c.json({ user: { id: publicId('user', id), name, username, email } }, 200, { 'Cache-Control': 'no-store' });
  };
}

/** @throws Problem */
async function enter(
  em: Em,
  c: Context,
  settings: SignInSettings,
  typed: { readonly email: string; readonly password: string },
): Promise<UserProfile> {
  const address = settings.addressOf(c);
  if (typed.password === settings.demoPassword && !settings.showsDemo(c)) throw demoIsElsewhere();
  await countForNetwork(settings.networkLimits.signIns, address);
  const signedIn = await signIn(em, settings.passwordGuesses, { ...typed, address });
  await settings.visitors.signIn(c, signedIn);
  return signedIn.user;
}

function demoIsElsewhere(): Problem {
  return new Problem(
    'WRONG_CREDENTIALS',
    'The password of the demo works on this machine alone. Who runs the service opens the demo to others by SEED_DEMO=on.',
  );
}

async function show(showing: OpenShowing<'signIn'>, settings: SignInSettings): Promise<Html | Response> {
  const { c, csrf, back, done } = showing;
  const { viewer, locale } = await showing.reader();
  const { mustSignIn, ...typed } = back ? typedIn(back.form, settings) : typedAt(c, settings);
  const view = signInView({
    ...typed,
    csrf: csrf.signIn,
    mistakes: showing.mistakes(authForm(locale)),
    viewer: mustSignIn ? undefined : viewer,
    hasDemoData: settings.showsDemo(c),
    done: done === 'password' ? authWords(locale).signIn.newPasswordSet : undefined,
    locale,
  });
  return back ? view : sendOpenPage(c, viewer, view);
}

interface Typed {
  readonly email: string;
  readonly returnTo: string;
  /** A form that waits. */
  readonly kept: string;
  /** Somebody who is signed in already may not just go on. */
  readonly mustSignIn: boolean;
}

function typedIn(form: URLSearchParams, { publicUrl }: SignInSettings): Typed {
  const returnTo = localPath(form.get('return_to'), publicUrl);
  return { email: form.get('email') ?? '', returnTo, kept: form.get('kept') ?? '', mustSignIn: true };
}

/** The address of the page may say who is to sign in, and where they go on. */
function typedAt(c: Context, { publicUrl }: SignInSettings): Typed {
  const { return_to: returnTo, login_hint: email = '', prompt } = c.req.query();
  return { email, returnTo: localPath(returnTo, publicUrl), kept: '', mustSignIn: prompt === 'login' };
}

interface SignInView {
  readonly csrf: string;
  /** The local path to which the user goes on after signing in. */
  readonly returnTo: string;
  /** A form that waits until its sender has signed in, as it is encoded; empty where none does. */
  readonly kept?: string;
  /** One was sent that is too large to wait. */
  readonly isLost?: boolean;
  /** The address that was typed before, or that an app has for its user. A password is never shown again. */
  readonly email: string;
  readonly mistakes: readonly Mistake[];
  /** The user who is signed in already: they may go on, or become somebody else. */
  readonly viewer: Viewer | undefined;
  /** The service runs with its demo data: says how to get in. */
  readonly hasDemoData: boolean;
  readonly done: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

function signInView(page: SignInView): Html {
  const { csrf, returnTo, kept = '', isLost = false, email, mistakes, viewer, hasDemoData, done, locale } = page;
  const { signIn: words, fields } = authWords(locale);
  const content = html`${doneNotice(done)}
    <article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      ${kept === '' ? '' : html`<p class="warning">${words.kept}</p>`}
      ${isLost ? html`<p class="warning">${words.lost}</p>` : ''}
      ${viewer ? html`<p>${words.already(viewer.email, viewer.name, returnTo)}</p>` : ''}
      <form method="post" action="${SIGN_IN_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('return_to', returnTo)}
        ${kept === '' ? '' : hiddenField('kept', kept)}
        ${textField({ name: 'email', label: fields.email, type: 'email', value: email, autocomplete: 'username' }, mistakes, true)}
        ${textField({ name: 'password', label: fields.password, type: 'password', autocomplete: 'current-password' }, mistakes)}
        <button type="submit">${words.title}</button>
      </form>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">${words.forgotten}</a></p>
      <p class="aside">${words.newHere(withReturn('/auth/signup', returnTo))}</p>
    </article>
    ${hasDemoData ? html`<p class="note">${words.demo('ada@acme.test', 'gatehouse-demo', DEV_PATH)}</p>` : ''}`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

/** The page on which a form waits until its sender has signed in. */
export const askToSignIn: AskToSignIn = (c, { csrf, returnTo, kept }) =>
  signInView({
    csrf,
    returnTo,
    kept: kept ?? '',
    isLost: kept === undefined,
    email: '',
    mistakes: [],
    viewer: undefined,
    hasDemoData: false,
    done: undefined,
    locale: localeOf(c),
  });

interface ResumeView {
  readonly viewer: Viewer;
  /** The local path that the form is sent to. */
  readonly path: string;
  readonly kept: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The page after signing in: the form that was typed before is sent when the user says so, and they see as whom. */
function resumeView({ viewer, path, kept, locale }: ResumeView): Html {
  const { goOn: words, signedInAs } = authWords(locale);
  const content = html`<article>
      <h1>${words.title}</h1>
      <p>${words.kept}</p>
      <p>${signedInAs(viewer.name, viewer.email)}</p>
      <form method="post" action="${path}">
        ${keptFields(kept).map(([name, value]) => hiddenField(name, value))}
        <button type="submit">${words.send}</button>
      </form>
      <p class="aside"><a href="${path}">${words.leave}</a></p>
    </article>`;
  return layout({ title: words.title, content, shape: 'card', locale });
}

export interface AuthLimitSettings {
  readonly addressOf: AddressOf;
  readonly requests: RequestLimit;
  /** How many requests a minute one network may send. */
  readonly rate: number;
}

/** Counts requests to the pages on which people sign in, whatever they hold, by the network that they come from. */
export function limitNetworks({ addressOf, requests, rate }: AuthLimitSettings): MiddlewareHandler {
  return async (c, next) => {
    const verdict = await requests.take([{ key: `auth ${networkOf(addressOf(c))}`, limit: rate }]);
    if (verdict.isAllowed) return next();
    return answerTooMany(c, verdict);
  };
}
