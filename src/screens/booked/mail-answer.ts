import { html } from 'hono/html';
import { ownedIdOf } from '../../core/id.ts';
import { dateTimeFormat, instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { findReceiver, isAnswerToken, noteAnswer, SILENT_DAYS } from '../../limits/mail-receivers.ts';
import type { BookingKey } from '../../modules/bookings/booking-key.rules.ts';
import { disownBooking } from '../../modules/bookings/change/rotate-uid.ts';
import { type BookingPagesSettings, UNLISTED } from '../booking/booking-visitor.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { type DeclaredPage, openPage } from '../kit/page.ts';
import { sendPage } from '../kit/page-response.ts';
import { errorPage } from '../kit/problem-response.ts';
import { bookedWords } from './booking-page.ts';

/**
 * `/mails/<receiver>/<token>/<ids>`, where a mail that strangers have caused leads: it says what ends such mails, and its buttons do.
 * Reading it changes nothing, as programs open the links of mails before people do.
 */
export function mailAnswerPage({ linkKey }: BookingPagesSettings): DeclaredPage {
  return openPage({
    path: '/mails/:receiver{[0-9a-f]+}/:token{[\\w-]+}/:about{[\\w.-]+}',
    find: ({ param }) => isAnswerToken(linkKey, param('receiver'), param('token')) || undefined,
    none: async ({ c, reader }) => {
      const { locale } = await reader();
      return sendPage(c, errorPage({ status: 404, ...bookedWords(locale).mails.nothing, locale }), 404, UNLISTED);
    },
    show: async (showing) => {
      const { em, path, csrf, param } = showing;
      const { locale } = await showing.reader();
      const receiver = await findReceiver(em, param('receiver'));
      return mailAnswerView({ ...receiver, path, csrf: csrf.answer, mistakes: showing.mistakes(), locale });
    },
    headers: UNLISTED,
    forms: {
      answer: {
        at: '',
        isOfProgram: isByMailProgram,
        run: async ({ em, param }, _, form) => {
          const wantsMails = !isByMailProgram(form) && form.get('answer') === 'go-on';
          await noteAnswer(em, param('receiver'), { wantsMails });
          // Somebody else has booked with their address, and has the uid. Who unsubscribes in a mail program says nothing of that.
          if (form.get('answer') === 'stop') {
            for (const key of bookingsIn(param('about'))) await disownBooking(em, key, param('receiver'));
          }
          return { filledIn: new URLSearchParams() };
        },
      },
    },
  });
}

function bookingsIn(about: string): readonly BookingKey[] {
  return about.split('.').flatMap((id) => {
    const seat = ownedIdOf('seat', id);
    return seat ? { ...seat, isSeat: true } : (ownedIdOf('booking', id) ?? []);
  });
}

/**
 * RFC 8058 §3.2: the mail program sends it when its reader presses the button. It has no cookie; the address shows who it is
 * for.
 */
function isByMailProgram(form: URLSearchParams): boolean {
  return form.get('List-Unsubscribe') === 'One-Click';
}

interface MailAnswerView {
  readonly hasAnswered: boolean;
  readonly silentUntil: string | null;
  readonly path: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly locale: string;
}

function mailAnswerView(page: MailAnswerView): Html {
  const { hasAnswered, silentUntil, path, csrf, locale } = page;
  const { heading, what, stop, goOn, stopped, again, goingOn } = bookedWords(locale).mails;
  const mistakes = aboutFields([], page.mistakes);
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
