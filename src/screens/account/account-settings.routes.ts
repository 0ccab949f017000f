import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { findHeldNotices, findHeldWelcome } from '../../limits/held-notices.ts';
import { findPendingEmail } from '../../modules/accounts/links/account-links.ts';
import { type FoundSession, findSessions } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser, type UserProfile } from '../../modules/accounts/user.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { hasStoppedThings } from '../../oauth/stopped/stopped-thing.queries.ts';
import { signedIn } from '../kit/page.ts';
import { SCRIPTED_HEADERS, seeOther } from '../kit/page-response.ts';
import { SETTINGS_PATH } from '../kit/paths.ts';
import { problemOf, sendForm } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { largeForm, newFormKey, seenBy } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { ACCOUNT_ACTIONS, type AccountPageSettings } from './account-actions.ts';
import {
  ACCOUNT_FORMS,
  ACCOUNT_PATH,
  type AccountForm,
  accountFormPath,
  PROFILE_FORM_FIELDS,
  type ProfileField,
} from './account-forms.ts';
import { accountPage } from './account-page.ts';
import { accountForm, accountWords } from './words/account-words.ts';

/** `/settings/account`: a user's profile, times, address, password and sessions; `/settings` leads there. */
export function accountSettingsRoutes(settings: AccountPageSettings): Hono {
  const { em, visitors, addressOf, mailFolder } = settings;
  const routes = new Hono();
  routes.get(
    ACCOUNT_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.get(
    SETTINGS_PATH,
    signedIn(visitors, (c) => seeOther(c, ACCOUNT_PATH)),
  );
  for (const form of ACCOUNT_FORMS) {
    routes.post(
      accountFormPath(form),
      signedIn(visitors, (c, session) => take(c, session, form), form === 'profile' ? largeForm() : undefined),
    );
    // A visitor who had to sign in before the form was taken comes back here.
    routes.get(accountFormPath(form), (c) => seeOther(c, ACCOUNT_PATH));
  }
  return routes;

  async function take(c: Context, session: FoundSession, name: AccountForm): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, purposeOf(name));
    const sent = { session, form, address: addressOf(c) };
    const problem = forgery ?? (await problemOf(() => ACCOUNT_ACTIONS[name](em.fork(), settings, sent)));
    return problem ? show(c, session, { name, problem, form }) : visitors.leadTo(c, ACCOUNT_PATH, name);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { after } = c.req.query();
    const done = visitors.doneBefore(c);
    const form = ACCOUNT_FORMS.find((name) => name === done);
    const user = await findUser(em.fork(), session.userId);
    if (!user) throw new Problem('NOT_FOUND', 'This account no longer exists.');
    const page = accountPage({
      viewer: asViewer(session),
      email: user.email,
      isEmailVerified: user.isEmailVerified,
      pendingEmail: await findPendingEmail(em.fork(), session.userId),
      typedEmail: refused?.form.get('newEmail') ?? '',
      profile: profileOf(user, refused),
      bookingBase: placeUrl(settings.publicUrl, ''),
      updatedAt: seenBy(user.updatedAt, refused && { ...refused, sent: refused.form.get('updatedAt') }),
      sessions: await findSessions(em.fork(), session.userId, pageRequest({ after }, ['TIME', 'UUID'])),
      currentSessionId: session.id,
      csrf: visitors.formTokens(c, ACCOUNT_FORMS, purposeOf),
      idempotencyKey: newFormKey(),
      mistakes: mistakesIn(user.locale, refused?.problem, accountForm(user.locale)),
      done: form && !refused ? accountWords(user.locale).done[form] : undefined,
      clock: user,
      mailFolder,
      heldNotices: user.isEmailVerified ? await findHeldNotices(em.fork(), user.email) : [],
      heldWelcome: user.isEmailVerified ? undefined : await findHeldWelcome(em.fork(), session.userId),
      hasStoppedThings: await hasStoppedThings(em.fork(), session.userId),
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }
}

interface Refused {
  readonly name: AccountForm;
  readonly problem: Problem;
  readonly form: URLSearchParams;
}

/** The stored profile, and over it the texts that were typed into a form that is shown again. */
function profileOf(user: UserProfile, refused: Refused | undefined): Readonly<Record<ProfileField, string>> {
  const isRefused = refused?.name === 'profile' || refused?.name === 'times';
  const texts = PROFILE_FORM_FIELDS.map((field) => {
    const typed = isRefused ? refused.form.get(field) : null;
    return [field, typed ?? String(user[field] ?? '')] as const;
  });
  return Object.fromEntries(texts) as Record<ProfileField, string>;
}

function purposeOf(form: AccountForm): string {
  return `account ${form}`;
}
