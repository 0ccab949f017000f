import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import { once, SAME_TEXT } from '../../limits/at-most-once.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { createSchedule } from '../../modules/schedules/create-schedule.ts';
import { deleteSchedule } from '../../modules/schedules/delete-schedule.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { SCHEDULES } from '../../modules/schedules/schedule.queries.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { isolated } from '../kit/layout.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { signedIn } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { outcomeOf, problemOf, sendForm } from '../kit/problem-response.ts';
import { newFormKey, requestIn } from '../kit/sent-form.ts';
import { asViewer } from '../kit/visitors.ts';
import { SCHEDULES_PATH } from './hosting-paths.ts';
import { answerNoSchedule } from './hours.routes.ts';
import { schedulePath, schedulesPage, usersPart } from './schedules-page.ts';
import { countUses, findSchedule, findUsers, type ShownSchedule } from './shown-schedules.queries.ts';
import { scheduleWords } from './words/schedule-words.ts';

const ONE = `${SCHEDULES_PATH}/:id`;
const [ADD, DELETE] = ['schedule add', 'schedule delete'];
const LISTED = new Selection(Schedule, ['userId', 'id', 'name', 'timeZone', 'isDefault']);

/** `/settings/schedules`: a user's schedules as a list, making and deleting one; the page of each is hours.routes.ts. */
export function schedulesRoutes({ em, visitors }: BookingPagesSettings): Hono {
  const routes = new Hono();
  routes.get(
    SCHEDULES_PATH,
    signedIn(visitors, (c, session) => list(c, session)),
  );
  routes.post(SCHEDULES_PATH, signedIn(visitors, add));
  routes.get(
    `${ONE}/delete`,
    ofOne((c, schedule, session) => askToDelete(c, schedule, session)),
  );
  routes.post(`${ONE}/delete`, signedIn(visitors, remove));
  return routes;

  async function list(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId } = session;
    const locale = localeOf(c);
    const schedules = await ownedPage(
      em.fork(),
      SCHEDULES,
      userId,
      pageRequest({ after: c.req.query('after') }),
      LISTED,
    );
    const { hours, done } = scheduleWords(locale);
    const page = schedulesPage({
      viewer: asViewer(session),
      schedules,
      uses: await countUses(
        em.fork(),
        userId,
        schedules.rows.map(({ id }) => id),
      ),
      typed: refused?.typed ?? '',
      idempotencyKey: newFormKey(),
      csrf: visitors.formToken(c, ADD),
      mistakes: mistakesIn(locale, refused?.problem, { labels: { name: hours.name } }),
      done: visitors.doneBefore(c) === 'deleted' && !refused ? done.deleted : undefined,
      locale,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function add(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const { userId } = session;
    const typed = form.get('name') ?? '';
    const request = requestIn({ userId, form }, [ADD], { name: typed });
    const { problem, result } = await outcomeOf(forgery, () =>
      once(em.fork(), request, (inner) => createSchedule(inner, own(userId), { name: typed }), SAME_TEXT),
    );
    if (problem) return list(c, session, { typed, problem });
    return visitors.leadTo(c, schedulePath({ userId, id: result }), 'added');
  }

  async function askToDelete(
    c: Context,
    schedule: ShownSchedule,
    session: FoundSession,
    problem?: Problem,
  ): Promise<Response> {
    const locale = localeOf(c);
    const { question: words } = scheduleWords(locale);
    const count = (await countUses(em.fork(), schedule.userId, [schedule.id])).get(schedule.id) ?? 0;
    const path = schedulePath(schedule);
    const key = { ownerId: schedule.userId, id: schedule.id };
    const users = count === 0 ? [] : await findUsers(em.fork(), key);
    const page = confirmPage({
      viewer: asViewer(session),
      title: words.title(isolated(schedule.name)),
      explanation: schedule.isDefault ? words.isDefault : count > 0 ? words.inUse : words.unused,
      ...(count > 0 && { details: usersPart(users, count, locale) }),
      button: schedule.isDefault || count > 0 ? undefined : words.button,
      action: `${path}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: path,
      mistakes: mistakesIn(locale, problem),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE);
    const schedule = await findSchedule(em.fork(), session.userId, c.req.param('id') ?? '');
    if (!schedule) return answerNoSchedule(c);
    const problem = forgery ?? (await problemOf(() => deleteSchedule(em.fork(), own(session.userId), schedule.id)));
    if (problem) return askToDelete(c, schedule, session, problem);
    return visitors.leadTo(c, SCHEDULES_PATH, 'deleted');
  }

  /** A handler for the user's own schedule that the address names. */
  function ofOne(handle: (c: Context, schedule: ShownSchedule, session: FoundSession) => Response | Promise<Response>) {
    return signedIn(visitors, async (c, session) => {
      const schedule = await findSchedule(em.fork(), session.userId, c.req.param('id') ?? '');
      return schedule ? handle(c, schedule, session) : answerNoSchedule(c);
    });
  }
}

interface Refused {
  readonly typed: string;
  readonly problem: Problem;
}
