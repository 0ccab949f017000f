import { html } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import { listed } from '../../core/language.ts';
import { pageRequest } from '../../core/page.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { type EventTypeOnPlace, listOffers } from '../../modules/event-types/public/public-event-type.queries.ts';
import { lengthsOf } from '../../modules/event-types/settings/scheduling.rules.ts';
import { STANDARD_HOURS } from '../../modules/schedules/schedule.commands.ts';
import { WEEK_DAYS, type WeeklyHoursInput } from '../../modules/schedules/schedule.rules.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, page } from '../kit/page.ts';
import { COPY_HEAD, copyable } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { SETTINGS_PATH, WELCOME_PATH } from '../kit/paths.ts';
import { duration, weekDayName } from '../kit/when.ts';
import { welcomeWords } from './hosting-words.ts';
import { findSchedule } from './schedules.ts';

/** The most event types that the page shows. */
const NAMED_OFFERS = 5;

/** `/welcome`: the page which greets the host of a new account. */
export function welcomePage(publicUrl: string): DeclaredPage {
  return page({
    path: WELCOME_PATH,
    find: ({ em, session }) => findUser(em, session.userId),
    show: async ({ em, session, viewer }, user) => {
      const { username } = user;
      const schedule = await findSchedule(em, session.userId, undefined);
      const offers = await listOffers(em, { username }, pageRequest({ first: NAMED_OFFERS }));
      return welcomeView({
        viewer,
        bookingUrl: placeUrl(publicUrl, username),
        offers: offers.rows,
        hasMore: offers.hasNextPage,
        hours: schedule?.availability ?? STANDARD_HOURS,
        timeZone: schedule?.timeZone ?? user.timeZone,
      });
    },
    headers: SCRIPTED_HEADERS,
  });
}

interface WelcomeView {
  readonly viewer: Viewer;
  /** Where the user is booked. */
  readonly bookingUrl: string;
  /** The first of what they offer by now; there is no booking page without any. */
  readonly offers: readonly EventTypeOnPlace[];
  readonly hasMore: boolean;
  /** Their default hours, as they are by now. */
  readonly hours: readonly WeeklyHoursInput[];
  readonly timeZone: string;
}

/** Says what an account is ready for, and shows the next steps of a host and of a developer. */
function welcomeView({ viewer, bookingUrl, offers, hasMore, hours, timeZone }: WelcomeView): Html {
  const { locale } = viewer;
  const words = welcomeWords(locale);
  const isBookable = offers.length > 0 && hours.length > 0;
  const title = isBookable ? words.title : words.notYet;
  const content = html`<section class="hero">
      <h1>${title}</h1>
      ${
        offers.length === 0
          ? ''
          : html`<p>${words.share}</p>
      ${copyable(words.link, bookingUrl, 'WORD', locale)}
      <p><a href="${bookingUrl}">${words.look}</a></p>`
      }
    </section>
    <div class="cards">
      <article>
        <h2>${words.hours}</h2>
        ${hoursPart(hours, timeZone, locale)}
        <p>${words.changeHours}</p>
      </article>
      <article>
        <h2>${words.offer}</h2>
        ${offers.length === 0 ? html`<p>${words.nothing}</p>` : html`<ul>${offers.map((one) => offerLine(one, locale))}${hasMore ? html`<li>${words.more}</li>` : ''}</ul>`}
        <p>${words.changeOffer}</p>
        <p>${words.further(SETTINGS_PATH)}</p>
      </article>
      <article>
        <h2>${words.apps}</h2>
        <p>${words.registerApp}</p>
      </article>
    </div>`;
  return layout({ title, content, corner: viewer, shape: 'sheet', head: COPY_HEAD, locale });
}

function hoursPart(hours: readonly WeeklyHoursInput[], timeZone: string, locale: string): Html {
  const words = welcomeWords(locale);
  if (hours.length === 0) return html`<p>${words.noHours}</p>`;
  const zone = zoneName(timeZone);
  const [only, another] = hours.map(({ days, start, end }) => words.week(daysInWords(days, locale), start, end));
  if (another === undefined) return html`<p>${only}, ${zone}.</p>`;
  const lines = hours.map(
    ({ days, start, end }) => html`<li>${words.week(daysInWords(days, locale), start, end)}</li>`,
  );
  return html`<ul>${lines}</ul><p>${zone}</p>`;
}

/** Any: the names of the days that follow it are those of a week. */
const MONDAY = Temporal.PlainDate.from('2024-01-01');

/** "Monday to Friday" for days in a row, "Monday and Thursday" for others. */
function daysInWords(days: readonly string[], locale: string): string {
  const places = WEEK_DAYS.flatMap((day, place) => (days.includes(day) ? [place] : []));
  const names = places.map((place) => weekDayName(MONDAY.add({ days: place }), 'long', locale));
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const isRow = places.length > 2 && last - first === places.length - 1;
  return isRow ? welcomeWords(locale).days(names[0] ?? '', names.at(-1) ?? '') : listed(names, locale);
}

function offerLine(eventType: EventTypeOnPlace, locale: string): Html {
  const lengths = lengthsOf(eventType).map((minutes) => duration(minutes, locale));
  return html`<li><bdi>${eventType.title}</bdi> (${lengths.join(', ')})</li>`;
}
