import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import { inLanguages } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  CALENDARS_PATH,
  type ConnectionStatus,
  type OAuthCalendarProvider,
  TITLES,
} from '../../modules/calendars/connections/calendar-connection.rules.ts';
import type { UnreadableEvent } from '../../modules/calendars/feeds/ics-event.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeOf,
  mistakeSummary,
  textField,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { type Clock, momentFor } from '../kit/when.ts';
import { CALENDAR_DE } from './calendar-words.de.ts';
import { CALENDAR_EN } from './calendar-words.en.ts';

/** The words of the page, for a reader of this locale. */
export const calendarWords = inLanguages(CALENDAR_EN, { de: CALENDAR_DE });
type CalendarWords = ReturnType<typeof calendarWords>;

/** The forms of the page, each sent to an address of its own. */
export const CALENDAR_FORMS = [
  'choose',
  'connect',
  'apple',
  'caldav',
  'reconnect',
  'disconnect',
  'add-feed',
  'remove-feed',
  'read-now',
] as const;
export type CalendarForm = (typeof CALENDAR_FORMS)[number];

/** `PENDING`: its server has not answered in the time that a page may take. */
export type ShownStatus = ConnectionStatus | 'PENDING';

interface ShownCalendar {
  readonly id: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly selected: boolean;
  readonly isDestination: boolean;
  /** Why its events could not be read the last time. */
  readonly error: string | null;
  /** When they were read last; null: not yet. */
  readonly readAt: string | null;
  /** Null: every booking that belongs there is written, or is being tried still. */
  readonly writeFailedAt: string | null;
  readonly unreadableEventCount: number;
  /** The first of them. */
  readonly unreadable: readonly UnreadableEvent[];
}

export interface ShownAccount {
  readonly id: string;
  /** `Google Calendar`, or `CalDAV (cloud.example)` */
  readonly provider: string;
  readonly account: string;
  readonly status: ShownStatus;
  /** Whether its server has refused its password, which it may take again. */
  readonly isRefused: boolean;
  readonly calendars: readonly ShownCalendar[];
}

export interface ShownFeed {
  readonly id: string;
  readonly host: string;
  readonly ending: string;
  /** Why it could not be read the last time. */
  readonly error: string | null;
  readonly readAt: string;
  readonly eventCount: number;
  readonly unreadableEventCount: number;
  /** The first of them. */
  readonly unreadable: readonly UnreadableEvent[];
}

/** The fields that were typed to connect an account: the form that was sent, with all but the password. */
export interface TypedAccount {
  readonly form: CalendarForm | undefined;
  readonly username: string;
  readonly server: string;
  readonly caldavUsername: string;
  /** Hosts that the password may go to if they are ticked, and whether they were. */
  readonly hosts: readonly { readonly host: string; readonly isAccepted: boolean }[];
}

