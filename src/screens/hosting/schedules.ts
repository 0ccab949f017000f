import { html } from 'hono/html';
import { type OwnedId, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { zoneName } from '../../core/instant.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { anyOf, type Em, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { once, SAME_TEXT } from '../../limits/at-most-once.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { createSchedule, deleteSchedule } from '../../modules/schedules/schedule.commands.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { findDefaultSchedules, findSchedules, SCHEDULES } from '../../modules/schedules/schedule.queries.ts';
import { eventTypePath } from '../event-types/event-types-page.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout } from '../kit/layout.ts';
import { always, page, type Showing, type Visit } from '../kit/page.ts';
import { doneNotice, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { sendError } from '../kit/problem-response.ts';
import { question } from '../kit/question.ts';
import { requestIn } from '../kit/request.ts';
import { scheduleWords } from './hosting-words.ts';

export const SCHEDULES_PATH = '/settings/schedules';

const LISTED = new Selection(Schedule, ['userId', 'id', 'name', 'timeZone', 'isDefault']);

/** `/settings/schedules`: a user's schedules, and a form for one more. */
export const schedulesPage = page({
  path: SCHEDULES_PATH,
  find: always,
  show: async (showing) => {
    const { c, session, locale, back, done } = showing;
    const request = pageRequest({ after: c.req.query('after') });
    const schedules = await ownedPage(showing.em, SCHEDULES, session.userId, request, LISTED);
    const ids = schedules.rows.map(({ id }) => id);
    const words = scheduleWords(locale);
    return schedulesView({
      ...showing,
      schedules,
      uses: await countUses(showing.em, session.userId, ids),
      typed: back?.form.get('name') ?? '',
      mistakes: showing.mistakes({ labels: { name: words.hours.name } }),
      done: done === 'deleted' ? words.done.deleted : undefined,
    });
  },
  headers: SCRIPTED_HEADERS,
  forms: {
    add: {
      at: '',
      run: async ({ em, session: { userId } }, _, form) => {
        const name = form.get('name') ?? '';
        const request = requestIn({ userId, form }, ['schedule add'], { name });
        const id = await once(em, request, (inner) => createSchedule(inner, own(userId), { name }), SAME_TEXT);
        return { to: schedulePath({ userId, id }), done: 'added' };
      },
    },
  },
});

/** Asks before a schedule is deleted; where it is in use, it says by which event types. */
export const deletionPage = question({
  path: `${SCHEDULES_PATH}/:id/delete`,
  find: findNamed,
  none: answerNoSchedule,
  ask: async ({ em, locale }, schedule) => {
    const { question: words } = scheduleWords(locale);
    const { userId: ownerId, id, isDefault } = schedule;
    const count = (await countUses(em, ownerId, [id])).get(id) ?? 0;
    const users = count === 0 ? [] : await findUsers(em, { ownerId, id });
    return {
      title: words.title(isolated(schedule.name)),
      explanation: isDefault ? words.isDefault : count > 0 ? words.inUse : words.unused,
      ...(count > 0 && { details: usersPart(users, count, locale) }),
      button: isDefault || count > 0 ? undefined : words.button,
      backPath: schedulePath(schedule),
    };
  },
  run: async ({ em, session }, { id }) => {
    await deleteSchedule(em, own(session.userId), id);
    return { to: SCHEDULES_PATH, done: 'deleted' };
  },
});

export function schedulePath({ userId, id }: Pick<ShownSchedule, 'userId' | 'id'>): string {
  return `${SCHEDULES_PATH}/${publicOwnedId('schedule', { ownerId: userId, id })}`;
}

/** The same for a text that is no id, for an unknown one, and for somebody else's. */
export function answerNoSchedule({ c, locale }: Visit): Response | Promise<Response> {
  return sendError(c, { status: 404, ...scheduleWords(locale).none });
}

type ShownSchedule = RowOf<typeof Schedule>;

/** Finds the user's own schedule that the address names; their default one where it names none. */
export function findNamed({ em, session, param }: Visit): Promise<ShownSchedule | undefined> {
  return findSchedule(em, session.userId, param('id') || undefined);
}

/** A user's own schedule by its public id; undefined names their default one. */
export async function findSchedule(
  em: Em,
  userId: string,
  named: string | undefined,
): Promise<ShownSchedule | undefined> {
  const whole = Selection.whole(Schedule);
  if (named === undefined) return (await findDefaultSchedules(em, [userId], whole)).get(userId);
  const id = ownedIdOf('schedule', named);
  return id?.ownerId === userId ? (await findSchedules(em, [id], whole))[0] : undefined;
}

/** The most event types that are named. */
const NAMED = 5;

/** How many of a user's event types name each of these schedules. */
async function countUses(
  em: Em,
  ownerId: string,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counted = selectFrom(EventType, { ownerId })
    .where('scheduleId', '=', anyOf(scheduleIds))
    .groupBy('scheduleId')
    .select(['scheduleId', sql<number>`count(*)::int`.as('count')]);
  return new Map((await rows(em, counted)).map(({ scheduleId, count }) => [scheduleId ?? '', count]));
}

/** The first of the event types that name a schedule. */
async function findUsers(em: Em, { ownerId, id }: OwnedId): Promise<readonly UsingEventType[]> {
  const using = selectFrom(EventType, { ownerId, scheduleId: id });
  return rows(em, using.select(['ownerId', 'id', 'title']).orderBy('id').limit(NAMED));
}

type UsingEventType = Pick<RowOf<typeof EventType>, 'ownerId' | 'id' | 'title'>;

interface SchedulesView extends Pick<Showing<'add'>, 'viewer' | 'csrf' | 'idempotencyKey' | 'locale'> {
  readonly schedules: Page<Pick<ShownSchedule, 'userId' | 'id' | 'name' | 'timeZone' | 'isDefault'>>;
  /** How many event types name each schedule, by the schedule's id. */
  readonly uses: ReadonlyMap<string, number>;
  /** The name of a new one, as it was typed. */
  readonly typed: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** The schedules of a user, and a form for one more. */
function schedulesView(page: SchedulesView): Html {
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
        ${hiddenField('csrf', csrf.add)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ name: 'name', label: hours.name, autocomplete: 'off', value: typed, hint: words.addHint, locale }, mistakes)}
        <button type="submit">${words.addButton}</button>
      </form>
    </article>`;
  const title = formTitle(words.title, mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'hours', shape: 'sheet', head: SEND_ONCE_HEAD, locale });
}

function rowOf(schedule: SchedulesView['schedules']['rows'][number], { uses, locale }: SchedulesView): Html {
  const { list: words } = scheduleWords(locale);
  const { id, name, timeZone, isDefault } = schedule;
  const count = uses.get(id) ?? 0;
  const used = count > 0 ? words.uses(count) : isDefault ? words.usesDefault : words.unused;
  return html`<h2><a href="${schedulePath(schedule)}"><bdi>${name}</bdi></a> ${isDefault ? html`<mark>${words.isDefault}</mark>` : ''}</h2>
          <p class="facts"><span>${zoneName(timeZone)}</span> <span>${used}</span></p>`;
}

/** The event types that keep a schedule from being deleted, each with the way to its hours. */
function usersPart(users: readonly UsingEventType[], count: number, locale: string): Html {
  const { question: words } = scheduleWords(locale);
  return html`<ul>
        ${users.map((one) => html`<li><a href="${eventTypePath(one)}?open=times"><bdi>${one.title}</bdi></a></li>`)}
        ${count > users.length ? html`<li>${words.further(count - users.length)}</li>` : ''}
      </ul>`;
}
