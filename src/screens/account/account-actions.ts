import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { AddressOf, Visitors } from '../../http/visitors.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/accounts/account.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { cancelEmailChange, requestEmailChange } from '../../modules/accounts/links/change-email.ts';
import { requestVerification } from '../../modules/accounts/links/request-verification.ts';
import { endOtherSessions, revokeSession } from '../../modules/accounts/sign-in/end-session.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { updateProfile } from '../../modules/accounts/update-profile.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { changePasswordWithGrants } from '../../oauth/users/change-password.ts';
import { seenAt } from '../kit/seen-at.ts';
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
  /** What follows when apps lose their access with the old password. */
  readonly authorizationServer: Aftermath;
}

/** A form of the account's page, sent by its owner. */
interface SentForm {
  readonly session: FoundSession;
  readonly form: URLSearchParams;
  readonly address: string;
}

interface Action {
  /** @throws Problem */
  readonly act: (em: Em, settings: AccountPageSettings, sent: SentForm) => Promise<unknown>;
  /** What the page then says. */
  readonly done: string;
}

/** What each form of the account's page does. */
export const ACCOUNT_ACTIONS: Readonly<Record<AccountForm, Action>> = {
  profile: {
    act: (em, _settings, { session, form }) =>
      updateProfile(em, session.userId, {
        name: form.get('name') ?? '',
        username: form.get('username') ?? '',
        bio: form.get('bio') || null,
        avatarUrl: form.get('avatarUrl')?.trim() || null,
        ifUpdatedAt: seenAt(form.get('updatedAt')),
      }),
    done: 'Your profile was saved.',
  },
  times: {
    act: (em, _settings, { session, form }) =>
      updateProfile(em, session.userId, {
        timeZone: form.get('timeZone') ?? '',
        timeFormat: Number(form.get('timeFormat')),
        weekStart: weekDayNamed(form.get('weekStart')),
        locale: form.get('locale') ?? '',
        ifUpdatedAt: seenAt(form.get('updatedAt')),
      }),
    done: 'Saved. Times are shown to you like that from now on.',
  },
  verification: {
    act: (em, { accountMails }, { session, address }) => requestVerification(em, accountMails, session.userId, address),
    done: 'The mail is on its way.',
  },
  email: {
    act: (em, { passwordGuesses, accountMails }, { session, form, address }) =>
      inFieldsOfPage(
        requestEmailChange(em, passwordGuesses, accountMails, {
          userId: session.userId,
          newEmail: form.get('newEmail') ?? '',
          currentPassword: form.get('passwordForEmail') ?? '',
          address,
        }),
      ),
    done: 'A mail is on its way to the new address. Follow its link, and the address is yours.',
  },
  'email-cancel': {
    act: (em, _settings, { session }) => cancelEmailChange(em, session.userId),
    done: 'Your address stays as it is.',
  },
  password: {
    act: (em, { passwordGuesses, accountMails, authorizationServer }, { session, form, address }) =>
      changePasswordWithGrants(em, passwordGuesses, accountMails, authorizationServer, {
        userId: session.userId,
        sessionId: session.id,
        currentPassword: form.get('currentPassword') ?? '',
        newPassword: form.get('newPassword') ?? '',
        endOtherSessions: form.has('endOtherSessions'),
        revokeApps: form.has('revokeApps'),
        address,
      }),
    done: 'Your password was changed.',
  },
  sessions: {
    act: async (em, _settings, { session, form, address }) => {
      const named = form.get('end') ?? '';
      if (named === 'others') return endOtherSessions(em, session.userId, session.id, address);
      const ended = idOf('session', named);
      // One that is over already is as ended as the reader wants it.
      return ended === undefined ? 0 : revokeSession(em, session.userId, ended, address);
    },
    done: 'The sessions were ended.',
  },
};

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