interface CalendarsView {
  readonly viewer: Viewer;
  readonly clock: Clock;
  readonly accounts: readonly ShownAccount[];
  readonly feeds: readonly ShownFeed[];
  /** Those that the operator has configured, with what people call them. */
  readonly offered: readonly { readonly provider: OAuthCalendarProvider; readonly title: string }[];
  readonly csrf: Readonly<Record<CalendarForm, string>>;
  readonly typed: TypedAccount;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** The calendars elsewhere that make a user busy, and the one that bookings are written to. */
export function calendarsView(page: CalendarsView): Html {
  const { viewer, accounts, done } = page;
  const { locale } = viewer;
  const words = calendarWords(locale);
  const mistakes = aboutFields(Object.keys(words.fields), page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${words.title}</h1>
    <p class="aside top">${words.intro}</p>
    ${readNowPart(page, words)}
    ${accounts.length === 0 ? '' : chooser(page, words)}
    ${connectPart({ ...page, mistakes }, words)}
    ${feedsPart({ ...page, mistakes }, words)}`;
  return layout({
    title: formTitle(words.title, mistakes, locale),
    content,
    corner: viewer,
    setting: 'calendars',
    shape: 'sheet',
    locale,
  });
}

/** Nothing where no calendar makes them busy. */
function readNowPart({ accounts, feeds, csrf }: CalendarsView, words: CalendarWords): Html | '' {
  if (feeds.length === 0 && !accounts.some(({ calendars }) => calendars.some(({ selected }) => selected))) return '';
  return html`<form method="post" action="${calendarFormPath('read-now')}" class="apart">
      ${hiddenField('csrf', csrf['read-now'])}
      <p class="aside apart">${words.readNowHint}</p>
      <button type="submit" class="quiet">${words.readNow}</button>
    </form>`;
}

function chooser({ accounts, csrf, clock }: CalendarsView, words: CalendarWords): Html {
  const isNone = !accounts.some(({ calendars }) => calendars.some(({ isDestination }) => isDestination));
  return html`<form method="post" action="${calendarFormPath('choose')}">
      ${hiddenField('csrf', csrf.choose)}
      ${accounts.map((account) => accountPart(account, clock, words))}
      <article>
        <fieldset><legend>${words.writeTo}</legend>
          ${accounts.flatMap(({ account, calendars }) =>
            calendars.filter(({ isReadOnly }) => !isReadOnly).map((calendar) => destination(calendar, account)),
          )}
          <div class="check"><input type="radio" id="destination-none" name="destination" value="" ${isNone ? html`checked` : ''}><label for="destination-none">${words.noCalendar}</label></div>
        </fieldset>
        <button type="submit">${words.save}</button>
      </article>
    </form>
    ${accounts
      .filter(({ isRefused }) => isRefused)
      .map(
        ({ id }) => html`<form method="post" action="${calendarFormPath('reconnect')}" id="reconnect-${id}">
      ${hiddenField('csrf', csrf.reconnect)}
      ${hiddenField('account', id)}
    </form>`,
      )}`;
}

function accountPart(
  { id, provider, account, status, isRefused, calendars }: ShownAccount,
  clock: Clock,
  words: CalendarWords,
): Html {
  return html`<article>
        <h2 id="account-${id}"><bdi>${account}</bdi></h2>
        <p>${provider}. ${isRefused ? words.refused : words.states[status]}</p>
        ${isRefused ? html`<p><button type="submit" form="reconnect-${id}" class="quiet" aria-label="${words.tryAgainWith(isolated(account))}">${words.tryAgain}</button></p>` : ''}
        <fieldset aria-labelledby="account-${id}">
          ${calendars.length === 0 ? html`<p>${words.isEmpty}</p>` : ''}
          ${calendars.map(({ id: calendarId, name, selected, error, readAt, writeFailedAt, ...events }) => [
            hiddenField(`shown-${calendarId}`, 'yes'),
            checkBox({
              name: `busy-${calendarId}`,
              label: words.busy(name),
              isChecked: selected,
            }),
            selected ? html`<p class="aside">${lastRead(readAt, clock, words)}</p>` : '',
            error === null ? '' : html`<p class="aside">${words.unreadable(error)}</p>`,
            unreadablePart(events, words),
            writeFailedAt === null
              ? ''
              : html`<p class="aside">${words.unwritten(momentFor(instantOf(writeFailedAt), clock))}</p>`,
          ])}
        </fieldset>
        <p class="aside"><a href="${calendarFormPath('disconnect')}?account=${id}">${words.disconnect(account)}</a></p>
      </article>`;
}

function lastRead(readAt: string | null, clock: Clock, words: CalendarWords): Html {
  return readAt === null ? html`${words.unread}` : words.readAt(momentFor(instantOf(readAt), clock));
}

function destination({ id, name, isDestination }: ShownCalendar, account: string): Html {
  return html`<div class="check"><input type="radio" id="destination-${id}" name="destination" value="${id}" ${
    isDestination ? html`checked` : ''
  }><label for="destination-${id}"><bdi>${name}</bdi> (<bdi>${account}</bdi>)</label></div>`;
}

function connectPart({ offered, csrf, typed, mistakes }: CalendarsView, words: CalendarWords): Html {
  return html`<article>
      <h2>${words.connect}</h2>
      ${offered.map(
        ({ provider, title }) => html`<form method="post" action="${calendarFormPath('connect')}" class="apart">
        ${hiddenField('csrf', csrf.connect)}
        ${hiddenField('provider', provider)}
        <button type="submit" class="quiet">${words.connectTo(title)}</button>
      </form>`,
      )}
      <details class="apart" ${typed.form === 'apple' ? html`open` : ''}>
        <summary>${words.connectTo(TITLES.APPLE)}</summary>
        <form method="post" action="${calendarFormPath('apple')}" novalidate>
          ${hiddenField('csrf', csrf.apple)}
          ${textField({ name: 'username', label: words.fields.username, type: 'email', autocomplete: 'off', value: typed.username, placeholder: 'ada@icloud.com' }, mistakes)}
          ${textField({ name: 'appPassword', label: words.fields.appPassword, type: 'password', autocomplete: 'off', hint: words.appPasswordHint }, mistakes)}
          <button type="submit">${words.connectButton}</button>
        </form>
      </details>
      ${caldavPart(typed, csrf.caldav, mistakes, words)}
    </article>`;
}

/** Any server that speaks CalDAV. A host that was found is shown, and has to be ticked before it gets the password. */
function caldavPart(typed: TypedAccount, csrf: string, mistakes: readonly Mistake[], words: CalendarWords): Html {
  const { fields } = words;
  const hosts = typed.hosts.map(({ host, isAccepted }) =>
    checkBox({ name: 'acceptedHosts', value: host, label: words.acceptHost(host), isChecked: isAccepted }),
  );
  return html`<details ${typed.form === 'caldav' ? html`open` : ''}>
        <summary>${words.otherServer}</summary>
        <form method="post" action="${calendarFormPath('caldav')}" novalidate>
          ${hiddenField('csrf', csrf)}
          ${textField({ name: 'server', label: fields.server, autocomplete: 'off', value: typed.server, placeholder: 'cloud.example', hint: words.serverHint }, mistakes)}
          ${hosts.length === 0 ? '' : html`<fieldset id="acceptedHosts"><legend>${fields.acceptedHosts}</legend>${hosts}${mistakeOf('acceptedHosts', mistakes)}</fieldset>`}
          ${textField({ name: 'caldavUsername', label: fields.caldavUsername, autocomplete: 'off', value: typed.caldavUsername, hint: words.caldavUsernameHint, isConditional: true }, mistakes)}
          ${textField({ name: 'caldavPassword', label: fields.caldavPassword, type: 'password', autocomplete: 'off', hint: words.caldavPasswordHint }, mistakes)}
          <button type="submit">${words.connectButton}</button>
        </form>
      </details>`;
}

function feedsPart({ feeds, csrf, clock, mistakes }: CalendarsView, words: CalendarWords): Html {
  return html`<article>
      <h2>${words.feeds}</h2>
      <p>${words.feedsIntro}</p>
      ${feeds.length === 0 ? '' : html`<ul class="plain">${feeds.map((feed) => html`<li>${feedPart(feed, csrf, clock, words)}</li>`)}</ul>`}
      <form method="post" action="${calendarFormPath('add-feed')}" novalidate>
        ${hiddenField('csrf', csrf['add-feed'])}
        ${textField({ name: 'url', label: words.fields.url, type: 'url', autocomplete: 'off', placeholder: 'https://calendar.example/secret.ics', hint: words.urlHint }, mistakes)}
        <button type="submit" class="quiet">${words.add}</button>
      </form>
    </article>`;
}

function feedPart(
  { id, host, ending, error, readAt, eventCount, unreadableEventCount, unreadable }: ShownFeed,
  csrf: Readonly<Record<CalendarForm, string>>,
  clock: Clock,
  words: CalendarWords,
): Html {
  return html`<form method="post" action="${calendarFormPath('remove-feed')}">
          ${hiddenField('csrf', csrf['remove-feed'])}
          ${hiddenField('feed', id)}
          <span><bdi>${host}</bdi> … <bdi>${ending}</bdi>: ${words.events(eventCount)}${error === null ? '' : `. ${words.unreadFeed(error)}`}. ${lastRead(readAt, clock, words)}</span>
          <button type="submit" class="quiet" aria-label="${words.removeFeed(isolated(`${host}, … ${ending}`))}">${words.remove}</button>
        </form>${unreadablePart({ unreadableEventCount, unreadable }, words)}`;
}

/** The events of a calendar that could not be read, if there are any. */
function unreadablePart(
  { unreadableEventCount, unreadable }: Pick<ShownFeed, 'unreadableEventCount' | 'unreadable'>,
  words: CalendarWords,
): Html | '' {
  if (unreadableEventCount === 0) return '';
  return html`<details class="apart">
          <summary>${words.unreadableEvents(unreadableEventCount)}</summary>
          <ul>${unreadable.map(({ title, start, problem }) => html`<li><bdi>${title || words.untitled}</bdi>${dayOf(start, words)}: ${words.problems[problem]}</li>`)}</ul>
        </details>`;
}

/** The day of a start as the calendar has it, which may be none. */
function dayOf(start: string, words: CalendarWords): string {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)/.exec(start) ?? [];
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  try {
    return ` (${words.day(Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }))})`;
  } catch {
    return '';
  }
}

export function calendarFormPath(form: CalendarForm): string {
  return `${CALENDARS_PATH}/${form}`;
}
