import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { bookingLayout } from '../booking/booking-layout.ts';
import { bookingPath } from '../booking/booking-page.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { plainList } from '../kit/page-parts.ts';
import { bookedWords } from './booked-words.ts';

export interface GuestsPage {
  readonly viewer: Viewer | undefined;
  readonly brand: Brand;
  readonly uid: string;
  readonly title: string;
  /** In words, in the reader's zone. */
  readonly when: Html;
  /** The guests who are still to be invited; empty where nobody is. */
  readonly guestEmails: readonly string[];
  /** The address of this page. */
  readonly path: string;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Asks the booker whether to invite the guests. Only the button invites them, not programs that follow the links of mails. */
export function guestsPage(page: GuestsPage): Html {
  const { viewer, brand, uid, title, when, guestEmails, locale } = page;
  const words = bookedWords(locale).guests;
  const mistakes = aboutFields([], page.mistakes);
  const heading = guestEmails.length === 0 ? words.nobody : words.heading;
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${heading}</h1>
      <p>${words.bookedFor(html`<bdi>${title}</bdi>`, when)}</p>
      ${guestEmails.length === 0 ? '' : question(page)}
      <p class="aside"><a href="${bookingPath(uid)}">${words.see}</a></p>
    </article>`;
  return bookingLayout({
    title: formTitle(`${heading} ${isolated(title)}`, mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    locale,
  });
}

function question({ guestEmails, path, csrf, locale }: GuestsPage): Html {
  const words = bookedWords(locale).guests;
  return html`${plainList(guestEmails)}
      <form method="post" action="${path}">
        ${hiddenField('csrf', csrf)}
        <button type="submit">${words.button}</button>
      </form>
      <p>${words.otherwise}</p>`;
}
