/** Conferencing apps and what meets in them, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { CONFERENCING_EN } from './conferencing-words.en.ts';

const plural = pluralIn('de');
const bookings = (count: number | undefined) =>
  count === undefined
    ? 'Mehr als tausend künftige Buchungen'
    : plural(count, { one: '1 künftige Buchung', other: `${count} künftige Buchungen` });

export const CONFERENCING_DE: typeof CONFERENCING_EN = {
  title: 'Videoanrufe',
  titleOfTeam: (team) => `Videoanrufe: ${team}`,
  intro: html`Findet ein Termin in einer dieser Apps statt, bekommt er einen eigenen Link. Wo sich eine
      <a href="/settings/event-types">Terminart</a> trifft, legen Sie bei ihr als Ort fest.`,
  introOfTeam:
    'Findet ein Termin des Teams in einer dieser Apps statt, bekommt er einen eigenen Link. Ohne verbundene App gilt die des ersten Gastgebers.',
  backToTeam: (team) => html`Zurück zu ${team}`,
  empty: 'Noch ist keine App verbunden. Verbinden Sie hier eine, und wählen Sie sie dann als Ort einer Terminart.',
  emptyOfTeam: 'Für das Team ist noch keine App verbunden.',
  isDefault: 'Standard',
  defaultHint: 'Der Standard gilt auch für Terminarten, deren App nicht verbunden ist.',
  states: {
    CONNECTED: 'Verbunden.',
    BROKEN: 'Wir haben keinen Zugriff mehr. Bis Sie die App neu verbinden, gibt es keine Links.',
    UNREACHABLE: 'Der Server der App antwortet gerade nicht. Die Links kommen, sobald er wieder da ist.',
    PENDING: 'Der Server der App hat noch nicht geantwortet.',
    NOT_OFFERED:
      'Die App ist auf diesem Server nicht mehr eingerichtet, deshalb kommen keine Links. Das kann nur ändern, wer den Server betreibt.',
  },
  again: (app) => `${app} neu verbinden`,
  makeDefault: (app) => `${app} zum Standard machen`,
  disconnect: (app) => `${app} trennen …`,
  more: 'App verbinden',
  all: 'Alle Apps, die es auf diesem Server gibt, sind verbunden.',
  offers: {
    video: 'Ein eigener Raum für jeden Termin, ganz ohne Konto.',
    zoom: 'Ein Meeting für jeden Termin, in Ihrem Zoom-Konto. Den Zugriff erlauben Sie bei Zoom.',
  },
  connect: (app) => `${app} verbinden`,
  notOffered: (app) => `${app} ist auf diesem Server nicht eingerichtet. Das kann nur ändern, wer ihn betreibt.`,
  noneOffered:
    'Auf diesem Server gibt es keine App für Videoanrufe. Sie können bei einer Terminart trotzdem einen eigenen Link als Ort angeben.',
  question: {
    title: (app) => `${app} trennen?`,
    ends: 'Von dieser App kommen dann keine Links mehr.',
    endsWithAccount: (app) =>
      `Von dieser App kommen dann keine Links mehr. Wir vergessen das Konto bei ${app} und haben danach keinen Zugriff mehr.`,
    noEventType: 'Keine Terminart trifft sich in dieser App.',
    eventTypesMove: (next) => `Diese Terminarten treffen sich dann in ${next}:`,
    eventTypesLose:
      'Neue Buchungen dieser Terminarten bekommen keinen Link mehr, bis Sie einen anderen Ort wählen oder eine App verbinden:',
    further: (count) => plural(count, { one: 'und eine weitere', other: `und ${count} weitere` }),
    noBooking: 'Keine künftige Buchung trifft sich in dieser App.',
    keepLink: (count) => `${bookings(count)} mit Link: Der Link bleibt, wie er ist.`,
    keepMeeting: (count, app) =>
      `${bookings(count)} mit Link: Der Link bleibt, aber das Meeting bei ${app} ändert sich nicht mehr mit, wenn ein Termin verschoben oder abgesagt wird.`,
    loseLink: (count) => `${bookings(count)} noch ohne Link: Von dieser App kommt keiner mehr.`,
    button: 'Trennen',
  },
  done: {
    connect: 'Die App ist verbunden.',
    default: 'Der Standard ist geändert.',
    disconnect: 'Die App ist getrennt.',
  },
  mistakes: {
    NOT_POSSIBLE: 'Diese App ist auf diesem Server nicht eingerichtet. Das kann nur ändern, wer ihn betreibt.',
    NOT_FOUND: 'Diese App ist nicht mehr verbunden, oder es gibt sie hier nicht.',
  },
};
