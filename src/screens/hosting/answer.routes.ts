import { Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { networkOf } from '../../limits/network.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { bookingKeyOf } from '../../modules/bookings/booking-key.rules.ts';
import { findLinkedRequest, type LinkedRequest } from '../../modules/bookings/change/confirm-booking.ts';
import { isOver, requireNotOver } from '../../modules/bookings/locked-booking.ts';
import { findEventTypeRules } from '../../modules/event-types/public/event-type-rules.queries.ts';
import {
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { localeOf, setLocale } from '../kit/page-locale.ts';
import { seeOther } from '../kit/page-response.ts';
import { problemOf, sendError, sendForm } from '../kit/problem-response.ts';
import type { FormBack } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import { answerPage } from './answer-page.ts';
import { HOSTED_BOOKINGS_PATH } from './bookings.ts';
import { ACTIONS_OF_HOST, ANSWERS, type Answer, isDone, mistakesOf, reasonName } from './host-actions.ts';
import { bookingsWords } from './hosting-words.ts';

const ANSWER = `${HOSTED_BOOKINGS_PATH}/:uid{[\\w-]+}/answer/:token{[\\w-]+}`;
const ACTION = `${ANSWER}/:action{${ANSWERS.join('|')}}`;

/**
 * `/bookings/<uid>/answer/<token>`: a request, for the host to whose mailbox the token was sent, signed in or not. Opening it
 * changes nothing: programs follow the links of mails.
 */
export function answerRoutes(settings: BookingPagesSettings): Hono<BookingEnv> {
  const { em: globalEm, linkKey, visitors, addressOf } = settings;
  const routes = new Hono<BookingEnv>();
  routes.use(`${HOSTED_BOOKINGS_PATH}/:uid/answer/*`, admitVisitors(settings));
  routes.get(ANSWER, (c) => show(c));
  routes.post(ACTION, (c) => take(c));
  // A reader who loads a refused form again is led back.
  routes.get(ACTION, (c) => seeOther(c, pathOf(c)));
  return routes;

  async function show(c: BookingContext, refused?: FormBack<Answer>): Promise<Response> {
    const em = globalEm.fork();
    const linked = await findLinked(c);
    if (!linked) return answerNothing(c);
    const { booking, hostId } = linked;
    const clock = clockOf(await findUser(em, hostId));
    setLocale(c.req.raw, clock.locale);
    const isPast = isOver(booking, await databaseNow(em));
    const said = visitors.doneBefore(c);
    const done = ANSWERS.find((action) => action === said && isDone(action, booking));
    const session = c.get('session');
    const page = answerPage({
      viewer: session && asViewer(session),
      booking,
      eventType: await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId }),
      clock,
      isOver: isPast,
      forms: {
        possible: booking.status === 'PENDING' && !isPast ? ANSWERS : [],
        path: pathOf(c),
        csrf: visitors.formTokens(c, ANSWERS, purposeOf),
        open: refused?.name,
        reason: refused?.form.get(reasonName(refused.name)) ?? '',
      },
      mistakes: mistakesOf(refused, clock.locale),
      done: done && bookingsWords(clock.locale).actions[done].done,
    });
    return sendForm(c, page, refused?.problem, UNLISTED);
  }

  async function take(c: BookingContext): Promise<Response> {
    const action = c.req.param('action') as Answer;
    const linked = await findLinked(c);
    if (!linked) return answerNothing(c);
    const { form, forgery } = await visitors.readForm(c, purposeOf(action));
    const problem = forgery ?? (await problemOf(() => answer(c, action, linked, form)));
    if (problem && !(await wasDone(c, action, problem))) return show(c, { name: action, problem, form });
    return visitors.leadTo(c, pathOf(c), action);
  }

  /** @throws Problem */
  async function answer(
    c: BookingContext,
    action: Answer,
    { booking, hostId }: LinkedRequest,
    form: URLSearchParams,
  ): Promise<void> {
    const em = globalEm.fork();
    const { ownerId, id } = booking;
    requireNotOver(booking, await databaseNow(em));
    const acting = { ownerId, id, hostId, network: networkOf(addressOf(c)) };
    const reason = form.get(reasonName(action)) || null;
    await ACTIONS_OF_HOST[action].act(em, { acting, booking, eventType: undefined, form, reason });
  }

  /** The same form, sent twice at once: what is so by now is as its sender wants it. */
  async function wasDone(c: BookingContext, action: Answer, { code }: Problem): Promise<boolean> {
    const now = code === 'NOT_POSSIBLE' ? await findLinked(c) : undefined;
    return now !== undefined && isDone(action, now.booking);
  }

  async function findLinked(c: BookingContext): Promise<LinkedRequest | undefined> {
    const key = bookingKeyOf(c.req.param('uid') ?? '');
    return key && findLinkedRequest(globalEm.fork(), linkKey, key, c.req.param('token') ?? '');
  }
}

/** The path of the page, as its address has it. */
function pathOf(c: BookingContext): string {
  return `${HOSTED_BOOKINGS_PATH}/${c.req.param('uid')}/answer/${c.req.param('token')}`;
}

/** The same for an address that no mail has named, and for one that does not serve any more. */
function answerNothing(c: BookingContext): Response | Promise<Response> {
  return sendError(c, { status: 404, ...bookingsWords(localeOf(c)).answer.nothing }, UNLISTED);
}

function purposeOf(action: Answer): string {
  return `answer ${action}`;
}
