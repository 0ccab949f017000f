import { html } from 'hono/html';
import { LANGUAGES, type Language, languageOf } from '../../../core/language.ts';
import { WEEK_DAYS } from '../../../modules/accounts/account.rules.ts';
import { hiddenField, mistakeOf, selectField, zoneSelect } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { weekDayName } from '../../kit/when.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';
import { accountWords } from '../words/account-words.ts';

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
export function timesPart({ profile, updatedAt, csrf, mistakes, clock: { locale } }: AccountPage): Html {
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
