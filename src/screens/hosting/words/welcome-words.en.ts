/** What a new account is ready for, in English. */
import { html } from 'hono/html';

export const WELCOME_EN = {
  title: 'You can be booked',
  share: 'Share your link. Anyone who opens it sees your free times and can book one.',
  /** After “Copy”, or what that is in German. */
  link: 'your booking link',
  look: 'See it as others do',
  hours: 'Your hours',
  week: (zone: string) => `Monday to Friday, 09:00 to 17:00, ${zone}.`,
  changeHours: html`<a href="/settings/hours">Change when you can be booked</a>, or
          <a href="/settings/calendars">connect a calendar</a>: nobody books you during its events.`,
  offer: 'What can be booked',
  changeOffer: html`There is one event type, a meeting of 30 minutes.
          <a href="/settings/event-types">Change it, or add others</a>.`,
  further: (
    settings: string,
  ) => html`You get a mail about each booking, and find them all in <a href="/bookings">your bookings</a>. Everything else is in
          <a href="${settings}">your settings</a>.`,
  apps: 'Building an app?',
  registerApp: html`<a href="/settings/developer/oauth/new">Register your app</a> to get its client ID and secret. Then look at
          <a href="/openapi">the REST paths</a> and <a href="/schema.graphql">the GraphQL schema</a>.`,
};
