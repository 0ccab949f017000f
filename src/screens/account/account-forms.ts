import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { HeldNoticeRow } from '../../limits/held-notices.ts';
import type { ListedSession } from '../../modules/accounts/sign-in/session.queries.ts';
import type { Viewer } from '../kit/layout.ts';
import type { Clock } from '../kit/when.ts';

export const ACCOUNT_PATH = '/settings/account';

/** The forms of the page; each is sent to `ACCOUNT_PATH/<name>`. */
export const ACCOUNT_FORMS = [
  'profile',
  'times',
  'verification',
  'email',
  'email-cancel',
  'password',
  'sessions',
] as const;
export type AccountForm = (typeof ACCOUNT_FORMS)[number];

/** The fields of the forms about the profile and about times; all as texts. */
export const PROFILE_FORM_FIELDS = [
  'name',
  'username',
  'bio',
  'avatarUrl',
  'timeZone',
  'timeFormat',
  'weekStart',
  'locale',
] as const;
export type ProfileField = (typeof PROFILE_FORM_FIELDS)[number];

/** A form behind a link of a mail. */
export interface FollowedLink {
  readonly csrf: string;
  /** The token of the link that was followed. */
  readonly token: string;
  readonly email: string;
  readonly username: string;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export interface AccountPage {
  readonly viewer: Viewer;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** The address that waits for its link to be followed. */
  readonly pendingEmail: string | undefined;
  /** The new address as it was typed, when it was refused. */
  readonly typedEmail: string;
  /** As it is, or as it was typed where that was refused. */
  readonly profile: Readonly<Record<ProfileField, string>>;
  /** Where the user is booked, without the username at its end. */
  readonly bookingBase: string;
  /** When the account was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly sessions: Page<ListedSession>;
  readonly currentSessionId: string;
  /** The anti-forgery token of each form. */
  readonly csrf: Readonly<Record<AccountForm, string>>;
  /** The key of those forms that do something which is done once. */
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** How who reads it reads times, and in which language. */
  readonly clock: Clock;
  /** Whether something has stopped, which is listed elsewhere. */
  readonly hasStoppedThings: boolean;
  /** The notices of the account to its user that have not been mailed yet, or are not. */
  readonly heldNotices: readonly HeldNoticeRow[];
  /** The outcome of the mail that confirms the address, where it was not sent. */
  readonly heldWelcome: HeldNoticeRow | undefined;
  /** Where mails are kept; undefined when they are sent. */
  readonly mailFolder: string | undefined;
}

/** Where a form of the page goes. */
export function accountFormPath(form: AccountForm): string {
  return `${ACCOUNT_PATH}/${form}`;
}
