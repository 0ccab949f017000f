import { html } from 'hono/html';
import { type OwnedId, ownedIdOf, publicId, publicOwnedId } from '../../core/id.ts';
import { instantOf, zoneName } from '../../core/instant.ts';
import { listed } from '../../core/language.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import type { Em } from '../../database/sql.ts';
import { once, type RepeatableRequest, wasCarriedOut } from '../../limits/at-most-once.ts';
import { networkOf } from '../../limits/network.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import {
  type AttendeeRow,
  type BookingRow,
  findBooking,
  findSeriesNow,
} from '../../modules/bookings/booking.queries.ts';
import { findHistory } from '../../modules/bookings/booking-history.queries.ts';
import type { HistoryStage } from '../../modules/bookings/booking-history.rules.ts';
import { answeredQuestions } from '../../modules/bookings/booking-request.rules.ts';
import { type BookingStatus, isOver } from '../../modules/bookings/booking-transitions.rules.ts';
import { findRestOfSeries, isCutShort, type RestOfSeries } from '../../modules/bookings/change/cancel-booking.ts';
import { findUnsent, type UnsentMail } from '../../modules/bookings/mails/mail-outcomes.ts';
import {
  type BookableEventType,
  findEventTypeRules,
} from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { findHosts } from '../../modules/event-types/event-type-hosts.ts';
import { MAX_SEATS } from '../../modules/event-types/settings/scheduling.rules.ts';
import { countWaiting } from '../../modules/workflows/sendings/held-sendings.ts';
import { bookingPath } from '../booking/booking-address.ts';
import { type BookingPagesSettings, UNLISTED } from '../booking/booking-visitor.ts';
import { BOOKING_STYLE, hrefOf } from '../kit/assets.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, type Onward, type PageForm, page, type Showing, type Visit } from '../kit/page.ts';
import { answersPart, doneNotice, placeOf } from '../kit/page-parts.ts';
import { seeOther } from '../kit/page-response.ts';
import { sendError } from '../kit/problem-response.ts';
import { largeForm, requestIn, type SentForm } from '../kit/request.ts';
import { type Clock, clockOf, duration, inLanguage, longStart, longTime } from '../kit/when.ts';
import { HOSTED_BOOKINGS_PATH, hostedBookingPath } from './bookings.ts';
import { historyPart } from './history-part.ts';
import {
  ACTIONS_OF_HOST,
  type ActionForms,
  actionsPart,
  HOST_ACTIONS,
  type HostAction,
  isDone,
  mistakesOf,
  possibleActions,
  reasonName,
} from './host-actions.ts';
import { type BookingsWords, bookingsWords } from './hosting-words.ts';

/** Every attendee with a seat can be marked absent. */
const LIMITS = largeForm(MAX_SEATS);

interface Hosted {
  readonly booking: BookingRow;
  readonly eventType: BookableEventType | undefined;
}

/** `/bookings/<id>/host`: a booking with all that its hosts may know of it, and what they can do with it. */
export function hostedBookingPage({ addressOf }: Pick<BookingPagesSettings, 'addressOf'>): DeclaredPage {
  const formOf = (action: HostAction): PageForm<Hosted> => ({
    limits: LIMITS,
    run: (visit, hosted, form) => take(visit, hosted, { name: action, form }, networkOf(addressOf(visit.c))),
  });
  const forms = HOST_ACTIONS.map((action) => [action, formOf(action)] as const);
  return page({
    path: `${HOSTED_BOOKINGS_PATH}/:booking{[\\w-]+}/host`,
    find: findHosted,
    none: answerNoBooking,
    show,
    headers: UNLISTED,
    forms: Object.fromEntries(forms) as Record<HostAction, PageForm<Hosted>>,
  });
}

/** Finds the booking that the address names, if this user hosts it. */
async function findHosted({ em, session, param }: Visit): Promise<Hosted | undefined> {
  const named = ownedIdOf('booking', param('booking'));
  const booking = named && (await findBooking(em, named));
  if (!booking?.hostIds.includes(session.userId)) return undefined;
  return { booking, eventType: await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId }) };
}

/** The same for a text that is no id, for an unknown one, and for what somebody else hosts. */
async function answerNoBooking(visit: Visit, sent?: SentForm): Promise<Response> {
  const { c, em, locale } = visit;
  // A host who has handed it over and sends the form again does not host it any more.
  if (sent && (await wasCarriedOut(em, requestOf(visit, sent)))) return seeOther(c, HOSTED_BOOKINGS_PATH);
  return sendError(c, { status: 404, ...bookingsWords(locale).nothing }, UNLISTED);
}

function requestOf({ session, param }: Visit, { name, form }: SentForm): RepeatableRequest {
  return requestIn({ ...session, form }, ['host', name, param('booking')], {});
}

