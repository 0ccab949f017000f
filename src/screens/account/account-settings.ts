import { idOf } from '../../core/id.ts';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { once, onceApart } from '../../limits/at-most-once.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { findHeldNotices, findHeldWelcome } from '../../limits/held-notices.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/accounts/account.rules.ts';
import { findPendingEmail } from '../../modules/accounts/links/account-links.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import {
  cancelEmailChange,
  requestEmailChange,
  requestVerification,
} from '../../modules/accounts/links/change-email.ts';
import { endOtherSessions, findSessions, revokeSession } from '../../modules/accounts/sign-in/sessions.ts';
import { updateProfile } from '../../modules/accounts/update-profile.ts';
import { findUser, type UserProfile } from '../../modules/accounts/user.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { hasStoppedThings } from '../../oauth/stopped/stopped-thing.queries.ts';
import { changePasswordWithGrants } from '../../oauth/users/password-and-email.ts';
import { always, type DeclaredPage, type PageForm, page, type Showing, type Visit } from '../kit/page.ts';
import { SCRIPTED_HEADERS, seeOther } from '../kit/page-response.ts';
import { SETTINGS_PATH } from '../kit/paths.ts';
import { digestIn, type FormBack, largeForm, requestIn, savingOf, seenAt, seenBy } from '../kit/request.ts';
import type { AddressOf } from '../kit/visitors.ts';
import {
  ACCOUNT_FORMS,
  ACCOUNT_PATH,
  type AccountForm,
  accountPage,
  PROFILE_FORM_FIELDS,
  type ProfileField,
} from './account-settings-page.ts';
import { accountForm, accountWords } from './account-words.ts';

export interface AccountPageSettings {
  readonly publicUrl: string;
  readonly addressOf: AddressOf;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  readonly accountMails: AccountMails;
  /** Where mails are kept; undefined when they are sent. */
  readonly mailFolder: string | undefined;
  /** The steps after apps have lost their access with the old password. */
  readonly authorizationServer: Aftermath;
}

/** `/settings/account`: a user's profile, times, address, password and sessions; `/settings` leads there. */
export function accountSettingsPages(settings: AccountPageSettings): readonly DeclaredPage[] {
  return [
    page({
      path: ACCOUNT_PATH,
      find: ({ em, session }) => findUser(em, session.userId),
      show: (showing, user) => show(showing, user, settings),
      headers: SCRIPTED_HEADERS,
      forms: accountForms(settings),
    }),
    page({ path: SETTINGS_PATH, find: always, show: ({ c }) => seeOther(c, ACCOUNT_PATH) }),
  ];
}

/** The forms of the account's page. Each leads back to it, which says that the one of this name was done. */
export function accountForms({
  addressOf,
  passwordGuesses,
  accountMails,
  authorizationServer,
}: AccountPageSettings): Readonly<Record<AccountForm, PageForm<UserProfile>>> {
  return {
    profile: {
      limits: largeForm(),
      run: async ({ em, session: { userId } }, _, form) => {
        await once(em, savingOf(userId, form, 'profile'), (inner) =>
          updateProfile(inner, userId, {
            name: form.get('name') ?? '',
            username: form.get('username') ?? '',
            bio: form.get('bio') || null,
            avatarUrl: form.get('avatarUrl')?.trim() || null,
            ifUpdatedAt: seenAt(form.get('updatedAt')),
          }),
        );
      },
    },
    times: {
      run: async ({ em, session: { userId } }, _, form) => {
        await once(em, savingOf(userId, form, 'times'), (inner) =>
          updateProfile(inner, userId, {
            timeZone: form.get('timeZone') ?? '',
            timeFormat: Number(form.get('timeFormat')),
            weekStart: weekDayNamed(form.get('weekStart')),
            locale: form.get('locale') ?? '',
            ifUpdatedAt: seenAt(form.get('updatedAt')),
          }),
        );
      },
    },
    verification: {
      run: async (visit, _, form) => {
        const { c, em, session } = visit;
        await onceApart(em, requestOf('verification', visit, form, []), (store) =>
          requestVerification(em, accountMails, { userId: session.userId, address: addressOf(c) }, store),
        );
      },
    },
    email: {
      run: async (visit, _, form) => {
        const { c, em, session } = visit;
        const change = {
          userId: session.userId,
          newEmail: form.get('newEmail') ?? '',
          currentPassword: form.get('passwordForEmail') ?? '',
          address: addressOf(c),
        };
        const request = requestOf('email', visit, form, ['newEmail', 'passwordForEmail']);
        await inFieldsOfPage(
          onceApart(em, request, (store) => requestEmailChange(em, passwordGuesses, accountMails, change, store)),
        );
      },
    },
    'email-cancel': {
      run: async ({ em, session }) => {
        await cancelEmailChange(em, session.userId);
      },
    },
    password: {
      run: async (visit, _, form) => {
        const { c, em, session } = visit;
        const change = {
          userId: session.userId,
          sessionId: session.id,
          currentPassword: form.get('currentPassword') ?? '',
          newPassword: form.get('newPassword') ?? '',
          endsOtherSessions: form.has('endsOtherSessions'),
          revokesApps: form.has('revokesApps'),
          address: addressOf(c),
        };
        await onceApart(em, requestOf('password', visit, form, PASSWORD_FIELDS), (store) =>
          changePasswordWithGrants(em, passwordGuesses, accountMails, authorizationServer, change, store),
        );
      },
    },
    sessions: {
      run: async ({ c, em, session: { id, userId } }, _, form) => {
        const named = form.get('end') ?? '';
        const ended = idOf('session', named);
        if (named === 'others') await endOtherSessions(em, userId, id, addressOf(c));
        // One that is over already is as ended as the reader wants it.
        else if (ended !== undefined) await revokeSession(em, userId, ended, addressOf(c));
      },
    },
  };
}

