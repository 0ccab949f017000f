import { type Context, Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { Selection } from '../../database/selection.ts';
import { seeOther } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { requireOwnId } from '../../modules/levels/not-found-here.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { createOutOfOffice } from '../../modules/schedules/create-out-of-office.ts';
import { deleteOutOfOffice } from '../../modules/schedules/delete-out-of-office.ts';
import { OutOfOffice } from '../../modules/schedules/out-of-office.entity.ts';
import { OUT_OF_OFFICE } from '../../modules/schedules/out-of-office.queries.ts';
import { signedIn } from '../account/signed-in.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { clockOf } from '../kit/when.ts';
import { absencesPage, type ShownAbsence, type TypedAbsence } from './absences-page.ts';
import { ABSENCES_PATH } from './hosting-paths.ts';

const SHOWN = new Selection(OutOfOffice, ['startsAt', 'endsAt', 'reason']);
const [ADD, REMOVE] = ['absence add', 'absence remove'];
const DONE = new Map([
  ['added', 'Added.'],
  ['removed', 'The absence is removed.'],
]);

/** `/settings/absences`: when a user cannot be booked, in whole days. */
export function absencesRoutes({ em, visitors }: BookingPagesSettings): Hono {
  const routes = new Hono();
  routes.get(
    ABSENCES_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(ABSENCES_PATH, signedIn(visitors, add));
  routes.post(`${ABSENCES_PATH}/remove`, signedIn(visitors, remove));
  // For users who had to sign in before the form was taken, and come back.
  routes.get(`${ABSENCES_PATH}/remove`, (c) => seeOther(c, ABSENCES_PATH));
  return routes;

  async function add(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const typed = { first: form.get('first') ?? '', last: form.get('last') ?? '', reason: form.get('reason') ?? '' };
    const act = async () => {
      const { timeZone } = await clock(session);
      await createOutOfOffice(em.fork(), own(session.userId), { ...daysOf(typed, timeZone), reason: typed.reason });
    };
    const problem = forgery ?? (await problemOf(act));
    return problem ? show(c, session, { typed, problem }) : seeOther(c, `${ABSENCES_PATH}?done=added`);
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, REMOVE);
    const act = async () => {
      const id = requireOwnId('outOfOffice', form.get('absence') ?? '', session.userId);
      await deleteOutOfOffice(em.fork(), own(session.userId), id);
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, session, { typed: NOTHING, problem });
    return seeOther(c, `${ABSENCES_PATH}?done=removed`);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const page = absencesPage({
      viewer: asViewer(session),
      absences: await absencesOf(session.userId, c.req.query('after')),
      clock: await clock(session),
      typed: refused?.typed ?? NOTHING,
      csrf: { add: visitors.formToken(c, ADD), remove: visitors.formToken(c, REMOVE) },
      mistakes: refused ? refused.problem.mistakes.map(atField) : [],
      done: refused ? undefined : DONE.get(c.req.query('done') ?? ''),
    });
    return sendForm(c, page, refused?.problem);
  }

  async function absencesOf(userId: string, after: string | undefined): Promise<Page<ShownAbsence>> {
    const page = await ownedPage(em.fork(), OUT_OF_OFFICE, userId, pageRequest({ after }), SHOWN);
    const rows = page.rows.map(({ id, startsAt, endsAt, reason }) => {
      return { id, publicId: publicOwnedId('outOfOffice', { ownerId: userId, id }), startsAt, endsAt, reason };
    });
    return { ...page, rows };
  }

  async function clock({ userId }: FoundSession) {
    return clockOf(await findUser(em.fork(), userId));
  }
}

interface Refused {
  readonly typed: TypedAbsence;
  readonly problem: Problem;
}

const NOTHING: TypedAbsence = { first: '', last: '', reason: '' };

/** From the beginning of the first day to the end of the last one. @throws Problem for what is no date */
function daysOf({ first, last }: TypedAbsence, timeZone: string) {
  const [from, to] = [dateOf(first), dateOf(last)];
  const wrong: readonly Mistake[] = [from ? [] : noDate('first', first), to ? [] : noDate('last', last)].flat();
  Problem.throwIfAny(wrong);
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).toInstant();
  return { start: startOf(from as Temporal.PlainDate), end: startOf((to as Temporal.PlainDate).add({ days: 1 })) };
}

/** As a field for a date sends it; a year that the command refuses is none either. */
function dateOf(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

function noDate(name: string, text: string): Mistake {
  const message = text === '' ? 'Choose a day.' : `${shown(text)} is no day of the calendar; write it as 2027-01-31.`;
  return { code: 'INVALID_DATE', message, path: [name] };
}

/** The form has days, where the command takes times. */
function atField(mistake: Mistake): Mistake {
  if (mistake.path?.[0] === 'start') return { ...mistake, path: ['first'] };
  if (mistake.path?.[0] !== 'end') return mistake;
  const message = mistake.code === 'INVERTED_RANGE' ? 'The last day is before the first one.' : mistake.message;
  return { ...mistake, message, path: ['last'] };
}
