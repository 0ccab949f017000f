import { html } from 'hono/html';
import type { Location } from '../../modules/event-types/settings/location.rules.ts';
import type { Html } from './layout.ts';

/** Where a booking takes place. A link that an attendee has said is no link of ours: only those of hosts were checked to be https. */
export function placeOf({ type, value }: Location): Html {
  if (type === 'LINK' && value !== null) return html`<a href="${value}" rel="noreferrer"><bdi>${value}</bdi></a>`;
  if (type === 'PHONE' && value !== null) return html`<a href="tel:${value}">${value}</a>`;
  return type === 'CONFERENCING' ? html`Video call (${value})` : html`<bdi class="words">${value}</bdi>`;
}
