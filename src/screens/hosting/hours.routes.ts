import { type Context, Hono } from 'hono';
import { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { seeOther } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { findDefaultSchedules } from '../../modules/schedules/schedule.queries.ts';
import { updateSchedule } from '../../modules/schedules/update-schedule.ts';
import { signedIn } from '../account/signed-in.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { seenAt } from '../kit/seen-at.ts';
import { HOURS_PATH } from './hosting-paths.ts';
import { atFields, formOf, type HoursForm, saidIn, typedHours } from './hours-form.ts';
import { hoursPage } from './hours-page.ts';

const FORM = 'hours';

/** `/settings/hours`: the week and the special dates of a user's default schedule. */
export function hoursRoutes({ em, visitors }: BookingPagesSettings): Hono {
  const routes = new Hono();
  routes.get(
    HOURS_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(HOURS_PATH, signedIn(visitors, take));
  return routes;

  async function take(c: Context, session: FoundSession): Promise<Response> {
    const { form: sent, forgery } = await visitors.readForm(c, FORM);
    const form = typedHours(sent);
    const problem = forgery ?? (await problemOf(() => save(em.fork(), session.userId, form, sent.get('updatedAt'))));
    return problem ? show(c, session, { form, problem }) : seeOther(c, `${HOURS_PATH}?done=saved`);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const schedule = await requireDefault(em.fork(), session.userId);
    const { name, timeZone, availability, overrides, updatedAt } = schedule;
    const page = hoursPage({
      viewer: asViewer(session),
      scheduleName: name,
      form: refused?.form ?? formOf(timeZone, availability, overrides),
      updatedAt,
      csrf: visitors.formToken(c, FORM),
      mistakes: refused ? atFields(refused.problem.mistakes, saidIn(refused.form)) : [],
      done: c.req.query('done') === 'saved' && !refused ? 'Saved.' : undefined,
    });
    return sendForm(c, page, refused?.problem);
  }
}

interface Refused {
  readonly form: HoursForm;
  readonly problem: Problem;
}

/** @throws Problem CONFLICT where it was changed elsewhere since the form was shown; mistakes of the hours */
async function save(em: Em, userId: string, form: HoursForm, seen: string | null): Promise<void> {
  const { id } = await requireDefault(em, userId);
  const { timeZone, availability, overrides } = saidIn(form);
  const lastSeen = seenAt(seen);
  await updateSchedule(em, { ...own(userId), lastSeen }, id, { timeZone, availability, overrides });
}

async function requireDefault(em: Em, userId: string) {
  const schedule = (await findDefaultSchedules(em, [userId], Selection.whole(Schedule))).get(userId);
  if (schedule) return schedule;
  throw new Problem('NOT_FOUND', 'You have no default schedule.');
}
