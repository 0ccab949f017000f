import { html } from 'hono/html';
import { LANGUAGES, type Language, languageOf } from '../../../core/language.ts';
import { WEEK_DAYS } from '../../../modules/accounts/account.rules.ts';
import { hiddenField, mistakeOf, selectField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { zoneSelect } from '../../kit/zone-select.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';

const CLOCKS = [
  ['24', '14:30 (24 hours)'],
  ['12', '2:30 pm (12 hours)'],
] as const;
const DAYS = WEEK_DAYS.map((day) => [day, `${day.charAt(0)}${day.slice(1).toLowerCase()}`] as const);

/** Those that mails are written in, each as its readers call it. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** With the user's own, which may be one of a country, or one that only apps know. */
function languages(locale: string): readonly (readonly [value: string, words: string])[] {
  const known = LANGUAGES.map((language) => [language, NAMES[language]] as const);
  if (known.some(([language]) => language === locale)) return known;
  return [[locale, `${locale} (mails in ${NAMES[languageOf(locale)]})`], ...known];
}

/** How a user reads times. Sign-up takes the zone from the browser, or UTC; here it is seen and mended. */
export function timesPart({ profile, updatedAt, csrf, mistakes }: AccountPage): Html {
  return html`<article id="times">
      <h2>Times and language</h2>
      <p>How times are shown to you. The hours in which you can be booked have
        <a href="/settings/hours">a time zone of their own</a>.</p>
      <form method="post" action="${accountFormPath('times')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.times)}
        ${hiddenField('updatedAt', updatedAt)}
        <div class="field">
          <label for="timeZone">Time zone</label>
          ${zoneSelect(profile.timeZone)}
          ${mistakeOf('timeZone', mistakes)}
        </div>
        ${selectField({ name: 'timeFormat', label: 'Clock', value: profile.timeFormat, options: CLOCKS }, mistakes)}
        ${selectField({ name: 'weekStart', label: 'Weeks begin on', value: profile.weekStart, options: DAYS }, mistakes)}
        ${selectField(
          {
            name: 'locale',
            label: 'Language',
            value: profile.locale,
            options: languages(profile.locale),
            hint: 'Of mails about bookings; pages are in English.',
          },
          mistakes,
        )}
        <button type="submit">Save</button>
      </form>
    </article>`;
}
