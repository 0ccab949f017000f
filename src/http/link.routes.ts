import type { Context } from 'hono';
import { errorPage } from '../screens/kit/error-page.ts';
import { problemWords } from '../screens/kit/words/problem-words.ts';
import { localeOf } from './page-locale.ts';
import { sendPage } from './page-response.ts';

/** For the link of a mail that leads nowhere any more, whatever the reason. `advice` says how to get another one. */
export function answerLinkOver(c: Context, advice: string): Response | Promise<Response> {
  const locale = localeOf(c);
  return sendPage(c, errorPage({ status: 410, ...problemWords(locale).linkOver, advice, locale }), 410);
}
