/** The words for what a new account is ready for, in English. */
import { html } from 'hono/html';

export const WELCOME_EN = {
  title: 'You’re ready to be booked',
  /** Shown to a host who offers nothing, or has no hours. */
  notYet: 'Your account is ready',
  share: 'Share your link. Anyone who opens it can see your free times and book one.',
  /** After “Copy”, or what that is in German. */
  link: 'your booking link',
  look: 'View your booking page',
  hours: 'Your hours',
  week: (days: string, start: string, end: string) => `${days}, ${start} to ${end}`,
  days: (first: string, last: string) => `${first} to ${last}`,
  noHours: 'You have no weekly hours, so no one can book you.',
  changeHours: html`<a href="/settings/hours">Change your hours</a>, or
          <a href="/settings/calendars">connect a calendar</a> so that no one can book you during its events.`,
  offer: 'What can be booked',
  nothing: 'Nothing yet: you have no event type that isn’t hidden.',
  more: 'And more.',
  changeOffer: html`<a href="/settings/event-types">Add or change event types</a>.`,
  further: (
    settings: string,
  ) => html`We’ll e-mail you about each booking. You’ll find them all in <a href="/bookings">your bookings</a>, and everything else in
          <a href="${settings}">your settings</a>.`,
  apps: 'Building an app?',
  registerApp: html`<a href="/settings/developer/oauth/new">Register your app</a> to get its client ID and secret. Then take a look at
          <a href="/openapi">the REST paths</a> and <a href="/schema.graphql">the GraphQL schema</a>.`,
};
