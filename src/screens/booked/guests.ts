import { html } from 'hono/html';
import { ownedIdOf } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { keyOfBooking } from '../../modules/bookings/booking-key.rules.ts';
import { holdsTime } from '../../modules/bookings/booking-transitions.rules.ts';
import {
  findHeldGuests,
  type GuestRelease,
  type HeldGuests,
  releaseGuests,
} from '../../modules/bookings/change/release-guests.ts';
import { type Brand, findBrand } from '../../modules/teams/team.queries.ts';
import { bookingPath, readPageInput } from '../booking/booking-address.ts';
import { wordsOf } from '../booking/booking-form.ts';
import { bookingLayout } from '../booking/booking-layout.ts';
import { actorOf, type BookingPagesSettings, readerOf, UNLISTED } from '../booking/booking-visitor.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, type OpenShowing, openPage } from '../kit/page.ts';
import { plainList } from '../kit/page-parts.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { BOOKED_PATH, bookedWords, noBooking } from './booking-page.ts';

/** The booking that the link of a mail names, and its guests who wait. */
interface Linked extends HeldGuests {
  readonly link: GuestRelease;
}

/** `/bookings/<id>/guests/<token>`, where the mail to a booker who has named guests leads: asks whether to invite them. */
export function guestsPage(settings: BookingPagesSettings): DeclaredPage {
  const { linkKey, uids } = settings;
  return openPage<Linked, 'invite'>({
    path: `${BOOKED_PATH}/guests/:token{[\\w-]+}`,
    find: async ({ em, param }) => {
      const key = ownedIdOf('booking', param('booking'));
      const link = key && { key, token: param('token') };
      const held = link && (await findHeldGuests(em, linkKey, link));
      return held && { ...held, link };
    },
    none: noBooking(settings),
    show: (showing, linked) => show(showing, linked, settings),
    headers: UNLISTED,
    forms: {
      invite: {
        at: '',
        run: async ({ c, em }, { link }) => {
          const booking = await releaseGuests(em, linkKey, link, actorOf(c, settings));
          return { to: bookingPath(uids.of(keyOfBooking(booking))), done: 'invited' };
        },
      },
    },
  });
}

async function show(
  showing: OpenShowing<'invite'>,
  { booking, guestEmails }: Linked,
  { uids }: BookingPagesSettings,
): Promise<Html> {
  const { c, em, path, csrf, back } = showing;
  const { title, start, end, attendees } = booking;
  const input = readPageInput({ timeZone: c.req.query('timeZone') });
  const timeZone = attendees[0]?.timeZone ?? 'UTC';
  const { viewer, clock } = await readerOf(em, c, input.timeZone, { timeZone, weekStart: 'MONDAY' });
  return guestsView({
    viewer,
    brand: await findBrand(em, booking.ownerId),
    // The token was in the mail to the booker alone.
    bookingPath: bookingPath(uids.of(keyOfBooking(booking))),
    title,
    isOn: holdsTime(booking.status),
    when: inLanguage(longTime(instantOf(start), instantOf(end), clock), clock),
    guestEmails,
    path,
    mistakes: (back?.problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, clock.locale)),
    csrf: csrf.invite,
    locale: clock.locale,
  });
}

interface GuestsView {
  readonly viewer: Viewer | undefined;
  readonly brand: Brand;
  readonly bookingPath: string;
  readonly title: string;
  /** Whether the meeting takes place, as far as is known. */
  readonly isOn: boolean;
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
function guestsView(page: GuestsView): Html {
  const { viewer, brand, title, when, guestEmails, locale } = page;
  const words = bookedWords(locale).guests;
  const mistakes = aboutFields([], page.mistakes);
  const heading = guestEmails.length === 0 ? words.nobody : words.heading;
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${heading}</h1>
      ${page.isOn ? html`<p>${words.bookedFor(html`<bdi>${title}</bdi>`, when)}</p>` : ''}
      ${guestEmails.length === 0 ? '' : question(page)}
      <p class="aside"><a href="${page.bookingPath}">${words.see}</a></p>
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

function question({ guestEmails, path, csrf, locale }: GuestsView): Html {
  const words = bookedWords(locale).guests;
  return html`${plainList(guestEmails)}
      <form method="post" action="${path}">
        ${hiddenField('csrf', csrf)}
        <button type="submit">${words.button}</button>
      </form>
      <p>${words.otherwise}</p>`;
}
