import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { once } from '../../limits/at-most-once.ts';
import { own } from '../../modules/levels/reach.ts';
import { updateSchedule } from '../../modules/schedules/schedule.commands.ts';
import {
  type DateOverrideInput,
  MAX_OVERRIDES,
  MAX_WEEKLY_HOURS,
  WEEK_DAYS,
  type WeekDay,
  type WeeklyHoursInput,
} from '../../modules/schedules/schedule.rules.ts';
import { hrefOf, PAINT_WEEK_SCRIPT } from '../kit/assets.ts';
import {
  formTitle,
  hiddenField,
  isWrong,
  mistakeOf,
  mistakeSummary,
  textField,
  zoneSelect,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout } from '../kit/layout.ts';
import { page, type Showing } from '../kit/page.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { largeForm, savingOf, seenAt, seenBy } from '../kit/request.ts';
import { weekDayName } from '../kit/when.ts';
import { scheduleWords } from './hosting-words.ts';
import { answerNoSchedule, findNamed, SCHEDULES_PATH, schedulePath } from './schedules.ts';

const DONE = ['saved', 'added', 'default'] as const;
const LINES_A_DAY = 2;
const EMPTY_DATES = 2;
/** The most lines of a day, or of all dates. The command refuses more hours than are possible. */
const MOST_LINES = MAX_OVERRIDES + 100;
/** The field of a line that is always sent with it. */
const LINE = /^(?<list>[a-zA-Z]+)-(?<number>0|[1-9]\d{0,4})-start$/;

/**
 * The limits of the form: two fields for hours of a day of the week, as each entry may name all days, and three for a
 * date.
 */
const LIMITS = largeForm(2 * WEEK_DAYS.length * MAX_WEEKLY_HOURS + 3 * (MAX_OVERRIDES + EMPTY_DATES));

/**
 * `/settings/schedules/:id`, the week and the special dates of a schedule, and `/settings/hours`, those of the default one. Both
 * send their form to the former: another schedule may have become the default since the page was opened.
 */
export const hoursPage = page({
  path: `${SCHEDULES_PATH}/:id`,
  alsoShownAt: '/settings/hours',
  find: findNamed,
  none: answerNoSchedule,
  show: (showing, schedule) => {
    const { locale, back } = showing;
    const { hours: words, done: doneWords } = scheduleWords(locale);
    const { name, timeZone, availability, overrides, updatedAt, isDefault } = schedule;
    const typed = back?.name === 'save' ? typedHours(back.form) : undefined;
    const mistakes = showing.mistakes({
      labels: { name: words.name, availability: words.week, overrides: words.dates },
    });
    // Said as long as that is still how things stand.
    const done = DONE.find((one) => one === showing.done && (one !== 'default' || isDefault));
    return hoursView({
      ...showing,
      path: schedulePath(schedule),
      schedule,
      typedName: (back?.name === 'save' ? back.form.get('name') : null) ?? name,
      form: typed ?? formOf(timeZone, availability, overrides),
      updatedAt: seenBy(updatedAt, back),
      mistakes: typed ? atFields(mistakes, saidIn(typed)) : mistakes,
      done: done && doneWords[done],
    });
  },
  headers: SCRIPTED_HEADERS,
  forms: {
    save: {
      at: '',
      limits: LIMITS,
      run: async ({ em, session: { userId } }, schedule, form) => {
        const { timeZone, availability, overrides } = saidIn(typedHours(form));
        const name = form.get('name');
        const owner = { ...own(userId), lastSeen: seenAt(form.get('updatedAt')) };
        const patch = { ...(name !== null && { name }), timeZone, availability, overrides };
        await once(em, savingOf(userId, form, schedule.id), (inner) =>
          updateSchedule(inner, owner, schedule.id, patch),
        );
        return { to: schedulePath(schedule), done: 'saved' };
      },
    },
    default: {
      run: async ({ em, session }, schedule) => {
        await updateSchedule(em, own(session.userId), schedule.id, { isDefault: true });
        return { to: schedulePath(schedule), done: 'default' };
      },
    },
  },
});

/** A line of the form, as it is typed: hours of a day of the week, or of a date. */
interface TypedHours {
  /** The name of its fields: `MONDAY-0`, `date-3`. */
  readonly name: string;
  /** A day of the week, or a date as it was typed. */
  readonly day: string;
  readonly start: string;
  readonly end: string;
}

/** Hours as the form has them: some lines are empty, for more. */
export interface HoursForm {
  readonly timeZone: string;
  readonly week: readonly TypedHours[];
  readonly dates: readonly TypedHours[];
}

/** The hours of a form, as the command takes them, with the names of the lines that each entry stands in. */
interface SaidHours {
  readonly timeZone: string;
  readonly availability: readonly WeeklyHoursInput[];
  readonly overrides: readonly DateOverrideInput[];
  readonly lines: Readonly<Record<'availability' | 'overrides', readonly (readonly string[])[]>>;
}

