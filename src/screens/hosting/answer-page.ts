import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { BOOKING_STYLE, hrefOf } from '../kit/assets.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import type { Clock } from '../kit/when.ts';
import { hostedBookingPath } from './bookings.ts';
import { type AnswerForms, answersPart } from './host-actions.ts';
import { attendeesPart, factsOf, reasonsOf, stateOf, whenPart } from './hosted-booking.ts';
import { type BookingsWords, bookingsWords } from './hosting-words.ts';

export interface AnswerPage {
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
export function answerPage(page: AnswerPage): Html {
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

function settledPart({ booking, clock, isOver }: AnswerPage, words: BookingsWords): Html {
  const { status, rescheduledToId } = booking;
  const isUnanswered = status === 'PENDING' && isOver;
  return html`<p>${isUnanswered ? words.answer.over : words.answer.settled}</p>
      ${rescheduledToId === null ? '' : stateOf(booking, isOver, words, clock.locale).sentence}
      ${reasonsOf(booking)}
      <dl>${whenPart(booking, clock, words)}</dl>`;
}
