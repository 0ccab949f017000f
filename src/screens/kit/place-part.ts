import { html } from 'hono/html';
import { awaitedLink, type BookedLocation } from '../../modules/bookings/booking-location.rules.ts';
import type { Html } from './layout.ts';

/** Where a booking takes place. A link that an attendee has said is no link of ours: only those of hosts were checked to be https. */
export function placeOf(location: BookedLocation): Html {
  const { type, value, url } = location;
  if (url !== undefined) return linkTo(url);
  if (type === 'LINK' && value !== null) return linkTo(value);
  if (type === 'PHONE' && value !== null) return html`<a href="tel:${value}">${value}</a>`;
  const awaited = awaitedLink(location);
  if (awaited !== undefined) return html`${awaited}`;
  return type === 'CONFERENCING' ? html`Video call (${value})` : html`<bdi class="words">${value}</bdi>`;
}

function linkTo(url: string): Html {
  return html`<a href="${url}" rel="noreferrer"><bdi>${url}</bdi></a>`;
}
