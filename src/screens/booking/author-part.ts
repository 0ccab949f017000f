import { html } from 'hono/html';
import { type ManagingTeam, teamText } from '../../modules/event-types/managed-event-type.rules.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import type { Html } from '../kit/layout.ts';
import { bookingWords } from './words/booking-words.ts';

/** Names the team that has written the texts of a page about its member, where the member has not. */
export function authorPart(managedBy: ManagingTeam | null, locale: string): Html | '' {
  if (managedBy === null) return '';
  return html`<p class="author">${bookingWords(locale).author(teamText(managedBy, locale))}</p>`;
}

/** The author's line in a list of event types. */
export function authorLine(managedBy: ManagingTeam | null, locale: string): Html | '' {
  if (managedBy === null) return '';
  return html`<p class="author">${bookingWords(locale).by(teamText(managedBy, locale))}</p>`;
}

/** Where the form leads: to another site, which a team may have chosen. Hosts are named in ASCII, as look-alikes show there. */
export function departurePart(
  { successRedirectUrl, managedBy }: Pick<BookableEventType, 'successRedirectUrl' | 'managedBy'>,
  locale: string,
): Html | '' {
  if (successRedirectUrl === null) return '';
  const { host } = new URL(successRedirectUrl);
  const words = bookingWords(locale);
  const departure =
    managedBy === null ? words.departure(host) : words.departureOfTeam(host, teamText(managedBy, locale));
  return html`<p class="departure">${departure}</p>`;
}
