import type { Context } from 'hono';
import { problemWords } from '../screens/kit/words/problem-words.ts';
import { localeOf } from './page-locale.ts';
import { sendError } from './problem-response.ts';

/** For the link of a mail that leads nowhere any more, whatever the reason. `advice` says how to get another one. */
export function answerLinkOver(c: Context, advice: string): Response | Promise<Response> {
  return sendError(c, { status: 410, ...problemWords(localeOf(c)).linkOver, advice });
}
