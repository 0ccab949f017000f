import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import type { HistoryStage, KeptEntry } from '../../modules/bookings/booking-history.rules.ts';
import type { Html } from '../kit/layout.ts';
import { type Clock, inLanguage, longStart } from '../kit/when.ts';
import { hostedBookingPath } from './bookings.ts';
import type { Actor } from './hosting-words.en.ts';
import type { BookingsWords } from './hosting-words.ts';

interface Reading {
  readonly booking: BookingRow;
  /** Which host reads it. */
  readonly viewerId: string;
  readonly clock: Clock;
  readonly words: BookingsWords;
}

/**
 * Shows what has happened to a booking, wherever it has moved, oldest first. `stages`: in their order, with the one
 * that it has moved to.
 */
export function historyPart(stages: readonly HistoryStage[], reading: Reading): Html | '' {
  const [first] = stages;
  if (!first) return '';
  const { booking, clock, words } = reading;
  const { seats, attendees } = booking;
  const booker = seats ? undefined : attendees[0];
  const booked = words.history.booked(booker ? html`<bdi>${booker.name}</bdi>` : null);
  const shown = stages.findIndex(({ id }) => id === booking.id);
  const known = peopleOf(stages, reading);
  const entries = stages
    .slice(0, shown + 1)
    .flatMap((stage, index) =>
      stage.history.map((entry) => entryPart(entry, { ...reading, stage, next: stages[index + 1], known })),
    );
  return html`<article>
      <h2>${words.history.title}</h2>
      <ol class="history">${line(first.createdAt, booked, null, clock)}${entries}</ol>
    </article>`;
}

interface OfStage extends Reading {
  readonly stage: HistoryStage;
  /** The stage that it has moved to. */
  readonly next: HistoryStage | undefined;
  readonly known: People;
}

interface People {
  readonly names: Readonly<Record<string, string>>;
  /** The people who have hosted it at some time, whose names hosts see. */
  readonly hostIds: ReadonlySet<string>;
}

function peopleOf(stages: readonly HistoryStage[], { booking }: Reading): People {
  const handed = stages.flatMap(({ history }) => history).filter((entry) => entry.kind === 'HANDED_OVER');
  const former = handed.flatMap(({ fromHostId, toHostId }) => [fromHostId, toHostId ?? []].flat());
  const hostIds = new Set([...booking.hostIds, ...stages.flatMap((stage) => stage.hostIds), ...former]);
  return { names: Object.assign({}, ...stages.map(({ names }) => names)), hostIds };
}

function entryPart(entry: KeptEntry, of: OfStage): Html {
  const reason = 'reason' in entry ? entry.reason : null;
  return line(entry.at, sentenceOf(entry, of), reason, of.clock);
}

function line(at: string, sentence: Html | string, reason: string | null, clock: Clock): Html {
  const instant = instantOf(at);
  return html`<li><time datetime="${instant.toString()}">${inLanguage(longStart(instant, clock), clock)}</time>
        <p>${sentence}</p>
        ${reason === null ? '' : html`<blockquote class="words"><bdi>${reason}</bdi></blockquote>`}</li>`;
}

function sentenceOf(entry: KeptEntry, of: OfStage): Html | string {
  const words = of.words.history;
  const by = actorOf(entry.by, of);
  switch (entry.kind) {
    case 'CONFIRMED':
      return words.confirmed(by);
    case 'DECLINED':
      return words.declined(by);
    case 'RESCHEDULE_REQUESTED':
      return words.timeWanted(by);
    case 'CANCELLED':
      return words.cancelled(by);
    case 'MOVED':
      return words.moved(by, timeOf(of.stage, of), of.next ? timeOf(of.next, of) : html`…`);
    case 'HANDED_OVER': {
      const { fromHostId, toHostId } = entry;
      if (toHostId === null) return words.hostLeft(nameOf(fromHostId, of));
      return words.handedOver(by, fromHostId === entry.by ? null : nameOf(fromHostId, of), nameOf(toHostId, of));
    }
    case 'GUESTS_ADDED':
      return words.guestsAdded(by, entry.count);
    case 'GUESTS_INVITED':
      return words.guestsInvited;
    case 'ATTENDEE_ADDED':
      return words.attendeeAdded(by);
    case 'LOCATION_CHANGED':
      return words.placeChanged(by);
    case 'ABSENCE_MARKED':
      return words.absenceMarked(by);
    case 'UID_ROTATED':
      return words.linkReplaced(by);
    case 'DISOWNED':
      return words.disowned;
  }
}

/** The holder of the uid is the booker, where there are no seats. */
function actorOf(by: string | null, of: OfStage): Actor {
  const { seats, attendees } = of.booking;
  const { names, hostIds } = of.known;
  const booker = seats ? undefined : attendees[0];
  const name = by === null ? booker?.name : names[by];
  if (name === undefined) return null;
  // Hosts are not told which administrator did something, as in mails.
  const isShown = by === null || hostIds.has(by);
  return {
    name: isShown ? html`<bdi>${name}</bdi>` : html`${of.words.history.administrator}`,
    isReader: by === of.viewerId,
  };
}

function nameOf(hostId: string, { known: { names }, words: { history } }: OfStage): Html {
  const name = names[hostId];
  return name === undefined ? html`${history.aHost}` : html`<bdi>${name}</bdi>`;
}

/** The time of a stage, which leads its host to it. */
function timeOf({ id, start, hostIds }: HistoryStage, { booking, viewerId, clock }: OfStage): Html {
  const time = inLanguage(longStart(instantOf(start), clock), clock);
  if (id === booking.id || !hostIds.includes(viewerId)) return html`${time}`;
  return html`<a href="${hostedBookingPath({ ownerId: booking.ownerId, id })}">${time}</a>`;
}
