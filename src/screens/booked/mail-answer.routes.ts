import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { dateTimeFormat, instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import { findReceiver, isAnswerToken, noteAnswer, SILENT_DAYS } from '../../limits/mail-receivers.ts';
import { admitVisitors, type BookingEnv, type BookingPagesSettings, UNLISTED } from '../booking/booking-visitor.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { sendPage } from '../kit/page-response.ts';
import { errorPage } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { bookedWords } from './booked-words.ts';

const PATH = '/mails/:receiver{[0-9a-f]+}/:token{[\\w-]+}';
const FORM = 'answer-mail';

/**
 * Where a mail that strangers have caused leads: it says what ends such mails, and its buttons do. Reading it changes nothing, as
 * programs open the links of mails before people do.
 */
export function mailAnswerRoutes({ em, linkKey, visitors, ...settings }: BookingPagesSettings): Hono<BookingEnv> {
  const routes = new Hono<BookingEnv>();
  routes.use('/mails/*', admitVisitors({ visitors, ...settings }));
  routes.get(PATH, async (c) => (isOfMail(c) ? show(c) : answerNothing(c)));
  routes.post(PATH, async (c) => {
    if (!isOfMail(c)) return answerNothing(c);
    const { form, forgery } = await visitors.readForm(c, FORM);
    // RFC 8058 §3.2: the mail program sends it when its reader presses the button. It has no cookie; the address shows who it is for.
    const isByMailProgram = form.get('List-Unsubscribe') === 'One-Click';
    if (forgery && !isByMailProgram) return show(c, forgery);
    const wantsMails = !isByMailProgram && form.get('answer') === 'go-on';
    await noteAnswer(em.fork(), c.req.param('receiver') ?? '', { wantsMails });
    return show(c);
  });
  return routes;

  function isOfMail(c: Context): boolean {
    return isAnswerToken(linkKey, c.req.param('receiver') ?? '', c.req.param('token') ?? '');
  }

  async function show(c: Context, problem?: Problem): Promise<Response> {
    const receiver = await findReceiver(em.fork(), c.req.param('receiver') ?? '');
    const locale = await visitors.localeOf(c);
    const page = mailAnswerPage({ ...receiver, path: c.req.path, csrf: visitors.formToken(c, FORM), problem, locale });
    return sendPage(c, page, problem ? statusOf(problem) : 200, UNLISTED);
  }

  async function answerNothing(c: Context): Promise<Response> {
    const locale = await visitors.localeOf(c);
    return sendPage(c, errorPage({ status: 404, ...bookedWords(locale).mails.nothing, locale }), 404, UNLISTED);
  }
}

interface MailAnswerPage {
  readonly hasAnswered: boolean;
  readonly silentUntil: string | null;
  readonly path: string;
  readonly csrf: string;
  readonly problem: Problem | undefined;
  readonly locale: string;
}

function mailAnswerPage({ hasAnswered, silentUntil, path, csrf, problem, locale }: MailAnswerPage): Html {
  const { heading, what, stop, goOn, stopped, again, goingOn } = bookedWords(locale).mails;
  const mistakes = aboutFields([], mistakesIn(locale, problem));
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${heading}</h1>
      <p>${silentUntil === null ? what(SILENT_DAYS) : stopped(dayOf(silentUntil, locale))}</p>
      ${silentUntil === null && hasAnswered ? html`<p role="status">${goingOn}</p>` : ''}
      <form method="post" action="${path}">
        ${hiddenField('csrf', csrf)}
        <p class="actions">${silentUntil === null ? html`${button('stop', stop)} ${button('go-on', goOn, 'quiet')}` : button('go-on', again)}</p>
      </form>
    </article>`;
  return layout({ title: formTitle(heading, mistakes, locale), content, shape: 'card', locale });
}

function button(answer: string, text: string, kind = ''): Html {
  return html`<button type="submit" name="answer" value="${answer}" class="${kind}">${text}</button>`;
}

function dayOf(time: string, locale: string): string {
  return dateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(instantOf(time).epochMilliseconds);
}
