/** Conferencing apps and what meets in them, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { Html } from '../kit/layout.ts';

const plural = pluralIn('en');
const bookings = (count: number | undefined) =>
  count === undefined
    ? 'More than a thousand upcoming bookings'
    : plural(count, { one: '1 upcoming booking', other: `${count} upcoming bookings` });

export const CONFERENCING_EN = {
  title: 'Video calls',
  titleOfTeam: (team: string) => `Video calls of ${team}`,
  intro: html`When a booking takes place in one of these apps, it gets a link of its own. Which <a href="/settings/event-types">event
      types</a> do, you say there as their place.`,
  introOfTeam:
    'When a booking of the team takes place in one of these apps, it gets a link of its own. Without any, the app of its first host is used.',
  backToTeam: (team: Html) => html`Back to ${team}`,
  empty: 'No app is connected yet. Connect one here, then choose it as the place of an event type.',
  emptyOfTeam: 'No app is connected for the team yet.',
  isDefault: 'Default',
  defaultHint: 'The default is also used for event types whose app is not connected.',
  states: {
    CONNECTED: 'Connected.',
    BROKEN: 'Its access was withdrawn or is over. Bookings get no link until you connect it again.',
    UNREACHABLE: 'Its server does not answer at the moment. Links follow once it does.',
    PENDING: 'Its server has not answered yet.',
    NOT_OFFERED:
      'It is not set up on this server any more, so bookings get no link from it. Ask those who run the server to set it up.',
  },
  again: (app: string) => `Connect ${app} again`,
  makeDefault: (app: string) => `Make ${app} the default`,
  disconnect: (app: string) => `Disconnect ${app} …`,
  more: 'Connect an app',
  all: 'All apps that this server offers are connected.',
  offers: {
    video: 'A room for each booking. It needs no account.',
    zoom: 'A meeting for each booking, in an account at Zoom. You agree there, and come back.',
  },
  connect: (app: string) => `Connect ${app}`,
  notOffered: (app: string) => `${app} is not set up on this server. Ask those who run it to do that.`,
  noneOffered:
    'This server offers no conferencing app. You can still give an event type a link of your own as its place.',
  question: {
    title: (app: string) => `Disconnect ${app}?`,
    ends: 'It gives no more links.',
    endsWithAccount: (app: string) =>
      `It gives no more links. We forget the account at ${app}, and our access to it ends.`,
    noEventType: 'No event type takes place in it.',
    eventTypesMove: (next: string) => `These event types then meet in ${next}:`,
    eventTypesLose: 'New bookings of these event types get no link until you choose another place or connect an app:',
    further: (count: number) => plural(count, { one: 'and one more', other: `and ${count} more` }),
    noBooking: 'No upcoming booking takes place in it.',
    keepLink: (count: number | undefined) => `${bookings(count)} with a link: the link stays as it is.`,
    keepMeeting: (count: number | undefined, app: string) =>
      `${bookings(count)} with a link: the link stays, but the meeting at ${app} does not follow when the booking moves or is cancelled.`,
    loseLink: (count: number | undefined) =>
      `${bookings(count)} still without a link: none comes from this app any more.`,
    button: 'Disconnect',
  },
  done: {
    connect: 'The app is connected.',
    default: 'The default is changed.',
    disconnect: 'The app is disconnected.',
  },
  mistakes: {
    NOT_POSSIBLE: 'This app is not set up on this server. Ask those who run it to do that.',
    NOT_FOUND: 'This app is not connected any more, or not offered here.',
  },
};
