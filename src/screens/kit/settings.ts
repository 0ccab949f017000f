import { html } from 'hono/html';
import type { Html } from './layout.ts';

export const SETTINGS_PATH = '/settings';

/** What a user can set beside the account itself, in the order of a first day. */
const SETTINGS = [
  ['/settings/event-types', 'Event types', 'what people can book with you'],
  ['/settings/hours', 'Hours', 'when you can be booked'],
  ['/settings/absences', 'Days off', 'days on which nobody can book you'],
  ['/settings/calendars', 'Calendars', 'which make you busy, and where bookings are written'],
  ['/settings/teams', 'Teams', 'who is booked together, invitations, and organizations'],
  ['/settings/apps', 'Apps with access', 'what each may do, and how to end it'],
  ['/settings/webhooks', 'Webhooks', 'have your server told of what happens to your bookings'],
  ['/settings/developer/oauth', 'Developer', 'your own apps, their scopes and secrets'],
] as const;

/** The ways to these pages. */
export function settingsList(): Html {
  return html`<ul>${SETTINGS.map(([path, name, what]) => html`<li><a href="${path}">${name}</a>: ${what}</li>`)}</ul>`;
}
