import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import { TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { aboutFields, checkBox, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { doneNotice, moment } from '../kit/page-parts.ts';
import {
  type CalendarForm,
  type CalendarsPage,
  calendarFormPath,
  type ShownAccount,
  type ShownCalendar,
  type ShownFeed,
  type ShownStatus,
} from './calendar-forms.ts';

const FIELDS = ['username', 'appPassword', 'url'];

/** The calendars elsewhere that make a user busy, and the one that bookings are written to. */
export function calendarsPage(page: CalendarsPage): Html {
  const { viewer, accounts, done } = page;
  const mistakes = aboutFields(FIELDS, page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your calendars</h1>
    <p class="aside top">While an event of a ticked calendar lasts, nobody can book you. Your bookings are written to one calendar.</p>
    ${accounts.length === 0 ? '' : chooser(page)}
    ${connectPart({ ...page, mistakes })}
    ${feedsPart({ ...page, mistakes })}`;
  return layout({ title: formTitle('Your calendars', mistakes), content, corner: viewer, shape: 'sheet' });
}

function chooser({ accounts, csrf }: CalendarsPage): Html {
  const isNone = !accounts.some(({ calendars }) => calendars.some(({ isDestination }) => isDestination));
  return html`<form method="post" action="${calendarFormPath('choose')}">
      ${hiddenField('csrf', csrf.choose)}
      ${accounts.map(accountPart)}
      <article>
        <fieldset><legend>Write my bookings to</legend>
          ${accounts.flatMap(({ account, calendars }) =>
            calendars.filter(({ isReadOnly }) => !isReadOnly).map((calendar) => destination(calendar, account)),
          )}
          <div class="check"><input type="radio" id="destination-none" name="destination" value="" ${isNone ? html`checked` : ''}><label for="destination-none">No calendar</label></div>
        </fieldset>
        <button type="submit">Save</button>
      </article>
    </form>`;
}

function accountPart({ id, provider, account, status, calendars }: ShownAccount): Html {
  return html`<article>
        <h2 id="account-${id}"><bdi>${account}</bdi></h2>
        <p>${provider}. ${STATUS_WORDS[status]}</p>
        <fieldset aria-labelledby="account-${id}">
          ${calendars.length === 0 ? html`<p>This account has no calendars.</p>` : ''}
          ${calendars.map(({ id: calendarId, name, selected, error, writeFailedAt }) => [
            hiddenField(`shown-${calendarId}`, 'yes'),
            checkBox({
              name: `busy-${calendarId}`,
              label: html`Events of <bdi>${name}</bdi> make me busy`,
              isChecked: selected,
            }),
            error === null ? '' : html`<p class="aside">It cannot be read: ${error}</p>`,
            writeFailedAt === null
              ? ''
              : html`<p class="aside">Bookings could not be written to it (${moment(instantOf(writeFailedAt))}). We try again every hour.</p>`,
          ])}
        </fieldset>
        <p class="aside"><a href="${calendarFormPath('disconnect')}?account=${id}">Disconnect <bdi>${account}</bdi></a></p>
      </article>`;
}

const STATUS_WORDS: Readonly<Record<ShownStatus, string>> = {
  CONNECTED: 'Connected.',
  BROKEN: 'It does not let us in any more: connect it again below.',
  UNREACHABLE: 'Its server does not answer at the moment; we keep trying.',
  PENDING: 'Its server has not answered yet.',
};

function destination({ id, name, isDestination }: ShownCalendar, account: string): Html {
  return html`<div class="check"><input type="radio" id="destination-${id}" name="destination" value="${id}" ${
    isDestination ? html`checked` : ''
  }><label for="destination-${id}"><bdi>${name}</bdi> (<bdi>${account}</bdi>)</label></div>`;
}

function connectPart({ offered, csrf, typedUsername, mistakes }: CalendarsPage): Html {
  return html`<article>
      <h2>Connect an account</h2>
      ${offered.map(
        ({ provider, title }) => html`<form method="post" action="${calendarFormPath('connect')}" class="apart">
        ${hiddenField('csrf', csrf.connect)}
        ${hiddenField('provider', provider)}
        <button type="submit" class="quiet">Connect ${title}</button>
      </form>`,
      )}
      <details ${mistakes.some(({ path }) => path?.[0] === 'username' || path?.[0] === 'appPassword') ? html`open` : ''}>
        <summary>Connect ${TITLES.APPLE}</summary>
        <form method="post" action="${calendarFormPath('apple')}" novalidate>
          ${hiddenField('csrf', csrf.apple)}
          ${textField({ name: 'username', label: 'Apple account', type: 'email', autocomplete: 'off', value: typedUsername, placeholder: 'ada@icloud.com' }, mistakes)}
          ${textField({ name: 'appPassword', label: 'App-specific password', type: 'password', autocomplete: 'off', hint: 'Not your Apple password: make one for this at account.apple.com, under Sign-In and Security.' }, mistakes)}
          <button type="submit">Connect</button>
        </form>
      </details>
    </article>`;
}

function feedsPart({ feeds, csrf, mistakes }: CalendarsPage): Html {
  return html`<article>
      <h2>Calendars by their address</h2>
      <p>Any calendar that has an address in iCal format (ICS). It is read every 15 minutes; its events make you busy.</p>
      ${feeds.length === 0 ? '' : html`<ul class="plain">${feeds.map((feed) => html`<li>${feedPart(feed, csrf)}</li>`)}</ul>`}
      <form method="post" action="${calendarFormPath('add-feed')}" novalidate>
        ${hiddenField('csrf', csrf['add-feed'])}
        ${textField({ name: 'url', label: 'Address', type: 'url', autocomplete: 'off', placeholder: 'https://calendar.example/secret.ics', hint: 'Everybody who has the address can read the calendar, so we keep it encrypted and do not show it again.' }, mistakes)}
        <button type="submit" class="quiet">Add</button>
      </form>
    </article>`;
}

function feedPart(
  { id, host, ending, error, eventCount }: ShownFeed,
  csrf: Readonly<Record<CalendarForm, string>>,
): Html {
  const events = eventCount === 1 ? '1 event' : `${eventCount} events`;
  return html`<form method="post" action="${calendarFormPath('remove-feed')}">
          ${hiddenField('csrf', csrf['remove-feed'])}
          ${hiddenField('feed', id)}
          <span><bdi>${host}</bdi> … <bdi>${ending}</bdi>: ${events}${error === null ? '' : `. It could not be read the last time: ${error}`}</span>
          <button type="submit" class="quiet" aria-label="Remove the calendar of ${host}, … ${ending}">Remove</button>
        </form>`;
}
