import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { bookingLayout } from '../booking/booking-layout.ts';
import { bookingPath } from '../booking/booking-page.ts';
import { aboutFields, checkBox, formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { bookedWords } from './booked-words.ts';

export interface CancelPage {
  readonly viewer: Viewer | undefined;
  readonly brand: Brand;
  readonly uid: string;
  readonly title: string;
  /** In words, in the reader's zone. */
  readonly when: Html;
  readonly reason: string;
  /** This booking alone can be cancelled. */
  readonly canCancel: boolean;
  /** When those of its series are that can be cancelled with it, in words: with more than this one, there is a choice. */
  readonly remaining: readonly Html[];
  /** All of these were chosen. */
  readonly isForAll: boolean;
  /** A host has to say why. */
  readonly needsReason: boolean;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Asks once more, and why. */
export function cancelPage(page: CancelPage): Html {
  const { viewer, brand, uid, title, when, reason, needsReason, csrf, locale } = page;
  const hasChoice = page.remaining.length > (page.canCancel ? 1 : 0);
  const { why, cancel: words } = bookedWords(locale);
  const mistakes = aboutFields(['reason'], page.mistakes);
  const path = bookingPath(uid);
  const label = needsReason ? why : `${why} ${pageWords(locale).optional}`;
  const { hint } = words;
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.heading(html`<bdi>${title}</bdi>`)}</h1>
      <p>${words.bookedFor(when)}</p>
      <form method="post" action="${path}/cancel" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hasChoice ? choicePart(page) : ''}
        ${textArea({ name: 'reason', label, value: reason, rows: 3, isOptional: !needsReason, hint }, mistakes)}
        <button type="submit" class="danger">${words.button}</button>
      </form>
      <p class="aside"><a href="${path}">${words.keep}</a></p>
    </article>`;
  return bookingLayout({
    title: formTitle(words.title(isolated(title)), mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    locale,
  });
}

/** The choice of which bookings of a series to cancel: this one, or all that remain. */
function choicePart({ when, canCancel, remaining, isForAll, locale }: CancelPage): Html {
  const words = bookedWords(locale).cancel.series;
  const all = words.all(remaining.length);
  const times = html`<ul class="series">${remaining.map((time) => html`<li>${time}</li>`)}</ul>`;
  if (!canCancel) return html`${hiddenField('which', 'all')}<p>${all}</p>${times}`;
  return html`<fieldset><legend>${words.which}</legend>
          ${checkBox({ type: 'radio', name: 'which', value: 'this', label: words.one(when), isChecked: !isForAll })}
          ${checkBox({ type: 'radio', name: 'which', value: 'all', label: all, isChecked: isForAll })}
          ${times}
        </fieldset>`;
}
