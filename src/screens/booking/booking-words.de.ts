/** The way to a booking, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import { PROBLEM_TEXTS_DE } from '../kit/problem-words.de.ts';
import type { MistakeTexts } from '../kit/problem-words.en.ts';
import type { BOOKING_EN, MISTAKES_EN } from './booking-words.en.ts';

const plural = pluralIn('de');

export const BOOKING_DE: typeof BOOKING_EN = {
  author: (team) => html`Texte, Fragen, Orte und Links auf dieser Seite stammen von: <bdi>${team}</bdi>.`,
  by: (team) => html`Von: <bdi>${team}</bdi>`,
  departure: (host) => html`Danach werden Sie zu <bdi>${host}</bdi> weitergeleitet.`,
  departureOfTeam: (host, team) =>
    html`Danach werden Sie zu <bdi>${host}</bdi> weitergeleitet. Dieses Ziel stammt von: <bdi>${team}</bdi>.`,
  linkOver: {
    title: 'Dieser Link gilt nicht mehr',
    message: 'Er wurde schon benutzt, ist abgelaufen oder unvollständig.',
    advice: 'Bitte lassen Sie sich einen neuen schicken.',
  },
  whatToBook: 'Was möchten Sie buchen?',
  whomToBook: 'Bei wem möchten Sie buchen?',

  length: 'Dauer',
  where: 'Wo',
  repeats: 'Wiederholung',
  repeatsFor: (every, count) => `${every}, bis zu ${count}-mal`,
  confirmation: 'Bestätigung',
  hostConfirms: 'Jede Buchung muss noch bestätigt werden',
  timeZone: 'Zeitzone',
  places: {
    LINK: 'Online: Den Link erhalten Sie mit der Buchung',
    PHONE: 'Telefonisch: Die Nummer erhalten Sie mit der Buchung',
    ATTENDEE_ADDRESS: 'An einer Adresse Ihrer Wahl',
    ATTENDEE_PHONE: 'Telefonisch: Sie werden angerufen',
    ATTENDEE_CHOICE: 'An einem Ort Ihrer Wahl',
  },
  every: {
    DAILY: (interval) => plural(interval, { one: 'Jeden Tag', other: `Alle ${interval} Tage` }),
    WEEKLY: (interval) => plural(interval, { one: 'Jede Woche', other: `Alle ${interval} Wochen` }),
    MONTHLY: (interval) => plural(interval, { one: 'Jeden Monat', other: `Alle ${interval} Monate` }),
    YEARLY: (interval) => plural(interval, { one: 'Jedes Jahr', other: `Alle ${interval} Jahre` }),
  },

  anotherTimeFor: (title) => `${title} verschieben`,
  toMove: (when) => html`Bisherige Zeit: ${when}. Wählen Sie eine neue Zeit.`,
  months: 'Monate',
  previousMonth: (month) => `Voriger Monat: ${month}`,
  nextMonth: (month) => `Nächster Monat: ${month}`,
  today: '(heute)',
  dayWithTimes: (date, isToday, free) =>
    `${date}${isToday ? ' (heute)' : ''}, ${plural(free, { one: '1 freie Zeit', other: `${free} freie Zeiten` })}`,
  nothingInMonth: (month) => html`Im ${month} gibt es keine freien Zeiten.`,
  lookAt: (month) => html`Weiter zum ${month}`,
  nothingOnDay: 'An diesem Tag gibt es keine freien Zeiten. Bitte wählen Sie einen anderen.',
  awayDay: '(abwesend)',
  away: (host, when) => html`${host} ist abwesend: ${when}.`,
  from: (date) => html`ab ${date}`,
  awayOnDay: (host) => html`${host} ist an diesem Tag abwesend.`,
  standIn: (colleague) => html`Stattdessen können Sie bei ${colleague} buchen.`,
  remainingSeatCount: (count) => plural(count, { one: '1 Platz frei', other: `${count} Plätze frei` }),
  zone: {
    label: 'Zeiten in einer anderen Zeitzone anzeigen',
    placeholder: 'Stadt, zum Beispiel Paris',
    button: 'Zeitzone ändern',
    unknown:
      'Diese Zeitzone kennen wir nicht, oder es könnten mehrere sein. Geben Sie eine größere Stadt in Ihrer Nähe ein und wählen Sie aus der Liste.',
  },

  otherTimes: (date) => html`Freie Zeiten am ${date}`,
  chooseOther: 'Bitte wählen Sie eine andere Zeit:',
  nothingElse: 'An diesem Tag gibt es keine anderen freien Zeiten.',
  chooseDay: 'Anderen Tag wählen',
  chooseTime: 'Andere Zeit wählen',
  signInFirst: (path) =>
    html`Zum Buchen müssen Sie angemeldet sein. <a href="${path}" target="_blank">Melden Sie sich an</a> und senden Sie das Formular dann noch einmal.`,
  signInAlone: 'Zum Buchen müssen Sie angemeldet sein.',
  bookAlone: 'In einem neuen Tab anmelden und buchen',
  openAlone: 'In einem neuen Tab öffnen',
  fromThenOn: (every) => `${every} ab diesem Termin`,
  fields: {
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    phone: 'Ihre Telefonnummer',
    address: 'Ihre Adresse',
    meeting: 'Wo Sie sich treffen möchten',
    occurrences: 'Anzahl der Termine',
    notes: 'Anmerkungen',
    guests: 'Gäste',
    code: 'Code',
  },
  hints: {
    phone: 'Mit Ländervorwahl, zum Beispiel +4930123456.',
    url: 'Beginnt mit https://',
    emails: 'Eine E-Mail-Adresse pro Zeile.',
    guests: 'Eine E-Mail-Adresse pro Zeile, höchstens 10.',
    code: 'Die sechs Ziffern aus der E-Mail, die wir Ihnen geschickt haben.',
    occurrences: (every, most) => `${every}, 1- bis ${most}-mal.`,
  },
  seriesDates: {
    summary: (count, until) => html`${count} Termine bis ${until}`,
    notFree: 'Nicht frei',
    allFree: 'Alle diese Termine sind frei. Bei einer kleineren Anzahl werden die ersten davon gebucht.',
    someFree: (free, taken) =>
      html`${plural(free, { one: 'Von diesen Terminen lässt sich nur der erste buchen', other: `Von diesen Terminen lassen sich nur die ersten ${free} buchen` })}: Der Termin am ${taken} ist nicht frei, und eine Serie hat keine Lücken. Für mehr Termine wählen Sie bitte eine andere Zeit.`,
  },
  anywhere: 'Egal',
  chooseOne: 'Bitte wählen',
  addGuestsOrPhone: 'Gäste oder Telefonnummer hinzufügen',
  addPhone: 'Telefonnummer hinzufügen',
  book: 'Buchen',
  request: 'Termin anfragen',
  withoutMail:
    'Aus Ihrem Netzwerk wurde so viel gebucht, dass Sie zu dieser Buchung keine E-Mail erhalten, außer wir haben Ihnen schon einmal geschrieben. Wenn Sie buchen, bewahren Sie den Link auf, den Sie dann sehen: Mit ihm können Sie absagen oder verschieben.',
  whyCode: 'Vor der Buchung prüfen wir Ihre E-Mail-Adresse: Wir schicken Ihnen einen Code, den Sie hier eingeben.',
  sendCode: 'Code senden',
  sendCodeAgain: 'Neuen Code senden',
  codeSent: (email, minutes) => `Wir haben einen Code an ${email} geschickt. Er gilt ${minutes} Minuten.`,
};

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'Zum Buchen müssen Sie angemeldet sein.',
  TOO_MANY_GUESSES: 'Das waren zu viele Versuche. Bitte fordern Sie etwas später einen neuen Code an.',
  NOT_FOUND: 'Diese Buchung gibt es nicht mehr.',
  CONFLICT:
    'Der Termin wurde inzwischen verschoben, deshalb wurde nichts geändert. Sehen Sie nach, wann er jetzt ist: Soll er auf Ihre Zeit verschoben werden, senden Sie das Formular noch einmal ab.',
  FOREIGN_REQUEST:
    'Es wurde nichts gesendet, weil Ihr Browser nicht mitteilt, von welcher Seite das Formular kommt. Bitte öffnen Sie diese Seite mit dem Link unten in einem neuen Tab und buchen Sie dort.',
  DURATION_NOT_OFFERED: 'Die Dauer dieses Termins wurde geändert. Bitte wählen Sie noch einmal eine Zeit.',
  NOT_BOOKABLE: PROBLEM_TEXTS_DE.NOT_BOOKABLE,
  SLOT_TAKEN: PROBLEM_TEXTS_DE.SLOT_TAKEN,
  SLOT_RESERVED: PROBLEM_TEXTS_DE.SLOT_RESERVED,
  DUPLICATE: 'Diese Adresse ist schon dabei. Bitte lassen Sie sie weg.',
  IDEMPOTENCY_KEY_REUSED:
    'Mit diesem Formular wurde schon etwas anderes gebucht. Bitte öffnen Sie die Seite noch einmal.',
  NOT_POSSIBLE: 'Das ist bei diesem Termin nicht möglich.',
  FORBIDDEN: 'Das dürfen Sie bei diesem Termin nicht.',
};

/** Mistakes in a booking or a change of one. */
export const MISTAKES_DE: typeof MISTAKES_EN = {
  texts: TEXTS,
  gone: 'Diese Zeit ist nicht mehr frei. Wenn Sie sie gerade selbst gebucht haben, finden Sie alles in unserer E-Mail. Sonst wählen Sie bitte eine andere.',
  closedSeries: 'Nicht alle Zeiten der Serie sind frei. Bitte wählen Sie eine andere Zeit oder weniger Termine.',
};
