import { html } from 'hono/html';
import { type AppUse, MAX_COUNTED } from '../../modules/bookings/conferencing/app-use.queries.ts';
import { isOAuthApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import { eventTypePath } from '../event-types/event-types-page.ts';
import type { Html } from '../kit/layout.ts';
import { conferencingWords, nameOfApp } from './conferencing-page.ts';

export interface Disconnection {
  readonly app: string;
  readonly use: AppUse;
  /** The app that is the default afterwards; undefined: none is left. */
  readonly next: string | undefined;
  /** Whether the reader's own event types have pages. */
  readonly isOwn: boolean;
  readonly locale: string;
}

/** Says what becomes of the meetings in an app that is disconnected. */
export function disconnectionPart({ app, use, next, isOwn, locale }: Disconnection): Html {
  const { question: words } = conferencingWords(locale);
  const name = nameOfApp(app);
  const { eventTypes, eventTypeCount, linked, waiting } = use;
  const further = eventTypeCount - eventTypes.length;
  return html`${
    eventTypes.length === 0
      ? html`<p>${words.noEventType}</p>`
      : html`<p>${next === undefined ? words.eventTypesLose : words.eventTypesMove(nameOfApp(next))}</p>
      <ul>${eventTypes.map((one) => html`<li>${isOwn ? html`<a href="${eventTypePath(one)}"><bdi>${one.title}</bdi></a>` : html`<bdi>${one.title}</bdi>`}</li>`)}
        ${further > 0 ? html`<li>${words.further(further)}</li>` : ''}</ul>`
  }
      ${linked === 0 && waiting === 0 ? html`<p>${words.noBooking}</p>` : ''}
      ${linked === 0 ? '' : html`<p>${isOAuthApp(app) ? words.keepMeeting(counted(linked), name) : words.keepLink(counted(linked))}</p>`}
      ${waiting === 0 ? '' : html`<p>${words.loseLink(counted(waiting))}</p>`}`;
}

/** Undefined for more than are counted. */
function counted(count: number): number | undefined {
  return count > MAX_COUNTED ? undefined : count;
}
