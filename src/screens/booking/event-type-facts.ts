import { html } from 'hono/html';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import type { LocationType, OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import type { Frequency, Recurrence } from '../../modules/event-types/settings/recurrence.rules.ts';
import type { Brand } from '../../modules/teams/inherited-profile.queries.ts';
import type { Html } from '../kit/layout.ts';
import { counted, duration, zoneName } from '../kit/when.ts';

/** An event type, and whose it is, for the pages on which it is booked. */
export interface EventTypeOnPage {
  readonly eventType: BookableEventType;
  /** The user or team, and the organization of the team. */
  readonly ownerName: string;
  readonly brand: Brand;
  /** The page's own path, which its links lead back to. */
  readonly path: string;
}

interface Facts {
  readonly lengthInMinutes: number;
  readonly timeZone: string;
}

/** What the booker should know before choosing a time. */
export function eventTypeFacts({ eventType }: EventTypeOnPage, { lengthInMinutes, timeZone }: Facts): Html {
  const { rules, locations } = eventType;
  const { recurrence, confirmation } = rules;
  return html`<dl>
        <dt>Length</dt><dd>${duration(lengthInMinutes)}</dd>
        ${locations.length > 0 ? html`<dt>Where</dt><dd>${locations.map((one) => html`<p><bdi>${locationName(one)}</bdi></p>`)}</dd>` : ''}
        ${recurrence ? html`<dt>Repeats</dt><dd>${everySoOften(recurrence)}, up to ${counted(recurrence.occurrences, 'time')}</dd>` : ''}
        ${confirmation.kind === 'ALWAYS' ? html`<dt>Confirmation</dt><dd>The host confirms each booking</dd>` : ''}
        <dt>Time zone</dt><dd>${zoneName(timeZone)} <a href="#timeZone">Change time zone</a></dd>
      </dl>`;
}

const NAMES: Readonly<Record<Exclude<LocationType, 'ADDRESS' | 'CONFERENCING'>, string>> = {
  LINK: 'Online; the link comes with the booking',
  PHONE: 'By phone; the number comes with the booking',
  ATTENDEE_ADDRESS: 'At an address that you say',
  ATTENDEE_PHONE: 'By phone; you are called',
  ATTENDEE_CHOICE: 'Where you say',
};

/** A location as everybody may know it: a link and a number belong to those who have booked. */
export function locationName({ label, type, value }: OfferedLocation): string {
  if (label !== null) return label;
  if (type === 'ADDRESS') return value ?? '';
  return type === 'CONFERENCING' ? `Video call (${value ?? ''})` : NAMES[type];
}

const UNITS: Readonly<Record<Frequency, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };

/** `Every week`, `Every 2 weeks` */
export function everySoOften({ frequency, interval }: Recurrence): string {
  const unit = UNITS[frequency];
  return interval === 1 ? `Every ${unit}` : `Every ${counted(interval, unit)}`;
}
