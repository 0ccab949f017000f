import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import { zoneName } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { eventTypePath } from '../event-types/event-types-page.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { SCHEDULES_PATH } from './hosting-paths.ts';
import type { ShownSchedule, UsingEventType } from './shown-schedules.queries.ts';
import { scheduleWords } from './words/schedule-words.ts';

export interface SchedulesPage {
  readonly viewer: Viewer;
  readonly schedules: Page<Pick<ShownSchedule, 'userId' | 'id' | 'name' | 'timeZone' | 'isDefault'>>;
  /** How many event types name each schedule, by the schedule's id. */
  readonly uses: ReadonlyMap<string, number>;
  /** The name of a new one, as it was typed. */
  readonly typed: string;
  /** With this, the form makes one schedule, however often it is sent. */
  readonly idempotencyKey: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function schedulePath({ userId, id }: Pick<ShownSchedule, 'userId' | 'id'>): string {
  return `${SCHEDULES_PATH}/${publicOwnedId('schedule', { ownerId: userId, id })}`;
}

/** The schedules of a user, and a form for one more. */
export function schedulesPage(page: SchedulesPage): Html {
  const { viewer, schedules, typed, idempotencyKey, csrf, done, locale } = page;
  const { list: words, hours } = scheduleWords(locale);
  const mistakes = aboutFields(['name'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${words.title}</h1>
    <p class="aside top">${words.intro}</p>
    <ul class="rows">${schedules.rows.map((one) => html`<li>${rowOf(one, page)}</li>`)}</ul>
    ${pager(schedules, ({ id }) => [id], { path: SCHEDULES_PATH, locale })}
    <article>
      <h2>${words.add}</h2>
      <form method="post" action="${SCHEDULES_PATH}" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ name: 'name', label: hours.name, autocomplete: 'off', value: typed, hint: words.addHint, locale }, mistakes)}
        <button type="submit">${words.addButton}</button>
      </form>
    </article>`;
  const title = formTitle(words.title, mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'hours', shape: 'sheet', head: SEND_ONCE_HEAD, locale });
}

function rowOf(schedule: SchedulesPage['schedules']['rows'][number], { uses, locale }: SchedulesPage): Html {
  const { list: words } = scheduleWords(locale);
  const { id, name, timeZone, isDefault } = schedule;
  const count = uses.get(id) ?? 0;
  const used = count > 0 ? words.uses(count) : isDefault ? words.usesDefault : words.unused;
  return html`<h2><a href="${schedulePath(schedule)}"><bdi>${name}</bdi></a> ${isDefault ? html`<mark>${words.isDefault}</mark>` : ''}</h2>
          <p class="facts"><span>${zoneName(timeZone)}</span> <span>${used}</span></p>`;
}

/** The event types that keep a schedule from being deleted, each with the way to its hours. */
export function usersPart(users: readonly UsingEventType[], count: number, locale: string): Html {
  const { question: words } = scheduleWords(locale);
  return html`<ul>
        ${users.map((one) => html`<li><a href="${eventTypePath(one)}?open=times"><bdi>${one.title}</bdi></a></li>`)}
        ${count > users.length ? html`<li>${words.further(count - users.length)}</li>` : ''}
      </ul>`;
}
