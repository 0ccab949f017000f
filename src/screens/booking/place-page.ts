import { html } from 'hono/html';
import type { Page } from '../../core/page.ts';
import type { BookingOwner } from '../../modules/event-types/booking-url.queries.ts';
import type { EventTypeOnPlace } from '../../modules/event-types/public/offers.queries.ts';
import { lengthsOf } from '../../modules/event-types/settings/event-type-scheduling.rules.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { pager } from '../kit/page-parts.ts';
import { duration } from '../kit/when.ts';
import { authorLine } from './author-part.ts';
import { bookingLayout, logoPart } from './booking-layout.ts';

export interface PlacePage {
  readonly viewer: Viewer | undefined;
  readonly owner: BookingOwner;
  readonly eventTypes: Page<EventTypeOnPlace>;
}

/** What can be booked with a user or a team. */
export function placePage({ viewer, owner, eventTypes }: PlacePage): Html {
  const path = `/book/${owner.place}`;
  const content = html`<div class="place">
      ${logoPart(owner)}
      <h1><bdi>${owner.name}</bdi></h1>
      ${owner.organizationName === null ? '' : html`<p class="owner"><bdi>${owner.organizationName}</bdi></p>`}
      ${owner.bio === null ? '' : html`<p class="words bio"><bdi>${owner.bio}</bdi></p>`}
      <p>What would you like to book?</p>
      <ul class="offers">${eventTypes.rows.map((eventType) => offer(path, eventType))}</ul>
      ${pager(eventTypes, ({ id }) => [id], { path })}
    </div>`;
  return bookingLayout({ title: isolated(owner.name), content, viewer, brand: owner, shape: 'sheet' });
}

function offer(path: string, eventType: EventTypeOnPlace): Html {
  const { slug, title, description, managedBy } = eventType;
  return html`<li><a href="${path}/${slug}">
          <h2><bdi>${title}</bdi></h2>
          <p class="facts"><span>${lengthsOf(eventType).map(duration).join(', ')}</span></p>
          ${authorLine(managedBy)}
          ${description === null ? '' : html`<p class="words"><bdi>${description}</bdi></p>`}
        </a></li>`;
}

/** The name of a booking page's owner, with the organization of a team. */
export function ownerName({ name, organizationName }: BookingOwner): string {
  return organizationName === null ? name : `${name}, ${organizationName}`;
}
