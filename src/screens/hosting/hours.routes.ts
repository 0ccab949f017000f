import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { once } from '../../limits/at-most-once.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { updateSchedule } from '../../modules/schedules/update-schedule.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { signedIn } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { SCRIPTED_HEADERS, seeOther } from '../kit/page-response.ts';
import { problemOf, sendError, sendForm } from '../kit/problem-response.ts';
import { type FormSent, savingOf, seenAt, seenBy } from '../kit/sent-form.ts';
import { asViewer } from '../kit/visitors.ts';
import { HOURS_PATH, SCHEDULES_PATH } from './hosting-paths.ts';
import { atFields, formOf, type HoursForm, LIMITS, saidIn, typedHours } from './hours-form.ts';
import { hoursPage } from './hours-page.ts';
import { schedulePath } from './schedules-page.ts';
import { findSchedule } from './shown-schedules.queries.ts';
import { scheduleWords } from './words/schedule-words.ts';

const FORM = 'hours';
const MAKE_DEFAULT = 'schedule default';
const ONE = `${SCHEDULES_PATH}/:id`;
const DONE = ['saved', 'added', 'default'] as const;

/**
 * `/settings/hours`, the week and the special dates of a user's default schedule, and `/settings/schedules/:id`, those of
 * any. Both pages send their form to the latter: another schedule may have become the default since the page was opened.
 */
export function hoursRoutes({ em, visitors }: BookingPagesSettings): Hono {
  const routes = new Hono();
  for (const path of [HOURS_PATH, ONE]) {
    routes.get(
      path,
      signedIn(visitors, (c, session) => show(c, session)),
    );
  }
  routes.post(ONE, signedIn(visitors, take, LIMITS));
  routes.post(`${ONE}/default`, signedIn(visitors, makeDefault));
  // For users who had to sign in before the form was taken, and come back.
  routes.get(`${ONE}/default`, (c) => seeOther(c, `${SCHEDULES_PATH}/${encodeURIComponent(c.req.param('id'))}`));
  return routes;

  async function makeDefault(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, MAKE_DEFAULT);
    const schedule = await findSchedule(em.fork(), session.userId, c.req.param('id') ?? '');
    if (!schedule) return answerNoSchedule(c);
    const act = () => updateSchedule(em.fork(), own(session.userId), schedule.id, { isDefault: true });
    const problem = forgery ?? (await problemOf(act));
    return problem ? show(c, session, { problem, sent: null }) : visitors.leadTo(c, schedulePath(schedule), 'default');
  }

  async function take(c: Context, session: FoundSession): Promise<Response> {
    const { form: sent, forgery } = await visitors.readForm(c, FORM);
    const schedule = await findSchedule(em.fork(), session.userId, c.req.param('id') ?? '');
    if (!schedule) return answerNoSchedule(c);
    const [form, name] = [typedHours(sent), sent.get('name')];
    const { timeZone, availability, overrides } = saidIn(form);
    const owner = { ...own(session.userId), lastSeen: seenAt(sent.get('updatedAt')) };
    const patch = { ...(name !== null && { name }), timeZone, availability, overrides };
    const request = savingOf(session.userId, sent, schedule.id);
    const act = () => once(em.fork(), request, (inner) => updateSchedule(inner, owner, schedule.id, patch));
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, session, { form, name, problem, sent: sent.get('updatedAt') });
    return visitors.leadTo(c, schedulePath(schedule), 'saved');
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const schedule = await findSchedule(em.fork(), session.userId, c.req.param('id'));
    if (!schedule) return answerNoSchedule(c);
    const { name, timeZone, availability, overrides, updatedAt, isDefault } = schedule;
    const locale = localeOf(c);
    const { hours: words } = scheduleWords(locale);
    const labels = { name: words.name, availability: words.week, overrides: words.dates };
    const said = mistakesIn(locale, refused?.problem, { labels });
    const page = hoursPage({
      viewer: asViewer(session),
      path: schedulePath(schedule),
      schedule: { name, isDefault },
      typedName: refused?.name ?? name,
      form: refused?.form ?? formOf(timeZone, availability, overrides),
      updatedAt: seenBy(updatedAt, refused),
      csrf: { save: visitors.formToken(c, FORM), makeDefault: visitors.formToken(c, MAKE_DEFAULT) },
      mistakes: refused?.form ? atFields(said, saidIn(refused.form)) : said,
      done: refused ? undefined : doneOf(c, visitors.doneBefore(c), isDefault),
      locale,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }
}

/** Says what was done, as long as that is still how things stand. */
function doneOf(c: Context, said: string, isDefault: boolean): string | undefined {
  const done = DONE.find((one) => one === said);
  return done === undefined || (done === 'default' && !isDefault) ? undefined : scheduleWords(localeOf(c)).done[done];
}

interface Refused extends FormSent {
  readonly form?: HoursForm;
  readonly name?: string | null;
  readonly problem: Problem;
}

/** The same for a text that is no id, for an unknown one, and for somebody else's. */
export function answerNoSchedule(c: Context): Response | Promise<Response> {
  return sendError(c, { status: 404, ...scheduleWords(localeOf(c)).none });
}
