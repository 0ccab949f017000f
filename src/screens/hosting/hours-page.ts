import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { WEEK_DAYS } from '../../modules/schedules/schedule.rules.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { zoneSelect } from '../kit/zone-select.ts';
import { HOURS_PATH } from './hosting-paths.ts';
import type { HoursForm, TypedHours } from './hours-form.ts';

export interface HoursPage {
  readonly viewer: Viewer;
  readonly scheduleName: string;
  readonly form: HoursForm;
  /** When the schedule was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** When a user can be booked: the week of their default schedule, and dates with hours of their own. */
export function hoursPage({ viewer, scheduleName, form, updatedAt, csrf, mistakes, done }: HoursPage): Html {
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>When you can be booked</h1>
    <p class="aside top">Your default schedule, <bdi>${scheduleName}</bdi>. Events of <a href="/settings/calendars">your
      calendars</a> make you busy, too. <a href="/settings/event-types">Your event types</a> are booked in these hours.</p>
    <form method="post" action="${HOURS_PATH}" class="hours" novalidate>
      ${hiddenField('csrf', csrf)}
      ${hiddenField('updatedAt', updatedAt)}
      <article>
        <div class="field"><label for="timeZone">Time zone</label>${zoneSelect(form.timeZone)}${mistakeOf('timeZone', mistakes)}</div>
        <p>Write times as HH:MM; 24:00 is the end of the day. A day without times is free of bookings.</p>
        ${WEEK_DAYS.map((day) => dayPart(day, form, mistakes))}
      </article>
      <article>
        <h2>Other hours on some dates</h2>
        <p>A date with times replaces that day of the week; a date without times is a day off. Empty a date to remove it.</p>
        ${form.dates.map((line, index) => dateLine(line, index, mistakes))}
      </article>
      <button type="submit">Save</button>
    </form>`;
  return layout({ title: formTitle('When you can be booked', mistakes), content, corner: viewer, shape: 'sheet' });
}

function dayPart(day: string, { week }: HoursForm, mistakes: readonly Mistake[]): Html {
  const name = `${day.charAt(0)}${day.slice(1).toLowerCase()}`;
  const lines = week.filter((line) => line.day === day);
  return html`<fieldset class="day-hours"><legend>${name}</legend>
          ${lines.map((line, index) => hoursFields(line, `${name}, ${index + 1}.`, mistakes))}
        </fieldset>`;
}

function dateLine(line: TypedHours, index: number, mistakes: readonly Mistake[]): Html {
  const name = `${line.name}-day`;
  return html`<fieldset class="day-hours"><legend class="unseen">Date ${index + 1}</legend>
          <label for="${name}" class="unseen">Date ${index + 1}</label>
          <input id="${name}" name="${name}" type="date" value="${line.day}" ${wrong(name, mistakes)}>
          ${hoursFields(line, `Date ${index + 1},`, mistakes)}
          ${mistakeOf(name, mistakes)}
        </fieldset>`;
}

function hoursFields(line: TypedHours, what: string, mistakes: readonly Mistake[]): Html {
  return html`<div class="from-to">${timeField(`${line.name}-start`, `${what} from`, line.start, mistakes)}
            <span aria-hidden="true">–</span>
            ${timeField(`${line.name}-end`, `${what} to`, line.end, mistakes)}</div>
          ${mistakeOf(`${line.name}-start`, mistakes)}${mistakeOf(`${line.name}-end`, mistakes)}`;
}

function timeField(name: string, label: string, value: string, mistakes: readonly Mistake[]): Html {
  return html`<label for="${name}" class="unseen">${label}</label>
            <input id="${name}" name="${name}" inputmode="numeric" size="5" maxlength="5" placeholder="HH:MM"
              autocomplete="off" value="${value}" ${wrong(name, mistakes)}>`;
}

function wrong(name: string, mistakes: readonly Mistake[]): Html | '' {
  const isWrong = mistakes.some(({ path }) => path?.[0] === name);
  return isWrong ? html`aria-invalid="true" aria-describedby="${name}-mistake"` : '';
}
