import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { cancelBooking, cancelSeries, isCutShort } from '../../modules/bookings/change/cancel-booking.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { bookingPath } from '../booking/booking-address.ts';
import { wordsOf } from '../booking/booking-form.ts';
import { bookingLayout } from '../booking/booking-layout.ts';
import { actorOf, type BookingPagesSettings, readerOfBooking, UNLISTED } from '../booking/booking-visitor.ts';
import { aboutFields, checkBox, formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, type Onward, type OpenShowing, type OpenVisit, openPage } from '../kit/page.ts';
import { seeOther } from '../kit/page-response.ts';
import { pageWords } from '../kit/page-words.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { BOOKED_PATH, bookedWords, findBooked, noBooking } from './booking-page.ts';

/** The codes by which a form that comes a second time is refused: nothing is left to cancel, or it is too late for all that is left. */
const LATE: readonly string[] = ['NOT_POSSIBLE', 'CANCELLING_DISABLED'];

/** `/bookings/<uid>/cancel`: asks once more before a booking is cancelled, its series, or a seat is given back. */
export function cancelPage(settings: BookingPagesSettings): DeclaredPage {
  return openPage({
    path: `${BOOKED_PATH}/cancel`,
    find: findBooked(settings),
    none: noBooking(settings),
    show,
    headers: UNLISTED,
    forms: { cancel: { at: '', run: (visit, booking, form) => take(visit, booking, form, settings) } },
  });
}

async function take(
  { c, em }: OpenVisit,
  { eventType, confirmation, key, nameOf, hostId }: BookingForPage,
  form: URLSearchParams,
  settings: BookingPagesSettings,
): Promise<Onward> {
  const to = bookingPath(confirmation.name);
  const cancellation = { key, reason: form.get('reason') ?? '', callerId: hostId, by: actorOf(c, settings) };
  const isForAll = form.get('which') === 'all';
  try {
    await (isForAll ? cancelSeries : cancelBooking)(em, eventType?.rules, cancellation);
    return { to, done: isForAll ? 'rest' : 'cancelled' };
  } catch (error) {
    if (!(error instanceof Problem && LATE.includes(error.code))) throw error;
    // The same form, sent twice: what is cancelled by now is as its sender wants it.
    const now = await findBookingForPage(em, key, { nameOf, hostId });
    if (now && isForAll && isCutShort(now.rest)) return { to, done: 'rest' };
    if (now && !isForAll && now.confirmation.status === 'CANCELLED') return { to };
    throw error;
  }
}

async function show(showing: OpenShowing<'cancel'>, booking: BookingForPage): Promise<Html | Response> {
  const { c, em, csrf, back } = showing;
  const { name, title, start, end } = booking.confirmation;
  const { cancellable } = booking.rest;
  // A booking that cannot be cancelled shows why on its own page.
  if (!back && !booking.canCancel && cancellable.length === 0) return seeOther(c, bookingPath(name));
  const { viewer, clock } = await readerOfBooking(em, c, booking);
  const inWords = (one: { readonly start: string; readonly end: string }): Html =>
    inLanguage(longTime(instantOf(one.start), instantOf(one.end), clock), clock);
  return cancelView({
    viewer,
    brand: booking.brand,
    path: bookingPath(name),
    title,
    when: inWords({ start, end }),
    canCancel: booking.canCancel,
    remaining: cancellable.map(inWords),
    isForAll: back?.form.get('which') === 'all',
    reason: back?.form.get('reason') ?? '',
    needsReason: booking.actor === 'HOST',
    mistakes: (back?.problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, clock.locale)),
    csrf: csrf.cancel,
    locale: clock.locale,
  });
}

interface CancelView {
  readonly viewer: Viewer | undefined;
  readonly brand: Brand;
  /** The booking's own page. */
  readonly path: string;
  readonly title: string;
  /** In words, in the reader's zone. */
  readonly when: Html;
  readonly reason: string;
  /** This booking alone can be cancelled. */
  readonly canCancel: boolean;
  /** When those of its series are that can be cancelled with it, in words: with more than this one, there is a choice. */
  readonly remaining: readonly Html[];
  /** All of these were chosen. */
  readonly isForAll: boolean;
  /** A host has to say why. */
  readonly needsReason: boolean;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Asks once more, and why. */
function cancelView(page: CancelView): Html {
  const { viewer, brand, path, title, when, reason, needsReason, csrf, locale } = page;
  const hasChoice = page.remaining.length > (page.canCancel ? 1 : 0);
  const { why, cancel: words } = bookedWords(locale);
  const mistakes = aboutFields(['reason'], page.mistakes);
  const label = needsReason ? why : `${why} ${pageWords(locale).optional}`;
  const { hint } = words;
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.heading(html`<bdi>${title}</bdi>`)}</h1>
      <p>${words.bookedFor(when)}</p>
      <form method="post" action="${path}/cancel" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hasChoice ? choicePart(page) : ''}
        ${textArea({ name: 'reason', label, value: reason, rows: 3, isOptional: !needsReason, hint }, mistakes)}
        <button type="submit" class="danger">${words.button}</button>
      </form>
      <p class="aside"><a href="${path}">${words.keep}</a></p>
    </article>`;
  return bookingLayout({
    title: formTitle(words.title(isolated(title)), mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    locale,
  });
}

/** The choice of which bookings of a series to cancel: this one, or all that remain. */
function choicePart({ when, canCancel, remaining, isForAll, locale }: CancelView): Html {
  const words = bookedWords(locale).cancel.series;
  const all = words.all(remaining.length);
  const times = html`<ul class="series">${remaining.map((time) => html`<li>${time}</li>`)}</ul>`;
  if (!canCancel) return html`${hiddenField('which', 'all')}<p>${all}</p>${times}`;
  return html`<fieldset><legend>${words.which}</legend>
          ${checkBox({ type: 'radio', name: 'which', value: 'this', label: words.one(when), isChecked: !isForAll })}
          ${checkBox({ type: 'radio', name: 'which', value: 'all', label: all, isChecked: isForAll })}
          ${times}
        </fieldset>`;
}
