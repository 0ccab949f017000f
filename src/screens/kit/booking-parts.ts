import { html } from 'hono/html';
import { awaitedLink, type BookedLocation } from '../../modules/bookings/booking-location.rules.ts';
import { type AnsweredQuestion, answerText } from '../../modules/bookings/response.rules.ts';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

/**
 * The place of a booking; `leaving` are more attributes of a link. Text from an attendee is never made a link: only hosts' links
 * were checked to be https.
 */
export function placeOf(location: BookedLocation, locale = 'en', leaving: Html | '' = ''): Html {
  const { type, value, url } = location;
  if (url !== undefined) return linkTo(url, leaving);
  if (type === 'LINK' && value !== null) return linkTo(value, leaving);
  if (type === 'PHONE' && value !== null) return html`<a href="tel:${value}">${value}</a>`;
  const awaited = awaitedLink(location, locale);
  if (awaited !== undefined) return html`${awaited}`;
  return type === 'CONFERENCING'
    ? html`${pageWords(locale).videoCall(value)}`
    : html`<bdi class="words">${value}</bdi>`;
}

function linkTo(url: string, leaving: Html | ''): Html {
  return html`<a href="${url}"${leaving || html` rel="noreferrer"`}><bdi>${url}</bdi></a>`;
}

/** The booker's answers, within a `dl`. */
export function answersPart(answers: readonly AnsweredQuestion[], locale = 'en'): readonly Html[] {
  return answers.map(
    ({ question, answer }) =>
      html`<dt><bdi>${question}</bdi></dt><dd class="words"><bdi>${answerText(answer, locale)}</bdi></dd>`,
  );
}
