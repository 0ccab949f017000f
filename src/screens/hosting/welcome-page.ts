import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
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
      <p>Share this link. Anyone who opens it sees your free times and can book one:</p>
      <p class="booking-link"><a href="${bookingUrl}">${bookingUrl}</a></p>
    </section>
    <div class="cards">
      <article>
        <h2>Your hours</h2>
        <p>Monday to Friday, 09:00 to 17:00, ${zoneName(timeZone)}.</p>
        <p><a href="/settings/hours">Change when you can be booked</a>, or
          <a href="/settings/calendars">connect a calendar</a>: nobody books you during its events.</p>
      </article>
      <article>
        <h2>Your bookings</h2>
        <p>There is one event type, a meeting of 30 minutes: <a href="/settings/event-types">change it, or add others</a>. You get a mail about each booking, and find them all in one list.</p>
        <p><a href="/bookings">See your bookings</a></p>
      </article>
      <article>
        <h2>Building an app?</h2>
        <p>Register an OAuth client, choose its scopes, and get a token.</p>
        <p><a href="/settings/developer/oauth">Register a client</a></p>
      </article>
    </div>`;
  return layout({ title: 'You can be booked', content, corner: viewer, shape: 'sheet' });
}
