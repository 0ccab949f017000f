import { html } from 'hono/html';
import { awaitedLink, type BookedLocation } from '../../modules/bookings/booking-location.rules.ts';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

/** Where a booking takes place; `leaving` are more attributes of a link. A link that an attendee has said is no link of ours: only those of hosts were checked to be https. */
export function placeOf(location: BookedLocation, locale = 'en', leaving: Html | '' = ''): Html {
  const { type, value, url } = location;
  if (url !== undefined) return linkTo(url, leaving);
  if (type === 'LINK' && value !== null) return linkTo(value, leaving);
  if (type === 'PHONE' && value !== null) return html`<a href="tel:${value}">${value}</a>`;
  const awaited = awaitedLink(location, locale);
  if (awaited !== undefined) return html`${awaited}`;
  return type === 'CONFERENCING'
    ? html`${pageWords(locale).videoCall(value)}`
    : html`<bdi class="words">${value}</bdi>`;
}

function linkTo(url: string, leaving: Html | ''): Html {
  return html`<a href="${url}"${leaving || html` rel="noreferrer"`}><bdi>${url}</bdi></a>`;
}
