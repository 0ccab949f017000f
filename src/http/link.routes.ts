import type { Context } from 'hono';
import { errorPage } from '../screens/kit/error-page.ts';
import { sendPage } from './page-response.ts';

/** For the link of a mail that leads nowhere any more, whatever the reason. `advice` says how to get another one. */
export function answerLinkOver(c: Context, advice: string): Response | Promise<Response> {
  const title = 'This link does not work any more';
  const message = 'It was used already, its time is over, or a later mail has taken its place.';
  return sendPage(c, errorPage({ status: 410, title, message, advice }), 410);
}
