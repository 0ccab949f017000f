import { html } from 'hono/html';
import { zoneName } from '../../core/date-time-format.ts';
import { COPY_HEAD, copyable } from '../kit/copyable.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { SETTINGS_PATH } from '../kit/paths.ts';
import { welcomeWords } from './words/hosting-words.ts';

export interface WelcomePage {
  readonly viewer: Viewer;
  /** Where the new user is booked. */
  readonly bookingUrl: string;
  readonly timeZone: string;
}

/** What a new account is ready for, and the next steps of a host and of a developer. */
export function welcomePage({ viewer, bookingUrl, timeZone }: WelcomePage): Html {
  const { locale } = viewer;
  const words = welcomeWords(locale);
  const content = html`<section class="hero">
      <h1>${words.title}</h1>
      <p>${words.share}</p>
      ${copyable(words.link, bookingUrl, 'WORD', locale)}
      <p><a href="${bookingUrl}">${words.look}</a></p>
    </section>
    <div class="cards">
      <article>
        <h2>${words.hours}</h2>
        <p>${words.week(zoneName(timeZone))}</p>
        <p>${words.changeHours}</p>
      </article>
      <article>
        <h2>${words.offer}</h2>
        <p>${words.changeOffer}</p>
        <p>${words.further(SETTINGS_PATH)}</p>
      </article>
      <article>
        <h2>${words.apps}</h2>
        <p>${words.registerApp}</p>
      </article>
    </div>`;
  return layout({ title: words.title, content, corner: viewer, shape: 'sheet', head: COPY_HEAD, locale });
}
