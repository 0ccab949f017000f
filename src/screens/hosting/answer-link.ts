import { html } from 'hono/html';
import { ownedIdOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { networkOf } from '../../limits/network.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import { isOver, requireNotOver } from '../../modules/bookings/booking-transitions.rules.ts';
import { findLinkedRequest, type LinkedRequest } from '../../modules/bookings/change/confirm-booking.ts';
import {
  type BookableEventType,
  findEventTypeRules,
} from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { type BookingPagesSettings, UNLISTED, viewerIn } from '../booking/booking-visitor.ts';
import { BOOKING_STYLE, hrefOf } from '../kit/assets.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import {
  type DeclaredPage,
  type Onward,
  type OpenShowing,
  type OpenVisit,
  openPage,
  type PageForm,
} from '../kit/page.ts';
import { localeOf, setLocale } from '../kit/page-locale.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { sendError } from '../kit/problem-response.ts';
import type { SentForm } from '../kit/request.ts';
import { type Clock, clockOf } from '../kit/when.ts';
import { HOSTED_BOOKINGS_PATH, hostedBookingPath } from './bookings.ts';
import {
  ACTIONS_OF_HOST,
  ANSWERS,
  type Answer,
  type AnswerForms,
  answersPart,
  isDone,
  mistakesOf,
  reasonName,
} from './host-actions.ts';
import { attendeesPart, factsOf, reasonsOf, stateOf, whenPart } from './hosted-booking.ts';
import { type BookingsWords, bookingsWords } from './hosting-words.ts';

const PATH = `${HOSTED_BOOKINGS_PATH}/:booking{[\\w-]+}/answer/:token{[\\w-]+}`;

/**
 * `/bookings/<id>/answer/<token>`: a request, for the host to whose mailbox the token was sent, signed in or not. Opening it
 * changes nothing: programs follow the links of mails.
 */
export function answerPage({ linkKey, addressOf }: BookingPagesSettings): DeclaredPage {
  const find = ({ em, param }: OpenVisit): Promise<LinkedRequest | undefined> => {
    const key = ownedIdOf('booking', param('booking'));
    return key ? findLinkedRequest(em, linkKey, key, param('token')) : Promise.resolve(undefined);
  };
  const formOf = (action: Answer): PageForm<LinkedRequest, OpenVisit> => ({
    run: async (visit, linked, form): Promise<Onward> => {
      const done = { to: visit.path, done: action };
      try {
        await answer(visit, linked, { name: action, form }, networkOf(addressOf(visit.c)));
      } catch (error) {
        // The same form, sent twice at once: what is so by now is as its sender wants it.
        const isLate = error instanceof Problem && error.code === 'NOT_POSSIBLE';
        const now = isLate ? await find(visit) : undefined;
        if (!now || !isDone(action, now.booking)) throw error;
      }
      return done;
    },
  });
  return openPage({
    path: PATH,
    find,
    none: answerNothing,
    show,
    headers: UNLISTED,
    forms: { confirm: formOf('confirm'), decline: formOf('decline') },
  });
}

async function show(showing: OpenShowing<Answer>, { booking, hostId }: LinkedRequest): Promise<Html> {
  const { c, em, path, csrf, back } = showing;
  const clock = clockOf(await findUser(em, hostId));
  setLocale(c.req.raw, clock.locale);
  const isPast = isOver(booking, await databaseNow(em));
  const done = ANSWERS.find((action) => action === showing.done && isDone(action, booking));
  const isOpen = booking.status === 'PENDING' && !isPast;
  return answerView({
    viewer: viewerIn(c),
    booking,
    eventType: await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId }),
    clock,
    isOver: isPast,
    forms: {
      possible: isOpen ? ANSWERS : [],
      path,
      csrf,
      open: back?.name,
      reason: back?.form.get(reasonName(back.name)) ?? '',
    },
    mistakes: mistakesOf(back, clock.locale),
    done: done && bookingsWords(clock.locale).actions[done].done,
  });
}

/** @throws Problem */
async function answer(
  { em }: OpenVisit,
  { booking, hostId }: LinkedRequest,
  { name: action, form }: SentForm<Answer>,
  network: string,
): Promise<void> {
  requireNotOver(booking, await databaseNow(em));
  const { ownerId, id } = booking;
  const acting = { ownerId, id, hostId, network };
  const reason = form.get(reasonName(action)) || null;
  await ACTIONS_OF_HOST[action].act(em, { acting, booking, eventType: undefined, form, reason });
}

/** The same for an address that no mail has named, and for one that does not serve any more. */
function answerNothing({ c }: OpenVisit): Response | Promise<Response> {
  return sendError(c, { status: 404, ...bookingsWords(localeOf(c)).answer.nothing }, UNLISTED);
}

interface AnswerView {
  /** The signed-in user, if there is one: the host or not. */
  readonly viewer: Viewer | undefined;
  readonly booking: BookingRow;
  /** Undefined when it is gone. */
  readonly eventType: BookableEventType | undefined;
  /** The host's clock. */
  readonly clock: Clock;
  readonly isOver: boolean;
  readonly forms: AnswerForms;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** A request as the mail to its host leads to it. Once there is nothing to answer, it says what has become of it, and no more. */
function answerView(page: AnswerView): Html {
  const { viewer, booking, eventType, clock, isOver, forms, mistakes, done } = page;
  const { locale } = clock;
  const { title } = booking;
  const words = bookingsWords(locale);
  const state = stateOf(booking, isOver, words, locale);
  const isOpen = forms.possible.length > 0;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${isOpen ? html`${state.sentence}${factsOf(booking, clock, words)}` : settledPart(page, words)}
    </article>
    ${isOpen ? attendeesPart(booking, eventType, locale, words) : ''}
    ${answersPart(forms, mistakes, words)}
    <p class="aside">${isOpen ? words.answer.keepSecret : ''} ${words.answer.more(hostedBookingPath(booking))}</p>`;
  return layout({
    title: formTitle(words.answer.title(isolated(title)), mistakes, locale),
    content,
    corner: viewer,
    shape: 'sheet',
    head: html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">`,
    locale,
  });
}

function settledPart({ booking, clock, isOver }: AnswerView, words: BookingsWords): Html {
  const { status, rescheduledToId } = booking;
  const isUnanswered = status === 'PENDING' && isOver;
  return html`<p>${isUnanswered ? words.answer.over : words.answer.settled}</p>
      ${rescheduledToId === null ? '' : stateOf(booking, isOver, words, clock.locale).sentence}
      ${reasonsOf(booking)}
      <dl>${whenPart(booking, clock, words)}</dl>`;
}
