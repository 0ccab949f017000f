import { html } from 'hono/html';
import { COPY_HEAD, copyable } from '../kit/copyable.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { SETTINGS_PATH } from '../kit/settings.ts';
import { zoneName } from '../kit/when.ts';

export interface WelcomePage {
  readonly viewer: Viewer;
  /** Where the new user is booked. */
  readonly bookingUrl: string;
  readonly timeZone: string;
}

/** What a new account is ready for, and the next steps of a host and of a developer. */
export function welcomePage({ viewer, bookingUrl, timeZone }: WelcomePage): Html {
  const content = html`<section class="hero">
      <h1>You can be booked</h1>
      <p>Share your link. Anyone who opens it sees your free times and can book one.</p>
      ${copyable('your booking link', bookingUrl)}
      <p><a href="${bookingUrl}">See it as others do</a></p>
    </section>
    <div class="cards">
      <article>
        <h2>Your hours</h2>
        <p>Monday to Friday, 09:00 to 17:00, ${zoneName(timeZone)}.</p>
        <p><a href="/settings/hours">Change when you can be booked</a>, or
          <a href="/settings/calendars">connect a calendar</a>: nobody books you during its events.</p>
      </article>
      <article>
        <h2>What can be booked</h2>
        <p>There is one event type, a meeting of 30 minutes.
          <a href="/settings/event-types">Change it, or add others</a>.</p>
        <p>You get a mail about each booking, and find them all in <a href="/bookings">your bookings</a>. Everything else is in
          <a href="${SETTINGS_PATH}">your settings</a>.</p>
      </article>
      <article>
        <h2>Building an app?</h2>
        <p><a href="/settings/developer/oauth/new">Register your app</a> to get its client ID and secret. Then look at
          <a href="/openapi">the REST paths</a> and <a href="/schema.graphql">the GraphQL schema</a>.</p>
      </article>
    </div>`;
  return layout({ title: 'You can be booked', content, corner: viewer, shape: 'sheet', head: COPY_HEAD });
}
