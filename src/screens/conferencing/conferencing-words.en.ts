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
  intro: html`Bookings that take place in one of these apps get their own link. Choose the app as the location of an
      <a href="/settings/event-types">event type</a>.`,
  introOfTeam:
    'The team’s bookings that take place in one of these apps get their own link. If no app is connected here, the app of the first host is used.',
  backToTeam: (team: Html) => html`Back to ${team}`,
  empty: 'No app is connected yet. Connect one here, then choose it as the location of an event type.',
  emptyOfTeam: 'No app is connected for the team yet.',
  isDefault: 'Default',
  defaultHint: 'The default is also used for event types whose app isn’t connected.',
  states: {
    CONNECTED: 'Connected.',
    BROKEN: 'We no longer have access. Bookings get no link until you connect it again.',
    UNREACHABLE: 'Its server isn’t responding at the moment. Links will follow once it does.',
    PENDING: 'Its server hasn’t responded yet.',
    NOT_OFFERED:
      'It’s no longer set up on this server, so bookings get no link from it. Ask the people who run the server to set it up.',
  },
  again: (app: string) => `Connect ${app} again`,
  makeDefault: (app: string) => `Make ${app} the default`,
  disconnect: (app: string) => `Disconnect ${app} …`,
  more: 'Connect an app',
  all: 'All apps that this server offers are connected.',
  offers: {
    video: 'A room for each booking. No account needed.',
    zoom: 'A meeting for each booking, in your Zoom account. We’ll take you to Zoom to give access.',
  },
  connect: (app: string) => `Connect ${app}`,
  notOffered: (app: string) => `${app} isn’t set up on this server. Ask the people who run it to set it up.`,
  noneOffered: 'This server has no video apps. You can still use your own link as the location of an event type.',
  question: {
    title: (app: string) => `Disconnect ${app}?`,
    ends: 'You’ll get no more links from it.',
    endsWithAccount: (app: string) =>
      `You’ll get no more links from it. We’ll forget your ${app} account, and our access to it ends.`,
    noEventType: 'No event type uses it.',
    eventTypesMove: (next: string) => `These event types will use ${next} instead:`,
    eventTypesLose:
      'New bookings of these event types get no link until you choose another location or connect an app:',
    further: (count: number) => plural(count, { one: 'and one more', other: `and ${count} more` }),
    noBooking: 'No upcoming booking uses it.',
    keepLink: (count: number | undefined) => `${bookings(count)} with a link: the link stays the same.`,
    keepMeeting: (count: number | undefined, app: string) =>
      `${bookings(count)} with a link: the link stays, but the ${app} meeting won’t be updated if the booking is rescheduled or cancelled.`,
    loseLink: (count: number | undefined) => `${bookings(count)} still without a link: this app won’t give one.`,
    button: 'Disconnect',
  },
  done: {
    connect: 'App connected.',
    default: 'Default changed.',
    disconnect: 'App disconnected.',
  },
  mistakes: {
    NOT_POSSIBLE: 'This app isn’t set up on this server. Ask the people who run it to set it up.',
    NOT_FOUND: 'This app is no longer connected, or isn’t available here.',
  },
};
