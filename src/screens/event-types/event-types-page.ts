import { html } from 'hono/html';
import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager } from '../kit/page-parts.ts';
import { LINES } from './basics-part.ts';
import type { ShownEventType, Values } from './form-part.ts';

export const EVENT_TYPES_PATH = '/settings/event-types';

/** Of one event type, to change it. */
export function eventTypePath(eventType: OwnedId): string {
  return `${EVENT_TYPES_PATH}/${publicOwnedId('eventType', eventType)}`;
}

export interface EventTypesPage {
  readonly viewer: Viewer;
  readonly eventTypes: Page<ShownEventType>;
  /** Where all of them are booked, and one by its slug. */
  readonly placeUrl: string;
  readonly urlOf: (slug: string) => string;
  readonly typed: Values;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** What a user offers to book, and a form for more. */
export function eventTypesPage(page: EventTypesPage): Html {
  const { viewer, eventTypes, placeUrl, urlOf, typed, csrf, done } = page;
  const mistakes = aboutFields(['title', 'slug', 'lengthInMinutes'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your event types</h1>
    <p class="aside top">Your booking page shows all that are not hidden: <a href="${placeUrl}">${placeUrl}</a></p>
    ${
      eventTypes.rows.length === 0
        ? html`<p>You have no event types yet. Add one, and people can book it.</p>`
        : html`<ul class="rows">${eventTypes.rows.map((one) => html`<li>${rowOf(one, urlOf(one.slug))}</li>`)}</ul>`
    }
    ${pager(eventTypes, ({ id }) => [id], { path: EVENT_TYPES_PATH })}
    <article>
      <h2>Add an event type</h2>
      <form method="post" action="${EVENT_TYPES_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${textField({ name: 'title', ...LINES.title, autocomplete: 'off', value: typed['title'] ?? '' }, mistakes)}
        ${textField({ name: 'lengthInMinutes', ...LINES.lengthInMinutes, inputMode: 'numeric', autocomplete: 'off', value: typed['lengthInMinutes'] ?? '' }, mistakes)}
        ${textField({ name: 'slug', label: LINES.slug.label, hint: 'Made of the title where you leave it empty.', isOptional: true, autocomplete: 'off', value: typed['slug'] ?? '' }, mistakes)}
        <button type="submit">Add</button>
      </form>
    </article>`;
  return layout({ title: formTitle('Your event types', mistakes), content, corner: viewer, shape: 'sheet' });
}

function rowOf(eventType: ShownEventType, bookingUrl: string): Html {
  const { title, lengthInMinutes, hidden } = eventType;
  return html`<h2><a href="${eventTypePath(eventType)}"><bdi>${title}</bdi></a></h2>
          <p>${lengthInMinutes} minutes${hidden ? ', hidden' : ''} · <a href="${bookingUrl}">Booking page<span class="unseen"> of ${title}</span></a></p>`;
}