async function show(showing: Showing<HostAction>, hosted: Hosted): Promise<Html> {
  const { em, session, viewer, locale, csrf, idempotencyKey, back, done } = showing;
  const { booking, eventType } = hosted;
  const now = await databaseNow(em);
  const rest = await findRest(showing, hosted);
  const possible = possibleActions(booking, eventType, now);
  const canCancel = possible.includes('cancel');
  return hostedBookingView({
    unsent: await findUnsent(em, booking),
    waitingMessages: (await countWaiting(em, [booking.id])).get(booking.id) ?? 0,
    viewer,
    booking,
    eventType,
    clock: clockOf(await findUser(em, session.userId)),
    isOver: isOver(booking, now),
    series: await findOthers(em, booking, session.userId, now),
    history: await findHistory(em, booking),
    forms: {
      possible: canCancel || rest.cancellable.length === 0 ? possible : [...possible, 'cancel'],
      path: hostedBookingPath(booking),
      csrf,
      idempotencyKey,
      open: back?.name,
      reason: back?.form.get(reasonName(back.name)) ?? '',
      canCancel,
      cancellable: rest.cancellable.length,
      isForSeries: back !== undefined && isForSeries(back),
      otherHosts: await findOtherHosts(em, hosted),
      hostId: session.userId,
    },
    mistakes: mistakesOf(back, locale),
    done: doneWords(done, booking, rest, bookingsWords(locale)),
  });
}

/** @throws Problem */
async function take(
  visit: Visit,
  { booking, eventType }: Hosted,
  sent: SentForm<HostAction>,
  network: string,
): Promise<Onward> {
  const { em, session } = visit;
  const { name: action, form } = sent;
  const { ownerId, id } = booking;
  const acting = { ownerId, id, hostId: session.userId, network };
  const reason = form.get(reasonName(action)) || null;
  try {
    const act = (inner: Em) => ACTIONS_OF_HOST[action].act(inner, { acting, booking, eventType, form, reason });
    // The second of two clicks would end the uid that the first one has mailed.
    await (action === 'replace-link' ? once(em, requestOf(visit, sent), act) : act(em));
  } catch (error) {
    if (!(error instanceof Problem) || !(await wasDone(visit, sent, error))) throw error;
  }
  if (action !== 'reassign') return { to: hostedBookingPath(booking), done: isForSeries(sent) ? 'rest' : action };
  // The host whose part it was no longer sees the booking.
  await once(visit.em, requestOf(visit, sent), async () => {});
  return { to: HOSTED_BOOKINGS_PATH, done: 'reassign' };
}

/** Whether a refused form has already been carried out, sent twice at the same moment. Any other mistake is shown. */
async function wasDone(visit: Visit, sent: SentForm<HostAction>, { code }: Problem): Promise<boolean> {
  const now = await findHosted(visit);
  const { name: action } = sent;
  if (!now) return action === 'reassign' && code === 'NOT_FOUND';
  if (action === 'absence' || action === 'replace-link' || code !== 'NOT_POSSIBLE') return false;
  return isForSeries(sent) ? isCutShort(await findRest(visit, now)) : isDone(action, now.booking);
}

/** Whether all that remains of the booking's series is to be cancelled. */
function isForSeries({ name, form }: SentForm): boolean {
  return name === 'cancel' && form.has('series');
}

/** Finds the rest of a booking's series that its host can cancel. */
function findRest({ em, session }: Visit, { booking, eventType }: Hosted): Promise<RestOfSeries> {
  return findRestOfSeries(em, eventType?.rules, booking, { key: booking, callerId: session.userId });
}

/** The other bookings of a series that this user hosts, each as it is now; those of other hosts are not theirs to see. */
async function findOthers(em: Em, { ownerId, id, recurringId }: BookingRow, hostId: string, now: number) {
  if (recurringId === null) return undefined;
  const meetings = await findSeriesNow(em, { ownerId, id: recurringId }, hostId);
  return meetings
    .filter((one) => one.id !== id && one.madeId !== id)
    .map((one) => ({ ...one, ownerId, isOver: instantOf(one.end).epochMilliseconds <= now }));
}

/** Those hosts of the event type who are named and do not host the booking yet. */
async function findOtherHosts(em: Em, { booking, eventType }: Hosted) {
  if (!eventType || eventType.hosts.length <= booking.hosts.length) return [];
  const named = (await findHosts(em, [eventType])).get(eventType.id) ?? [];
  return named
    .filter(({ userId }) => !booking.hostIds.includes(userId))
    .map(({ user }) => ({ id: publicId('user', user.id), name: user.name }));
}

