import { html } from 'hono/html';
import type { Mistake, Problem } from '../../core/problem.ts';
import type { Departure } from '../../modules/bookings/departures/departure.queries.ts';
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
import { pageWords } from '../kit/page-words.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { type Member, memberName, memberPath } from './member-page.ts';
import type { Place } from './place.ts';
import { memberWords, type RemovalWords } from './words/team-words.ts';

/** The leaver's choice of what becomes of their bookings. */
export interface TypedChoice {
  readonly upcomingBookings: DepartureChoice['upcomingBookings'];
  readonly ifNobodyIsFree: DepartureChoice['ifNobodyIsFree'];
  readonly reason: string;
}

export const KEEPS: TypedChoice = { upcomingBookings: 'KEEP', ifNobodyIsFree: null, reason: '' };

/** Reads the choice. A text that is none of the choices counts as the one that changes least. */
export function typedChoice(form: URLSearchParams): TypedChoice {
  return {
    upcomingBookings: DEPARTURE_BOOKINGS.find((one) => one === form.get('upcomingBookings')) ?? 'KEEP',
    ifNobodyIsFree: DEPARTURE_OTHERWISE.find((one) => one === form.get('ifNobodyIsFree')) ?? null,
    reason: form.get('reason') ?? '',
  };
}

/** As it is carried out: what is said about bookings that nobody can take holds where they are handed over. */
export function choiceOf({ upcomingBookings, ifNobodyIsFree: free, reason }: TypedChoice): DepartureChoice {
  const ifNobodyIsFree = upcomingBookings === 'REASSIGN' ? free : null;
  return { upcomingBookings, toUserId: null, ifNobodyIsFree, reason };
}

export interface RemovalPage {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly member: Member;
  /** Undefined for a member who has not accepted yet. */
  readonly departure: Departure | undefined;
  readonly typed: TypedChoice;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

const FIELDS = ['upcomingBookings', 'ifNobodyIsFree', 'reason'];

/** Asks before a membership ends, and what then becomes of the bookings. */
export function removalPage(page: RemovalPage): Html {
  const { viewer, place, member, departure, csrf, locale } = page;
  const { shown, path } = place;
  const mistakes = aboutFields(FIELDS, page.mistakes);
  const words = leavingWords(page);
  const title = words.title(isolated(memberName(member)), isolated(shown.name));
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${title}</h1>
      ${departure ? whatHappens(departure, page) : html`<p>${words.unanswered}</p>`}
      <form method="post" action="${memberPath(place, member)}/remove" novalidate>
        ${hiddenField('csrf', csrf)}
        ${departure && departure.upcomingBookingCount > 0 ? choices(departure, { ...page, mistakes }) : ''}
        <button type="submit" class="danger">${words.button}</button>
      </form>
      <p class="aside"><a href="${member.isOwn ? path : memberPath(place, member)}">${pageWords(locale).goBack}</a></p>
    </article>`;
  return layout({ title: formTitle(title, mistakes, locale), content, corner: viewer, shape: 'card', locale });
}

/** The words for a member who leaves, or for somebody who removes them. */
function leavingWords({ member, locale }: Pick<RemovalPage, 'member' | 'locale'>): RemovalWords['yours'] {
  const { yours, theirs } = memberWords(locale).removal;
  return member.isOwn ? yours : theirs;
}

function whatHappens(departure: Departure, page: RemovalPage): Html {
  const { eventTypes, eventTypeCount, managedEventTypes, managedEventTypeCount, ownUpcomingBookingCount } = departure;
  const { removal } = memberWords(page.locale);
  const words = leavingWords(page);
  const more = (count: number): Html | '' => (count > 0 ? html`<li>${removal.further(count)}</li>` : '');
  return html`<p>${page.place.kind.group.kind === 'organization' ? words.unseenWithTeams : words.unseen}</p>
      ${
        eventTypeCount === 0
          ? ''
          : html`<p>${words.hosted(eventTypeCount)}</p>
      <ul>${eventTypes.map(({ title, isOnlyHost }) => html`<li><bdi>${title}</bdi>${isOnlyHost ? removal.onlyHost : ''}</li>`)}${more(eventTypeCount - eventTypes.length)}</ul>`
      }
      ${
        managedEventTypeCount === 0
          ? ''
          : html`<p>${words.copies(managedEventTypeCount)}</p>
      <ul>${managedEventTypes.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}${more(managedEventTypeCount - managedEventTypes.length)}</ul>`
      }
      ${ownUpcomingBookingCount === 0 ? '' : html`<p>${words.own(ownUpcomingBookingCount)}</p>`}`;
}

function choices({ upcomingBookingCount: count }: Departure, page: RemovalPage): Html {
  const { typed, mistakes } = page;
  const { removal } = memberWords(page.locale);
  const words = leavingWords(page);
  const offered = count > MAX_SETTLED_BOOKINGS ? (['KEEP'] as const) : DEPARTURE_BOOKINGS;
  return html`<fieldset id="upcomingBookings"><legend>${words.question(count)}</legend>
          ${offered.map((one) => checkBox({ name: 'upcomingBookings', type: 'radio', value: one, label: words.choices[one], isChecked: one === typed.upcomingBookings }))}
          ${mistakeOf('upcomingBookings', mistakes)}
        </fieldset>
        ${
          offered.length === 1
            ? html`<p class="aside">${removal.onlyKeep}</p>`
            : html`<p class="aside apart">${words.withOthers}</p>
        ${selectField(
          {
            name: 'ifNobodyIsFree',
            label: removal.otherwise,
            value: typed.ifNobodyIsFree ?? '',
            options: [
              ['', removal.doNothing],
              ['KEEP', words.keepOne],
              ['CANCEL', removal.cancelOne],
            ],
          },
          mistakes,
        )}
        ${textArea({ name: 'reason', label: removal.reason, value: typed.reason, rows: 3, isOptional: true, hint: removal.reasonHint }, mistakes)}`
        }`;
}

/** Words the commands' mistakes, which are meant for apps, for somebody before the form. */
export function removalMistakes(problem: Problem | undefined, locale: string): readonly Mistake[] {
  const { fields: labels, mistakes, nobodyFor } = memberWords(locale).removal;
  const [, count = ''] = /there are (\d+)/.exec(problem?.message ?? '') ?? [];
  return mistakesIn(locale, problem, { labels, texts: { ...mistakes, HOST_NOT_AVAILABLE: nobodyFor(count) } });
}
