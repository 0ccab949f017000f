import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { once, onceApart } from '../../limits/at-most-once.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/accounts/account.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { cancelEmailChange, requestEmailChange } from '../../modules/accounts/links/change-email.ts';
import { requestVerification } from '../../modules/accounts/links/request-verification.ts';
import { endOtherSessions, revokeSession } from '../../modules/accounts/sign-in/end-session.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { updateProfile } from '../../modules/accounts/update-profile.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { changePasswordWithGrants } from '../../oauth/users/password-and-email.ts';
import { digestIn, requestIn, savingOf, seenAt } from '../kit/request.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import type { AccountForm } from './account-forms.ts';

export interface AccountPageSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  readonly accountMails: AccountMails;
  /** Where mails are kept; undefined when they are sent. */
  readonly mailFolder: string | undefined;
  /** The steps after apps have lost their access with the old password. */
  readonly authorizationServer: Aftermath;
}

/** A form of the account's page, sent by its owner. */
interface SentForm {
  readonly session: FoundSession;
  readonly form: URLSearchParams;
  readonly address: string;
}

/** @throws Problem */
type Action = (em: Em, settings: AccountPageSettings, sent: SentForm) => Promise<unknown>;

/** The action of each form of the account's page. */
export const ACCOUNT_ACTIONS: Readonly<Record<AccountForm, Action>> = {
  profile: (em, _settings, { session: { userId }, form }) =>
    once(em, savingOf(userId, form, 'profile'), (inner) =>
      updateProfile(inner, userId, {
        name: form.get('name') ?? '',
        username: form.get('username') ?? '',
        bio: form.get('bio') || null,
        avatarUrl: form.get('avatarUrl')?.trim() || null,
        ifUpdatedAt: seenAt(form.get('updatedAt')),
      }),
    ),
  times: (em, _settings, { session: { userId }, form }) =>
    once(em, savingOf(userId, form, 'times'), (inner) =>
      updateProfile(inner, userId, {
        timeZone: form.get('timeZone') ?? '',
        timeFormat: Number(form.get('timeFormat')),
        weekStart: weekDayNamed(form.get('weekStart')),
        locale: form.get('locale') ?? '',
        ifUpdatedAt: seenAt(form.get('updatedAt')),
      }),
    ),
  verification: (em, { accountMails }, { session, form, address }) =>
    onceApart(em, requestOf('verification', { session, form }, []), (store) =>
      requestVerification(em, accountMails, { userId: session.userId, address }, store),
    ),
  email: (em, { passwordGuesses, accountMails }, { session, form, address }) =>
    inFieldsOfPage(
      onceApart(em, requestOf('email', { session, form }, ['newEmail', 'passwordForEmail']), (store) => {
        const change = {
          userId: session.userId,
          newEmail: form.get('newEmail') ?? '',
          currentPassword: form.get('passwordForEmail') ?? '',
          address,
        };
        return requestEmailChange(em, passwordGuesses, accountMails, change, store);
      }),
    ),
  'email-cancel': (em, _settings, { session }) => cancelEmailChange(em, session.userId),
  password: (em, { passwordGuesses, accountMails, authorizationServer }, { session, form, address }) =>
    onceApart(em, requestOf('password', { session, form }, PASSWORD_FIELDS), (store) => {
      const change = {
        userId: session.userId,
        sessionId: session.id,
        currentPassword: form.get('currentPassword') ?? '',
        newPassword: form.get('newPassword') ?? '',
        endOtherSessions: form.has('endOtherSessions'),
        revokeApps: form.has('revokeApps'),
        address,
      };
      return changePasswordWithGrants(em, passwordGuesses, accountMails, authorizationServer, change, store);
    }),
  sessions: async (em, _settings, { session, form, address }) => {
    const named = form.get('end') ?? '';
    if (named === 'others') return endOtherSessions(em, session.userId, session.id, address);
    const ended = idOf('session', named);
    // One that is over already is as ended as the reader wants it.
    return ended === undefined ? 0 : revokeSession(em, session.userId, ended, address);
  },
};

const PASSWORD_FIELDS = ['currentPassword', 'newPassword', 'endOtherSessions', 'revokeApps'];

/** Names the request of a form with a password in it, so that the password cannot be told from what is kept. */
function requestOf(
  name: AccountForm,
  { session, form }: Pick<SentForm, 'session' | 'form'>,
  fields: readonly string[],
) {
  return requestIn({ ...session, form }, ['account', name], digestIn(form, fields));
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
