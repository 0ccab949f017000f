import { type Context, Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import type { Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { Selection } from '../../database/selection.ts';
import { once } from '../../limits/at-most-once.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { requireOwnId } from '../../modules/levels/not-found-here.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { colleagueCalled, isMemberOfAny } from '../../modules/schedules/colleague.ts';
import { createOutOfOffice } from '../../modules/schedules/create-out-of-office.ts';
import { deleteOutOfOffice } from '../../modules/schedules/delete-out-of-office.ts';
import { OutOfOffice } from '../../modules/schedules/out-of-office.entity.ts';
import { COLLEAGUE, OUT_OF_OFFICE } from '../../modules/schedules/out-of-office.queries.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { FormProblem, mistakesIn } from '../kit/mistakes.ts';
import { signedIn } from '../kit/page.ts';
import { SCRIPTED_HEADERS, seeOther } from '../kit/page-response.ts';
import { problemOf, sendForm } from '../kit/problem-response.ts';
import { newFormKey, requestIn } from '../kit/sent-form.ts';
import { asViewer } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import { absencesPage, type ShownAbsence, type TypedAbsence } from './absences-page.ts';
import { ABSENCES_PATH } from './hosting-paths.ts';
import { absenceWords } from './words/hosting-words.ts';

const SHOWN = new Selection(
  OutOfOffice,
  ['startsAt', 'endsAt', 'reason'],
  [{ part: COLLEAGUE, of: new Selection(User, ['name']) }],
);
const [ADD, REMOVE] = ['absence add', 'absence remove'];

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
    const fieldOf = (name: string): string => form.get(name) ?? '';
    const typed = {
      first: fieldOf('first'),
      last: fieldOf('last'),
      reason: fieldOf('reason'),
      standIn: fieldOf('standIn').trim(),
    };
    const act = async () => {
      const { timeZone } = await clock(session);
      const days = daysOf(typed, timeZone, session.userLocale);
      const redirectToUserId = typed.standIn === '' ? null : await colleagueCalled(em.fork(), typed.standIn);
      const absence = { ...days, reason: typed.reason, redirectToUserId };
      await once(em.fork(), requestIn({ ...session, form }, [ADD], typed), (inner) =>
        createOutOfOffice(inner, own(session.userId), absence),
      );
    };
    const problem = forgery ?? (await problemOf(act));
    return problem ? show(c, session, { typed, problem }) : visitors.leadTo(c, ABSENCES_PATH, 'added');
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, REMOVE);
    const act = async () => {
      const id = requireOwnId('outOfOffice', form.get('absence') ?? '', session.userId);
      await once(em.fork(), requestIn({ ...session, form }, [REMOVE], id), (inner) =>
        deleteOutOfOffice(inner, own(session.userId), id),
      );
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, session, { typed: NOTHING, problem });
    return visitors.leadTo(c, ABSENCES_PATH, 'removed');
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const locale = session.userLocale;
    const words = absenceWords(locale);
    const done = new Map(Object.entries(words.done)).get(visitors.doneBefore(c));
    const page = absencesPage({
      viewer: asViewer(session),
      absences: await absencesOf(session.userId, c.req.query('after')),
      clock: await clock(session),
      isInTeam: await isMemberOfAny(em.fork(), session.userId),
      typed: refused?.typed ?? NOTHING,
      csrf: { add: visitors.formToken(c, ADD), remove: visitors.formToken(c, REMOVE) },
      idempotencyKey: newFormKey(),
      mistakes: mistakesOf(refused?.problem, locale),
      done: refused ? undefined : done,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function absencesOf(userId: string, after: string | undefined): Promise<Page<ShownAbsence>> {
    const page = await ownedPage(em.fork(), OUT_OF_OFFICE, userId, pageRequest({ after }), SHOWN);
    const rows = page.rows.map((found) => {
      const { id, startsAt, endsAt, reason } = found;
      const { redirectTo } = found as { readonly redirectTo?: { readonly name: string } | null };
      const publicId = publicOwnedId('outOfOffice', { ownerId: userId, id });
      return { id, publicId, startsAt, endsAt, reason, standIn: redirectTo?.name };
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

const NOTHING: TypedAbsence = { first: '', last: '', reason: '', standIn: '' };

/** The time from the beginning of the first day to the end of the last one. @throws FormProblem for a text that is no date */
function daysOf({ first, last }: TypedAbsence, timeZone: string, locale: string) {
  const [from, to] = [dateOf(first), dateOf(last)];
  const wrong: readonly Mistake[] = [
    from ? [] : noDate('first', first, locale),
    to ? [] : noDate('last', last, locale),
  ].flat();
  FormProblem.throwIfAny(wrong);
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

function noDate(name: string, text: string, locale: string): Mistake {
  const { noDay, noDate: isNone } = absenceWords(locale);
  return { code: 'INVALID_DATE', message: text === '' ? noDay : isNone(shown(text)), path: [name] };
}

/** The command's fields, by those of the form. */
const FIELDS: ReadonlyMap<string, keyof TypedAbsence> = new Map([
  ['start', 'first'],
  ['end', 'last'],
  ['redirectToUserId', 'standIn'],
]);

/** The form has days and a username, where the command takes times and an id. */
function mistakesOf(problem: Problem | undefined, locale: string): readonly Mistake[] {
  const { fields, inverted, noColleague } = absenceWords(locale);
  const labels = { ...fields, start: fields.first, end: fields.last, redirectToUserId: fields.standIn };
  const texts = { INVERTED_RANGE: inverted, NOT_A_COLLEAGUE: noColleague };
  return mistakesIn(locale, problem, { labels, texts }).map((mistake) => {
    const [field = ''] = mistake.path ?? [];
    const name = FIELDS.get(field) ?? field;
    return name ? { ...mistake, path: [name] } : mistake;
  });
}