/** Says what was done just before, as long as that is still how things stand. */
function doneWords(
  done: string,
  booking: BookingRow,
  rest: RestOfSeries,
  { actions, restCancelled }: BookingsWords,
): string | undefined {
  if (done === 'rest') return isCutShort(rest) ? restCancelled : undefined;
  const action = HOST_ACTIONS.find((one) => one === done);
  return action && isDone(action, booking) ? actions[action].done : undefined;
}

interface HostedBookingView {
  readonly viewer: Viewer;
  readonly booking: BookingRow;
  /** Undefined when it is gone. */
  readonly eventType: BookableEventType | undefined;
  readonly clock: Clock;
  readonly isOver: boolean;
  /** The other bookings of its series that the viewer hosts; undefined where it stands alone. */
  readonly series: readonly HostedInSeries[] | undefined;
  /** The history since it was made, wherever it has moved. */
  readonly history: readonly HistoryStage[];
  /** The receivers who have had no mail about it yet, or get none. */
  readonly unsent: readonly UnsentMail[];
  /** How many messages of workflows about the booking wait for room. */
  readonly waitingMessages: number;
  readonly forms: ActionForms;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** A booking with all that its hosts may know of it, and what they can do with it. */
function hostedBookingView(page: HostedBookingView): Html {
  const { viewer, booking, eventType, clock, isOver, series, forms, mistakes, done } = page;
  const { title, description } = booking;
  const { locale } = viewer;
  const words = bookingsWords(locale);
  const state = stateOf(booking, isOver, words, locale);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <p class="crumbs"><a href="${HOSTED_BOOKINGS_PATH}">${words.title}</a></p>
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${state.sentence}
      ${reasonsOf(booking)}
      ${factsOf(booking, clock, words)}
      ${description === null ? '' : html`<p class="words"><bdi>${description}</bdi></p>`}
      ${unsentPart(page, words)}
    </article>
    ${attendeesPart(booking, eventType, locale, words)}
    ${hostedSeriesPart(series, clock, words)}
    ${actionsPart(booking, forms, mistakes, words)}
    ${historyPart(page.history, { booking, viewerId: forms.hostId, clock, words })}
    <p class="aside"><a href="${bookingPath(publicOwnedId('booking', booking))}">${words.asAttendee}</a></p>`;
  const head = html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">`;
  return layout({
    title: formTitle(isolated(title), mistakes, locale),
    content,
    corner: viewer,
    shape: 'sheet',
    head,
    locale,
  });
}

/** Says what has become of it, for its host. */
export function stateOf(booking: BookingRow, isOver: boolean, words: BookingsWords, locale: string) {
  const { status, ownerId, rescheduledToId, rescheduleRequested, attendees, hosts } = booking;
  if (rescheduledToId !== null) {
    const path = hostedBookingPath({ ownerId, id: rescheduledToId });
    return { kind: 'pending', mark: words.marks.moved, sentence: html`<p>${words.moved(path)}</p>` };
  }
  const names = listed(
    attendees.map(({ name }) => name),
    locale,
  );
  const isAsked = status === 'CANCELLED' && rescheduleRequested && attendees.length > 0;
  const more = status === 'PENDING' ? words.waiting : isAsked ? words.timeWanted(names, hosts.length === 1) : '';
  return { ...markOf({ ...booking, isOver }, words), sentence: more && html`<p>${more}</p>` };
}

export function reasonsOf({ cancellationReason, rejectionReason, reschedulingReason }: BookingRow): Html[] {
  return [cancellationReason, rejectionReason, reschedulingReason]
    .filter((reason) => reason !== null)
    .map((reason) => html`<blockquote class="words"><bdi>${reason}</bdi></blockquote>`);
}

export function factsOf(booking: BookingRow, clock: Clock, words: BookingsWords): Html {
  const { location, hosts } = booking;
  return html`<dl>
        ${whenPart(booking, clock, words)}
        ${location ? html`<dt>${words.where}</dt><dd>${placeOf(location, clock.locale)}</dd>` : ''}
        <dt>${words.host}</dt>
        <dd><bdi>${hosts.map(({ name, absent }) => (absent ? words.absentHost(name) : name)).join(', ')}</bdi></dd>
      </dl>`;
}

/** When it is, within a `dl`. */
export function whenPart({ start, end }: BookingRow, clock: Clock, words: BookingsWords): Html {
  const [from, to] = [instantOf(start), instantOf(end)];
  return html`<dt>${words.when}</dt>
        <dd><time datetime="${from.toString()}">${inLanguage(longTime(from, to, clock), clock)}</time><br>
          ${duration(to.since(from).total('minutes'), clock.locale)}, ${zoneName(clock.timeZone)}</dd>`;
}

/** Everybody who comes, with all that they have sent. */
export function attendeesPart(
  booking: BookingRow,
  eventType: BookableEventType | undefined,
  locale: string,
  words: BookingsWords,
): Html {
  const { attendees, seats } = booking;
  return html`<article>
      <h2>${seats ? words.attendees : words.attendee}</h2>
      ${attendees.length === 0 ? html`<p class="empty">${words.nobody}</p>` : ''}
      ${attendees.map((attendee) => attendeePart(attendee, eventType, locale, words))}
      ${guestsPart(booking, words)}
    </article>`;
}

function attendeePart(
  attendee: AttendeeRow,
  eventType: BookableEventType | undefined,
  locale: string,
  words: BookingsWords,
): Html {
  const { name, email, phone, timeZone, notes, absent, verified } = attendee;
  return html`<dl class="person">
        <dt>${words.name}</dt><dd><bdi>${name}</bdi>${absent ? html` <mark class="rejected">${words.absent}</mark>` : ''}</dd>
        <dt>${words.email}</dt>
        <dd><a href="mailto:${email}"><bdi>${email}</bdi></a>${verified ? '' : html` <small>${words.notVerified}</small>`}</dd>
        ${phone === null ? '' : html`<dt>${words.phone}</dt><dd><a href="tel:${phone}">${phone}</a></dd>`}
        <dt>${words.timeZone}</dt><dd>${zoneName(timeZone)}</dd>
        ${answersPart(answeredQuestions(attendee.responses, eventType?.bookingFields ?? []), locale)}
        ${notes === null ? '' : html`<dt>${words.notes}</dt><dd class="words"><bdi>${notes}</bdi></dd>`}
      </dl>`;
}

function guestsPart({ guestEmails, heldGuestEmails }: BookingRow, words: BookingsWords): Html | '' {
  if (guestEmails.length === 0) return '';
  const lines = guestEmails.map((email) => {
    const isHeld = heldGuestEmails.includes(email);
    return html`<li><bdi>${email}</bdi>${isHeld ? html` <small>${words.notInvited}</small>` : ''}</li>`;
  });
  return html`<h3>${words.guests}</h3><ul class="plain">${lines}</ul>`;
}

function unsentPart(
  { booking: { unsentMails }, unsent, waitingMessages }: HostedBookingView,
  words: BookingsWords,
): Html {
  const lines = unsent.map(({ mailbox, outcome }) => html`<li><bdi>${mailbox}</bdi>: ${words.outcomes[outcome]}</li>`);
  return html`${unsentMails === 0 ? '' : html`<p class="warning">${words.unsent(unsentMails)}</p>`}
      ${waitingMessages === 0 ? '' : html`<p class="hint">${words.waitingMessages(waitingMessages)}</p>`}
      ${lines.length === 0 ? '' : html`<h2>${words.notMailed}</h2><ul class="plain">${lines}</ul>`}`;
}

/** Another booking of a series, for one of its hosts. */
interface HostedInSeries extends OwnedId, Standing {
  /** RFC 3339 */
  readonly start: string;
}

/** The state of a booking that was not moved. */
interface Standing {
  readonly status: BookingStatus;
  readonly rescheduleRequested: boolean;
  readonly isOver: boolean;
}

interface Mark {
  /** Its class in the style sheet. */
  readonly kind: 'good' | 'pending' | 'rejected';
  readonly mark: string;
}

function markOf({ status, rescheduleRequested, isOver }: Standing, { marks }: BookingsWords): Mark {
  switch (status) {
    case 'PENDING':
      return { kind: 'pending', mark: marks.waiting };
    case 'REJECTED':
      return { kind: 'rejected', mark: marks.declined };
    case 'CANCELLED':
      return rescheduleRequested
        ? { kind: 'pending', mark: marks.timeWanted }
        : { kind: 'rejected', mark: marks.cancelled };
    default:
      return { kind: 'good', mark: isOver ? marks.over : marks.confirmed };
  }
}

/** The other bookings of a series that the reader hosts; undefined for a booking that stands alone. */
function hostedSeriesPart(
  series: readonly HostedInSeries[] | undefined,
  clock: Clock,
  words: BookingsWords,
): Html | '' {
  if (!series) return '';
  const items = series.map((one) => {
    const { kind, mark } = markOf(one, words);
    const when = inLanguage(longStart(instantOf(one.start), clock), clock);
    return html`<li><a href="${hostedBookingPath(one)}">${when}</a> <mark class="${kind}">${mark}</mark></li>`;
  });
  return html`<article>
      <h2>${words.series}</h2>
      ${items.length > 0 ? html`<ul class="series">${items}</ul>` : html`<p class="empty">${words.seriesElsewhere}</p>`}
    </article>`;
}
