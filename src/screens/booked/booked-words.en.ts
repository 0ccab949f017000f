/** The words of changes that the holder of a booking's link makes, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { Html } from '../kit/layout.ts';

const plural = pluralIn('en');

export const BOOKED_EN = {
  why: 'Why?',
  cancel: {
    heading: (title: Html) => html`Cancel “${title}”?`,
    title: (title: string) => `Cancel ${title}`,
    bookedFor: (when: Html) => html`It’s booked for ${when}.`,
    hint: 'Everyone in the booking can read this.',
    button: 'Cancel booking',
    keep: 'Keep booking',
    series: {
      which: 'This booking is part of a series. What would you like to cancel?',
      one: (when: Html) => html`Only this one: ${when}`,
      all: (count: number) =>
        plural(count, { one: 'The one remaining booking:', other: `All ${count} remaining bookings:` }),
    },
  },
  move: {
    heading: (title: Html) => html`Reschedule “${title}”?`,
    title: (title: string) => `Reschedule ${title}`,
    from: 'From',
    to: 'To',
    button: 'Reschedule booking',
    keep: 'Keep this time',
  },
  guests: {
    nobody: 'No one left to invite',
    heading: 'Invite your guests?',
    bookedFor: (title: Html, when: Html) => html`“${title}” is booked for ${when}.`,
    see: 'See booking',
    button: 'Invite guests',
    otherwise: 'If you didn’t make this booking, close this page: no one will be invited or notified.',
  },
  givenBack: {
    title: 'You gave up your seat',
    message: 'Someone else can book it now. Everyone else keeps their seat.',
  },
  mails: {
    heading: 'E-mails about bookings',
    what: (days: number) =>
      `Someone entered your e-mail address when they booked. If it wasn’t you, you can stop such e-mails for ${days} days. If it was you, say so, and we’ll no longer limit how many you get in a day.`,
    stop: 'This was not me: stop these e-mails',
    goOn: 'It was me',
    stopped: (day: string) =>
      `Until ${day}, strangers can’t have us e-mail you by entering your address. If you have an account with this address, signing in ends that too.`,
    again: 'Allow these e-mails again',
    goingOn: 'E-mails about bookings reach you.',
    nothing: {
      title: 'Nothing here',
      message: 'This address is not one from an e-mail of ours.',
      advice: 'Check that the address is complete.',
    },
  },
  nothing: {
    title: 'No booking here',
    message:
      'There’s no booking at this address, or it no longer exists. The page of a seat is gone once the seat is given up.',
    advice: 'Check that the address is complete.',
  },
};