/** The form of a schedule as it is stored. */
export function formOf(
  timeZone: string,
  availability: readonly WeeklyHoursInput[],
  overrides: readonly DateOverrideInput[],
): HoursForm {
  const week = WEEK_DAYS.flatMap((day) => {
    const hours = availability
      .filter(({ days }) => days.includes(day))
      .toSorted((a, b) => (a.start < b.start ? -1 : 1));
    const lines = Array.from({ length: Math.max(LINES_A_DAY, hours.length) }, (_, index) => hours[index]);
    return lines.map((line, index) => ({
      name: `${day}-${index}`,
      day,
      start: line?.start ?? '',
      end: line?.end ?? '',
    }));
  });
  const dates = overrides.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const empty = Array.from({ length: EMPTY_DATES }, () => ({ date: '', start: null, end: null }));
  return {
    timeZone,
    week,
    dates: [...dates, ...empty].map(({ date, start, end }, index) => ({
      name: `date-${index}`,
      day: date,
      start: start ?? '',
      end: end ?? '',
    })),
  };
}

/** The hours as they were typed, line by line. */
export function typedHours(sent: URLSearchParams): HoursForm {
  const values = new Map(sent);
  const text = (name: string): string => (values.get(name) ?? '').trim();
  const lineOf = (name: string, day: string): TypedHours => ({
    name,
    day,
    start: text(`${name}-start`),
    end: text(`${name}-end`),
  });
  const numbers = [...values.keys()].map((key) => LINE.exec(key)?.groups).filter((found) => found !== undefined);
  const linesOf = (prefix: string, dayOf: (name: string) => string) =>
    numbers
      .filter(({ list, number }) => list === prefix && Number(number) < MOST_LINES)
      .toSorted((a, b) => Number(a['number']) - Number(b['number']))
      .map(({ number }) => lineOf(`${prefix}-${number}`, dayOf(`${prefix}-${number}`)));
  return {
    timeZone: text('timeZone'),
    week: WEEK_DAYS.flatMap((day) => linesOf(day, () => day)),
    dates: linesOf('date', (name) => text(`${name}-day`)),
  };
}

/** Lines without hours are left out of the week, and days with the same hours are one entry; a date without hours is a day off. */
export function saidIn({ timeZone, week, dates }: HoursForm): SaidHours {
  const said = week.filter(({ start, end }) => start !== '' || end !== '');
  const ofWeek = [...Map.groupBy(said, ({ start, end }) => `${padded(start)} ${padded(end)}`).values()];
  const ofDates = dates.filter(({ day, start, end }) => day !== '' || start !== '' || end !== '');
  return {
    timeZone,
    availability: ofWeek.map((lines) => ({
      days: [...new Set(lines.map(({ day }) => day as WeekDay))],
      start: padded(lines[0]?.start ?? ''),
      end: padded(lines[0]?.end ?? ''),
    })),
    overrides: ofDates.map(({ day, start, end }) =>
      start === '' && end === ''
        ? { date: day, start: null, end: null }
        : { date: day, start: padded(start), end: padded(end) },
    ),
    lines: {
      availability: ofWeek.map((lines) => lines.map(({ name }) => name)),
      overrides: ofDates.map(({ name }) => [name]),
    },
  };
}

/** Mistakes of the command at the fields of the form. */
export function atFields(mistakes: readonly Mistake[], { lines }: SaidHours): readonly Mistake[] {
  return mistakes.flatMap(({ code, message, path }): readonly Mistake[] => {
    const [list = '', index = '', part = 'start'] = path ?? [];
    if (list === 'timeZone' || list === 'name') return [{ code, message, path: [list] }];
    const names = list === 'availability' || list === 'overrides' ? lines[list][Number(index)] : undefined;
    if (names === undefined) return [{ code, message }];
    const field = part === 'date' ? 'day' : part === 'end' ? 'end' : 'start';
    return names.map((name) => ({ code, message, path: [`${name}-${field}`] }));
  });
}

/** `9:00` is meant as `09:00`. */
function padded(time: string): string {
  return /^\d:\d\d$/.test(time) ? `0${time}` : time;
}

interface HoursView extends Pick<Showing<'save' | 'default'>, 'viewer' | 'csrf' | 'locale'> {
  /** The page of the schedule itself, where the form is sent. */
  readonly path: string;
  readonly schedule: { readonly name: string; readonly isDefault: boolean };
  /** Its name, as the form has it. */
  readonly typedName: string;
  readonly form: HoursForm;
  /** When the schedule was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** When a user can be booked: the week of a schedule, and dates with hours of their own. */
export function hoursView(page: HoursView): Html {
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
function weekPicture({ locale }: HoursView): Html {
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
function otherPart({ path, csrf, locale }: HoursView): Html {
  const { hours: words } = scheduleWords(locale);
  return html`<div class="actions">
      <form method="post" action="${path}/default">
        ${hiddenField('csrf', csrf.default)}
        <button type="submit" class="quiet">${words.makeDefault}</button>
      </form>
      <a class="button quiet danger" href="${path}/delete">${words.remove}</a>
    </div>`;
}

/** Any Monday: the names of a week's days are made from it and the six that follow. */
const MONDAY = Temporal.PlainDate.from('2024-01-01');

function dayPart(day: string, date: Temporal.PlainDate, page: HoursView): Html {
  const name = weekDayName(date, 'long', page.locale);
  const lines = page.form.week.filter((line) => line.day === day);
  return html`<fieldset class="day-hours" data-hours-of="${day}"><legend>${name}</legend>
          ${lines.map((line, index) => hoursFields(line, `${name}, ${index + 1}.`, page))}
        </fieldset>`;
}

function dateLine(line: TypedHours, index: number, page: HoursView): Html {
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

function hoursFields(line: TypedHours, what: string, { mistakes, locale }: HoursView): Html {
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
