/** Changes of a booking by who holds its link, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { Html } from '../kit/layout.ts';

const plural = pluralIn('en');

export const BOOKED_EN = {
  why: 'Why?',
  cancel: {
    heading: (title: Html) => html`Cancel “${title}”?`,
    title: (title: string) => `Cancel ${title}`,
    bookedFor: (when: Html) => html`It is booked for ${when}.`,
    hint: 'Everybody who takes part can read it.',
    button: 'Cancel the booking',
    keep: 'Keep booking',
    series: {
      which: 'It is one of a series. What do you want to cancel?',
      one: (when: Html) => html`Only this one: ${when}`,
      all: (count: number) => plural(count, { one: 'The one that remains:', other: `All ${count} that remain:` }),
    },
  },
  move: {
    heading: (title: Html) => html`Move “${title}”?`,
    title: (title: string) => `Move ${title}`,
    from: 'From',
    to: 'To',
    button: 'Move the booking',
    keep: 'Keep this time',
  },
  guests: {
    nobody: 'Nobody is left to invite',
    heading: 'Invite your guests?',
    bookedFor: (title: Html, when: Html) => html`“${title}” is booked for ${when}.`,
    see: 'See the booking',
    button: 'Invite them',
    otherwise: 'If you have not made this booking, close this page: nobody is invited then, and nobody is told.',
  },
  givenBack: {
    title: 'Your seat was given back',
    message: 'It is free for somebody else, and the others keep their booking.',
  },
  nothing: {
    title: 'No booking here',
    message: 'There is no booking at this address, or not any more: of a seat that was given back, nothing stays.',
    advice: 'Check the address. It is as long as the one that you were given.',
  },
};
