import { html } from 'hono/html';
import { type AnsweredQuestion, answerText } from '../../modules/bookings/response.rules.ts';
import type { Html } from './layout.ts';

/** The booker's answers, within a `dl`. */
export function answersPart(answers: readonly AnsweredQuestion[], locale = 'en'): readonly Html[] {
  return answers.map(
    ({ question, answer }) =>
      html`<dt><bdi>${question}</bdi></dt><dd class="words"><bdi>${answerText(answer, locale)}</bdi></dd>`,
  );
}
