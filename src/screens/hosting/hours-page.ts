import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { WEEK_DAYS } from '../../modules/schedules/schedule.rules.ts';
import { hrefOf, PAINT_WEEK_SCRIPT } from '../kit/assets.ts';
import { formTitle, hiddenField, isWrong, mistakeOf, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { weekDayName } from '../kit/when.ts';
import { zoneSelect } from '../kit/zone-select.ts';
import { SCHEDULES_PATH } from './hosting-paths.ts';
import type { HoursForm, TypedHours } from './hours-form.ts';
import { scheduleWords } from './words/schedule-words.ts';

export interface HoursPage {
  readonly viewer: Viewer;
  /** The page of the schedule itself, where the form is sent. */
  readonly path: string;
  readonly schedule: { readonly name: string; readonly isDefault: boolean };
  /** Its name, as the form has it. */
  readonly typedName: string;
  readonly form: HoursForm;
  /** When the schedule was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly csrf: { readonly save: string; readonly makeDefault: string };
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** When a user can be booked: the week of a schedule, and dates with hours of their own. Send it with `SCRIPTED_HEADERS`. */
export function hoursPage(page: HoursPage): Html {
  const { viewer, path, schedule, typedName, form, updatedAt, csrf, mistakes, done, locale } = page;
  const { hours: words } = scheduleWords(locale);
  const name = html`<bdi>${schedule.name}</bdi>`;
  const title = schedule.isDefault ? words.title : isolated(schedule.name);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${title}</h1>
    <p class="aside top">${schedule.isDefault ? words.ofDefault(name) : words.ofOther}</p>
    <form method="post" action="${path}" class="hours" novalidate>
      ${hiddenField('csrf', csrf.save)}
      ${hiddenField('updatedAt', updatedAt)}
      <article>
        ${textField({ name: 'name', label: words.name, autocomplete: 'off', value: typedName, hint: words.nameHint, locale }, mistakes)}
        <div class="field"><label for="timeZone">${words.timeZone}</label>${zoneSelect(form.timeZone, locale)}${mistakeOf('timeZone', mistakes)}</div>
        ${weekPicture(page)}
        <p>${words.times}</p>
        ${WEEK_DAYS.map((day, index) => dayPart(day, MONDAY.add({ days: index }), page))}
      </article>
      <article>
        <h2>${words.dates}</h2>
        <p>${words.datesHint}</p>
        ${form.dates.map((line, index) => dateLine(line, index, page))}
      </article>
      <button type="submit">${words.save}</button>
    </form>
    ${schedule.isDefault ? '' : otherPart(page)}
    <p class="aside"><a href="${SCHEDULES_PATH}">${words.all}</a></p>`;
  return layout({
    title: formTitle(title, mistakes, locale),
    content,
    corner: viewer,
    setting: 'hours',
    shape: 'sheet',
    head: HEAD,
    locale,
  });
}

const HEAD = html`<script type="module" src="${hrefOf(PAINT_WEEK_SCRIPT)}"></script>`;

/** The week on which hours are painted, where scripts run and there is a pointer: the fields below say and take the same. */
function weekPicture({ locale }: HoursPage): Html {
  const names = WEEK_DAYS.map((_, index) => weekDayName(MONDAY.add({ days: index }), 'short', locale));
  return html`<div class="week" aria-hidden="true">
          <p>${scheduleWords(locale).hours.paint}</p>
          <div class="scale">${['00', '06', '12', '18', '24'].map((hour) => html`<span>${hour}</span>`)}</div>
          <div class="days">${names.map((name) => html`<span data-week-day>${name}</span>`)}</div>
          <svg data-week viewBox="0 0 1440 7" preserveAspectRatio="none"></svg>
          <div class="told" data-week-told></div>
        </div>`;
}

/** The actions on a schedule that is not the default. */
function otherPart({ path, csrf, locale }: HoursPage): Html {
  const { hours: words } = scheduleWords(locale);
  return html`<div class="actions">
      <form method="post" action="${path}/default">
        ${hiddenField('csrf', csrf.makeDefault)}
        <button type="submit" class="quiet">${words.makeDefault}</button>
      </form>
      <a class="button quiet danger" href="${path}/delete">${words.remove}</a>
    </div>`;
}

/** Any Monday: the names of a week's days are made from it and the six that follow. */
const MONDAY = Temporal.PlainDate.from('2024-01-01');

function dayPart(day: string, date: Temporal.PlainDate, page: HoursPage): Html {
  const name = weekDayName(date, 'long', page.locale);
  const lines = page.form.week.filter((line) => line.day === day);
  return html`<fieldset class="day-hours" data-hours-of="${day}"><legend>${name}</legend>
          ${lines.map((line, index) => hoursFields(line, `${name}, ${index + 1}.`, page))}
        </fieldset>`;
}

function dateLine(line: TypedHours, index: number, page: HoursPage): Html {
  const { mistakes, locale } = page;
  const name = `${line.name}-day`;
  const label = scheduleWords(locale).hours.date(index + 1);
  return html`<fieldset class="day-hours"><legend class="unseen">${label}</legend>
          <label for="${name}" class="unseen">${label}</label>
          <input id="${name}" name="${name}" type="date" value="${line.day}" ${wrong(name, mistakes)}>
          ${hoursFields(line, `${label},`, page)}
          ${mistakeOf(name, mistakes)}
        </fieldset>`;
}

function hoursFields(line: TypedHours, what: string, { mistakes, locale }: HoursPage): Html {
  const { hours: words } = scheduleWords(locale);
  return html`<div class="from-to">${timeField(`${line.name}-start`, words.from(what), line.start, mistakes)}
            <span aria-hidden="true">–</span>
            ${timeField(`${line.name}-end`, words.to(what), line.end, mistakes)}</div>
          ${mistakeOf(`${line.name}-start`, mistakes)}${mistakeOf(`${line.name}-end`, mistakes)}`;
}

function timeField(name: string, label: string, value: string, mistakes: readonly Mistake[]): Html {
  return html`<label for="${name}" class="unseen">${label}</label>
            <input id="${name}" name="${name}" inputmode="numeric" size="5" maxlength="5" placeholder="HH:MM"
              autocomplete="off" value="${value}" ${wrong(name, mistakes)}>`;
}

function wrong(name: string, mistakes: readonly Mistake[]): Html | '' {
  return isWrong(name, mistakes) ? html`aria-invalid="true" aria-describedby="${name}-mistake"` : '';
}
