import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import { LANGUAGES, type Language, languageOf } from '../../core/language.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { HeldNoticeRow } from '../../limits/held-notices.ts';
import { MAX_PROFILE, WEEK_DAYS } from '../../modules/accounts/account.rules.ts';
import type { ListedSession } from '../../modules/accounts/sign-in/sessions.ts';
import {
  checkBox,
  formTitle,
  hiddenField,
  mistakeOf,
  mistakeSummary,
  selectField,
  textArea,
  textField,
  zoneSelect,
} from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { pageWords } from '../kit/page-words.ts';
import { type Clock, momentFor, weekDayName } from '../kit/when.ts';
import { accountWords, stoppedWords } from './account-words.ts';
import { mailHint, newPasswordField, revokeAppsBox } from './forgotten-password.ts';
import { STOPPED_PATH } from './stopped.ts';

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

/** The parts of this page: the fragment of each. */
const PARTS = ['profile', 'times', 'email', 'password', 'sessions'] as const;

/** The account itself. */
export function accountPage(page: AccountPage): Html {
  const { mistakes, done } = page;
  const { locale } = page.clock;
  const { title, onThisPage, parts } = accountWords(locale);
  // The part about the address says that it is unconfirmed, and what to do, so the header need not.
  const viewer = { ...page.viewer, isUnconfirmed: false };
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${title}</h1>
    ${page.hasStoppedThings ? html`<p class="warning">${stoppedWords(locale).notice} <a href="${STOPPED_PATH}">${stoppedWords(locale).look}</a></p>` : ''}
    <nav class="tabs" aria-label="${onThisPage}">
      <ul>${PARTS.map((id) => html`<li><a href="#${id}">${parts[id]}</a></li>`)}</ul>
    </nav>
    ${profilePart(page)}
    ${timesPart(page)}
    ${emailPart(page)}
    ${passwordPart(page)}
    ${sessionsPart(page)}`;
  const head = SEND_ONCE_HEAD;
  return layout({
    title: formTitle(title, mistakes, locale),
    content,
    corner: viewer,
    setting: 'account',
    shape: 'sheet',
    head,
    locale,
  });
}

/** The profile that others see, on booking pages and in mails. */
function profilePart({ profile, bookingBase, updatedAt, csrf, mistakes, clock: { locale } }: AccountPage): Html {
  const { fields, parts, profile: words } = accountWords(locale);
  const { optional } = pageWords(locale);
  return html`<article id="profile">
      <h2>${parts.profile}</h2>
      <p>${words.what}</p>
      <form method="post" action="${accountFormPath('profile')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.profile)}
        ${hiddenField('updatedAt', updatedAt)}
        ${textField({ name: 'name', label: fields.name, value: profile.name, autocomplete: 'name' }, mistakes)}
        ${textField(
          {
            name: 'username',
            label: fields.username,
            value: profile.username,
            autocomplete: 'nickname',
            hint: words.usernameHint(bookingBase),
          },
          mistakes,
        )}
        ${textArea(
          {
            name: 'bio',
            label: `${fields.bio} ${optional}`,
            value: profile.bio,
            rows: 4,
            hint: words.bioHint(MAX_PROFILE.bio),
            isOptional: true,
          },
          mistakes,
        )}
        ${textField(
          {
            name: 'avatarUrl',
            label: fields.avatarUrl,
            type: 'url',
            value: profile.avatarUrl,
            autocomplete: 'photo',
            hint: words.pictureHint,
            isOptional: true,
            locale,
          },
          mistakes,
        )}
        <button type="submit">${words.save}</button>
      </form>
    </article>`;
}

/** A Monday. */
const MONDAY = new Temporal.PlainDate(2024, 1, 1);

function days(locale: string): readonly (readonly [value: string, says: string])[] {
  return WEEK_DAYS.map((day, index) => [day, weekDayName(MONDAY.add({ days: index }), 'long', locale)]);
}

/** Each as its readers call it. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** With the user's own, which may be one of a country, or one that only apps know. */
function languages(locale: string): readonly (readonly [value: string, words: string])[] {
  const known = LANGUAGES.map((language) => [language, NAMES[language]] as const);
  if (known.some(([language]) => language === locale)) return known;
  return [[locale, `${locale} (${NAMES[languageOf(locale)]})`], ...known];
}

/** How a user reads times. Sign-up takes the zone from the browser, or UTC; here it is seen and mended. */
function timesPart({ profile, updatedAt, csrf, mistakes, clock: { locale } }: AccountPage): Html {
  const { fields, parts, times: words } = accountWords(locale);
  return html`<article id="times">
      <h2>${parts.times}</h2>
      <p>${words.what('/settings/hours')}</p>
      <form method="post" action="${accountFormPath('times')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.times)}
        ${hiddenField('updatedAt', updatedAt)}
        <div class="field">
          <label for="timeZone">${fields.timeZone}</label>
          ${zoneSelect(profile.timeZone, locale)}
          ${mistakeOf('timeZone', mistakes)}
        </div>
        ${selectField({ name: 'timeFormat', label: fields.timeFormat, value: profile.timeFormat, options: words.clocks }, mistakes)}
        ${selectField({ name: 'weekStart', label: fields.weekStart, value: profile.weekStart, options: days(locale) }, mistakes)}
        ${selectField(
          {
            name: 'locale',
            label: fields.locale,
            value: profile.locale,
            options: languages(profile.locale),
            hint: words.languageHint,
          },
          mistakes,
        )}
        <button type="submit">${words.save}</button>
      </form>
    </article>`;
}

/** The address, whether it is confirmed, and getting another one. */
function emailPart(page: AccountPage): Html {
  const { email, isEmailVerified, pendingEmail, mailFolder, clock } = page;
  const { parts, email: words } = accountWords(clock.locale);
  const isWaiting = !isEmailVerified || pendingEmail !== undefined;
  return html`<article id="email">
      <h2>${parts.email}</h2>
      <p><strong><bdi>${email}</bdi></strong> ${isEmailVerified ? html`<mark>${words.confirmed}</mark>` : ''}</p>
      ${isEmailVerified ? '' : verification(page)}
      ${heldPart(page)}
      ${pendingEmail === undefined ? '' : pending(page, pendingEmail)}
      ${isWaiting ? mailHint(mailFolder, clock.locale) : ''}
      ${changeForm(page)}
    </article>`;
}

/** Nothing that was due ends in silence. */
function heldPart({ heldNotices, clock }: AccountPage): Html | '' {
  if (heldNotices.length === 0) return '';
  const { email: words } = accountWords(clock.locale);
  const lines = heldNotices.map(
    (held) => html`<li>${words.held(held.subject, held.times)} ${outcomeOf(held, clock)}</li>`,
  );
  return html`<h3>${words.notMailed}</h3><ul class="plain">${lines}</ul>`;
}

function outcomeOf({ dueAt }: HeldNoticeRow, clock: Clock): Html {
  const { email: words } = accountWords(clock.locale);
  return dueAt === null ? html`${words.notSent}` : html`${words.sentAt} ${momentFor(instantOf(dueAt), clock)}.`;
}

function verification({ csrf, idempotencyKey, clock, heldWelcome }: AccountPage): Html {
  const { email: words } = accountWords(clock.locale);
  return html`<p class="warning">${words.notConfirmed}</p>
      ${heldWelcome === undefined ? '' : html`<p class="warning">${words.tooMany} ${outcomeOf(heldWelcome, clock)}</p>`}
      <form method="post" action="${accountFormPath('verification')}" class="narrow" data-once>
        ${hiddenField('csrf', csrf.verification)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <button type="submit" class="quiet">${words.sendAgain}</button>
      </form>`;
}

function pending({ csrf, clock }: AccountPage, pendingEmail: string): Html {
  const { email: words } = accountWords(clock.locale);
  return html`<p class="warning">${words.pending(pendingEmail)}</p>
      <form method="post" action="${accountFormPath('email-cancel')}" class="narrow">
        ${hiddenField('csrf', csrf['email-cancel'])}
        <button type="submit" class="quiet">${words.keep}</button>
      </form>`;
}

/** The page has another form that asks for the password, so this field has a name of its own. */
function changeForm({ csrf, idempotencyKey, typedEmail, mistakes, clock }: AccountPage): Html {
  const { fields, email: words } = accountWords(clock.locale);
  return html`<form method="post" action="${accountFormPath('email')}" class="narrow apart" novalidate data-once>
        ${hiddenField('csrf', csrf.email)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField(
          { name: 'newEmail', label: fields.newEmail, type: 'email', value: typedEmail, autocomplete: 'email' },
          mistakes,
        )}
        ${textField(
          {
            name: 'passwordForEmail',
            label: fields.passwordForEmail,
            type: 'password',
            autocomplete: 'current-password',
            hint: words.whyPassword,
          },
          mistakes,
        )}
        <button type="submit">${words.change}</button>
      </form>`;
}

function passwordPart({ viewer, csrf, idempotencyKey, mistakes, clock: { locale } }: AccountPage): Html {
  const { fields, parts, password: words } = accountWords(locale);
  return html`<article id="password">
      <h2>${parts.password}</h2>
      <form method="post" action="${accountFormPath('password')}" class="narrow" novalidate data-once>
        ${hiddenField('csrf', csrf.password)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <input type="hidden" name="username" autocomplete="username" value="${viewer.email}">
        ${textField({ name: 'currentPassword', label: fields.currentPassword, type: 'password', autocomplete: 'current-password' }, mistakes)}
        ${newPasswordField(mistakes, locale)}
        ${checkBox({ name: 'endsOtherSessions', label: words.signOutOthers, isChecked: true })}
        ${revokeAppsBox(locale)}
        <button type="submit">${words.change}</button>
      </form>
    </article>`;
}

function sessionsPart({ sessions, currentSessionId, csrf, clock }: AccountPage): Html {
  const { parts, sessions: words } = accountWords(clock.locale);
  const hasOthers = sessions.rows.some(({ id }) => id !== currentSessionId);
  return html`<article id="sessions">
      <h2>${parts.sessions}</h2>
      <form method="post" action="${accountFormPath('sessions')}">
        ${hiddenField('csrf', csrf.sessions)}
        <ul class="rows">${sessions.rows.map((session) => sessionRow(session, session.id === currentSessionId, clock))}</ul>
        ${hasOthers ? html`<button type="submit" name="end" value="others" class="quiet">${words.endOthers}</button>` : ''}
      </form>
      ${pager(sessions, ({ key }) => key, { path: ACCOUNT_PATH, locale: clock.locale })}
    </article>`;
}

function sessionRow(session: ListedSession, isCurrent: boolean, clock: Clock): Html {
  const { id, userAgent, address, createdAt, lastSeenAt } = session;
  const { sessions: words } = accountWords(clock.locale);
  const browser = browserNamed(userAgent, clock.locale);
  return html`<li>
          <h3><bdi>${browser}</bdi> ${isCurrent ? html`<mark>${words.thisBrowser}</mark>` : ''}</h3>
          <p class="facts"><span>${words.from(address)}</span> <span>${words.since} ${momentFor(createdAt, clock)}</span>
            <span>${words.lastSeen} ${momentFor(lastSeenAt, clock)}</span>
            ${isCurrent ? '' : html`<button type="submit" name="end" value="${publicId('session', id)}" class="link">${words.endOne}</button>`}</p>
        </li>`;
}

/** `Firefox on Linux`; one that is not known in its own words. */
function browserNamed(userAgent: string, locale: string): string {
  const { browserOn, unknownBrowser } = accountWords(locale).sessions;
  const { browser, system } = knownBrowser(userAgent);
  if (browser === undefined) return userAgent.slice(0, MAX_LENGTH) || unknownBrowser;
  return system === undefined ? browser : browserOn(browser, system);
}

/** The most characters of a browser's name for itself. */
const MAX_LENGTH = 80;

// The order counts: each claims to be the ones after it, too.
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Firefox` and `Linux`, from what a browser calls itself; each undefined where it is not known. */
function knownBrowser(userAgent: string): {
  readonly browser: string | undefined;
  readonly system: string | undefined;
} {
  return {
    browser: BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1],
    system: SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1],
  };
}

/** Where a form of the page goes. */
function accountFormPath(form: AccountForm): string {
  return `${ACCOUNT_PATH}/${form}`;
}