const PASSWORD_FIELDS = ['currentPassword', 'newPassword', 'endsOtherSessions', 'revokesApps'];

/** Names the request of a form with a password in it, so that the password cannot be told from what is kept. */
function requestOf(name: AccountForm, { session }: Visit, form: URLSearchParams, fields: readonly string[]) {
  return requestIn({ userId: session.userId, form }, ['account', name], digestIn(form, fields));
}

/** @throws Problem BAD_INPUT */
function weekDayNamed(text: string | null): WeekDay {
  const day = WEEK_DAYS.find((one) => one === text);
  if (day) return day;
  throw new Problem('BAD_INPUT', 'Choose one of the seven days.', ['weekStart']);
}

/** Two forms of the page ask for the password, so one of the fields has another name there. */
async function inFieldsOfPage(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem) || error.mistakes[0].path?.[0] !== 'currentPassword') throw error;
    throw new Problem(error.code, error.message, ['passwordForEmail']);
  }
}

async function show(showing: Showing<AccountForm>, user: UserProfile, settings: AccountPageSettings) {
  const { c, session, back } = showing;
  const { userId } = session;
  const { after } = c.req.query();
  const done = ACCOUNT_FORMS.find((name) => name === showing.done);
  return accountPage({
    ...showing,
    email: user.email,
    isEmailVerified: user.isEmailVerified,
    pendingEmail: await findPendingEmail(showing.em, userId),
    typedEmail: back?.form.get('newEmail') ?? '',
    profile: profileOf(user, back),
    bookingBase: placeUrl(settings.publicUrl, ''),
    updatedAt: seenBy(user.updatedAt, back),
    sessions: await findSessions(showing.em, userId, pageRequest({ after }, ['TIME', 'UUID'])),
    currentSessionId: session.id,
    mistakes: showing.mistakes(accountForm(user.locale)),
    done: done && accountWords(user.locale).done[done],
    clock: user,
    mailFolder: settings.mailFolder,
    heldNotices: user.isEmailVerified ? await findHeldNotices(showing.em, user.email) : [],
    heldWelcome: user.isEmailVerified ? undefined : await findHeldWelcome(showing.em, userId),
    hasStoppedThings: await hasStoppedThings(showing.em, userId),
  });
}

/** The stored profile, and over it the texts that were typed into a form that is shown again. */
function profileOf(user: UserProfile, back: FormBack<AccountForm> | undefined): Readonly<Record<ProfileField, string>> {
  const isRefused = back?.name === 'profile' || back?.name === 'times';
  const texts = PROFILE_FORM_FIELDS.map((field) => {
    const typed = isRefused ? back.form.get(field) : null;
    return [field, typed ?? String(user[field] ?? '')] as const;
  });
  return Object.fromEntries(texts) as Record<ProfileField, string>;
}
