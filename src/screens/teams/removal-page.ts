import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { type Departure, MAX_COUNTED } from '../../modules/bookings/departures/departure.queries.ts';
import {
  DEPARTURE_BOOKINGS,
  DEPARTURE_OTHERWISE,
  type DepartureChoice,
  MAX_SETTLED_BOOKINGS,
} from '../../modules/bookings/departures/departure-choice.rules.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeOf,
  mistakeSummary,
  selectField,
  textArea,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type Member, memberName, memberPath } from './member-page.ts';
import type { Place } from './place.ts';

/** What becomes of the leaver's bookings, as it was chosen. */
export interface TypedChoice {
  readonly bookings: DepartureChoice['bookings'];
  readonly otherwise: DepartureChoice['otherwise'];
  readonly reason: string;
}

export const KEEPS: TypedChoice = { bookings: 'KEEP', otherwise: null, reason: '' };

/** What is not among the choices is what changes least. */
export function typedChoice(form: URLSearchParams): TypedChoice {
  return {
    bookings: DEPARTURE_BOOKINGS.find((one) => one === form.get('bookings')) ?? 'KEEP',
    otherwise: DEPARTURE_OTHERWISE.find((one) => one === form.get('otherwise')) ?? null,
    reason: form.get('reason') ?? '',
  };
}

/** As it is carried out: what is said about bookings that nobody can take holds where they are handed over. */
export function choiceOf({ bookings, otherwise, reason }: TypedChoice): DepartureChoice {
  return { bookings, hostId: null, otherwise: bookings === 'REASSIGN' ? otherwise : null, reason };
}

export interface RemovalPage {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly member: Member;
  /** Undefined for who has not accepted yet. */
  readonly departure: Departure | undefined;
  readonly typed: TypedChoice;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
}

const FIELDS = ['bookings', 'otherwise', 'reason'];

/** Asks before a membership ends, and what then becomes of the bookings. */
export function removalPage(page: RemovalPage): Html {
  const { viewer, place, member, departure, csrf } = page;
  const { shown, path } = place;
  const mistakes = aboutFields(FIELDS, page.mistakes.map(atField));
  const name = memberName(member);
  const title = member.isOwn
    ? `Leave ${isolated(shown.name)}?`
    : `Remove ${isolated(name)} from ${isolated(shown.name)}?`;
  const button = member.isOwn ? 'Leave' : 'Remove';
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>${title}</h1>
      ${departure ? whatHappens(departure, page) : html`<p>They have not accepted yet; the invitation is then over.</p>`}
      <form method="post" action="${memberPath(place, member)}/remove" novalidate>
        ${hiddenField('csrf', csrf)}
        ${departure && departure.upcomingBookingCount > 0 ? choices(departure, { ...page, mistakes }) : ''}
        <button type="submit" class="danger">${button}</button>
      </form>
      <p class="aside"><a href="${member.isOwn ? path : memberPath(place, member)}">Go back</a></p>
    </article>`;
  return layout({ title: formTitle(title, mistakes), content, corner: viewer, shape: 'card' });
}

function whatHappens(departure: Departure, { place, member }: RemovalPage): Html {
  const { isOwn } = member;
  const { eventTypes, eventTypeCount, managedEventTypes, managedEventTypeCount, ownUpcomingBookingCount } = departure;
  const [who, whose] = isOwn ? ['You', 'your'] : ['They', 'their'];
  const left = place.kind.group.kind === 'organization' ? `${who} leave its teams as well.` : '';
  return html`<p>${who} do not see it any more, and cannot be booked through it. ${left}</p>
      ${
        eventTypeCount === 0
          ? ''
          : html`<p>${who} no longer host ${counted(eventTypeCount, 'event type')}:</p>
      <ul>${eventTypes.map(({ title, isOnlyHost }) => html`<li><bdi>${title}</bdi>${isOnlyHost ? ', which nobody else hosts: it is not offered until somebody does' : ''}</li>`)}${more(eventTypeCount - eventTypes.length)}</ul>`
      }
      ${
        managedEventTypeCount === 0
          ? ''
          : html`<p>${isOwn ? 'Your' : 'Their'} copies of ${counted(managedEventTypeCount, 'managed event type')} are deleted:</p>
      <ul>${managedEventTypes.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}${more(managedEventTypeCount - managedEventTypes.length)}</ul>`
      }
      ${ownUpcomingBookingCount === 0 ? '' : html`<p>${counted(ownUpcomingBookingCount, 'upcoming booking')} of event types of ${whose} own ${ownUpcomingBookingCount === 1 ? 'stays' : 'stay'} ${isOwn ? 'yours' : 'theirs'}.</p>`}`;
}

function counted(count: number, noun: string): string {
  if (count >= MAX_COUNTED) return `${MAX_COUNTED} ${noun}s or more`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function more(count: number): Html | '' {
  return count > 0 ? html`<li>and ${count} more</li>` : '';
}

function choices({ upcomingBookingCount: count }: Departure, { member, typed, mistakes }: RemovalPage): Html {
  const who = member.isOwn ? 'you' : 'they';
  const says: Readonly<Record<DepartureChoice['bookings'], string>> = {
    KEEP: `Keep: ${who} still host them`,
    REASSIGN: 'Reassign: each gets another host who has time',
    CANCEL: 'Cancel: all who come are told',
  };
  const offered = count > MAX_SETTLED_BOOKINGS ? (['KEEP'] as const) : DEPARTURE_BOOKINGS;
  return html`<fieldset id="bookings"><legend>What becomes of ${counted(count, 'upcoming booking')} that ${who} host?</legend>
          ${offered.map((one) => checkBox({ name: 'bookings', type: 'radio', value: one, label: says[one], isChecked: one === typed.bookings }))}
          ${mistakeOf('bookings', mistakes)}
        </fieldset>
        ${
          offered.length === 1
            ? html`<p class="aside">There are more than ${MAX_SETTLED_BOOKINGS}: to reassign or cancel them, begin in the list of bookings.</p>`
            : html`<p class="aside apart">Where others host a booking as well and nobody takes turns, they do it without ${member.isOwn ? 'you' : 'them'}, unless it is kept.</p>
        ${selectField(
          {
            name: 'otherwise',
            label: 'Where nobody has time to take it',
            value: typed.otherwise ?? '',
            options: [
              ['', 'Do nothing yet, and tell me'],
              ['KEEP', `Keep: ${who} still host it`],
              ['CANCEL', 'Cancel'],
            ],
          },
          mistakes,
        )}
        ${textArea({ name: 'reason', label: 'Reason (needed to cancel)', value: typed.reason, rows: 3, isOptional: true, hint: 'The hosts and all who come can read it.' }, mistakes)}`
        }`;
}

/** What commands say to apps, as somebody before the form understands it. */
function atField(mistake: Mistake): Mistake {
  const { code, message } = mistake;
  if (code === 'HOST_NOT_AVAILABLE') {
    const [, count = 'some'] = /there are (\d+)/.exec(message) ?? [];
    return { ...mistake, message: `Nobody else has time for ${count} of the bookings; choose what becomes of those.` };
  }
  if (code === 'TOO_MANY') return { ...mistake, message: message.replace(/, or choose .*$/s, ', or keep them.') };
  return mistake;
}
