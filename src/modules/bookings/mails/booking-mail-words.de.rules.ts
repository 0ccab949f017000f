/**
 * The mails about bookings, in German. A person whose name is not for the reader is "jemand", which stays as it is in
 * every case.
 */
import { pluralIn } from '../../../core/language.ts';
import type { BookingMailWords } from './booking-mail-words.en.rules.ts';
import { type Actor, sameForAll, type WordsByRole } from './booking-news.rules.ts';

const plural = pluralIn('de');

const NEWS: BookingMailWords['news'] = {
  BOOKED: ({ booker, hosts, isSeries }) => ({
    ATTENDEE: {
      heading: 'Gebucht',
      opening: isSeries ? 'Ihre Buchungen sind bestätigt.' : 'Ihre Buchung ist bestätigt.',
    },
    GUEST: { heading: 'Einladung', opening: `${booker} lädt Sie zu einem Termin mit ${hosts} ein.` },
    HOST: { heading: 'Neue Buchung', opening: `${booker} hat einen Termin mit Ihnen gebucht.` },
  }),
  REQUESTED: ({ booker, hosts }) => ({
    ATTENDEE: {
      heading: 'Angefragt',
      opening:
        'Ihre Anfrage muss noch bestätigt werden. Bis dahin ist die Zeit für Sie reserviert. Die Antwort erhalten Sie per E-Mail.',
    },
    GUEST: {
      heading: 'Angefragt',
      opening: `${booker} hat einen Termin mit ${hosts} angefragt und hätte Sie gern dabei. Der Termin muss noch bestätigt werden.`,
    },
    HOST: {
      heading: 'Bitte bestätigen',
      opening: `${booker} bittet Sie um einen Termin. Die Zeit bleibt reserviert, bis Sie ihn bestätigen oder ablehnen.`,
    },
  }),
  CONFIRMED: ({ booker }) => ({
    ATTENDEE: { heading: 'Bestätigt', opening: 'Ihre Buchung ist bestätigt.' },
    GUEST: { heading: 'Bestätigt', opening: `Der Termin, den ${booker} angefragt hat, ist bestätigt.` },
    HOST: { heading: 'Bestätigt', opening: `Der Termin mit ${booker} ist bestätigt.` },
  }),
  REJECTED: ({ booker }) => ({
    ATTENDEE: { heading: 'Abgelehnt', opening: 'Ihre Anfrage wurde leider abgelehnt.' },
    GUEST: { heading: 'Abgelehnt', opening: `Der Termin, den ${booker} angefragt hat, wurde abgelehnt.` },
    HOST: { heading: 'Abgelehnt', opening: `Die Anfrage von ${booker} wurde abgelehnt.` },
  }),
  CANCELLED: ({ by, booker, isSeries }) => {
    if (!isSeries) return cancelledAlone(by, booker);
    const all = by ? `${actorHas(by)} alle Termine unten abgesagt.` : 'Alle Termine unten wurden abgesagt.';
    const host = by
      ? `${actorHas(by)} alle Termine mit ${booker} unten abgesagt.`
      : `Alle Termine mit ${booker} unten wurden abgesagt.`;
    return { ...sameForAll('Abgesagt', all), HOST: { heading: 'Abgesagt', opening: host } };
  },
  TIME_WANTED: ({ by, booker }) => {
    const cannot = by?.isReader ? 'Sie können' : `${by?.name ?? 'jemand'} kann`;
    return {
      ATTENDEE: {
        heading: 'Bitte wählen Sie eine andere Zeit',
        opening: `${cannot} den Termin unten nicht wahrnehmen. Bitte wählen Sie eine andere Zeit. Bis dahin ist der Termin abgesagt.`,
      },
      GUEST: {
        heading: 'Abgesagt',
        opening: `${cannot} den Termin unten nicht wahrnehmen und hat ${booker} gebeten, eine andere Zeit zu wählen. Bis dahin ist der Termin abgesagt.`,
      },
      HOST: {
        heading: 'Um neue Zeit gebeten',
        opening: `${actorHas(by)} ${booker} gebeten, eine andere Zeit zu wählen. Bis dahin ist der Termin abgesagt.`,
      },
    };
  },
  RESCHEDULED: ({ by, booker, isToConfirm }) => {
    if (isToConfirm) return newTimeRequested(by, booker);
    const moved = (nominative: string, accusative: string): string =>
      by ? `${actorHas(by)} ${accusative} verschoben.` : `${nominative} wurde verschoben.`;
    return {
      ATTENDEE: { heading: 'Neue Zeit', opening: moved('Ihr Termin', 'Ihren Termin') },
      GUEST: { heading: 'Neue Zeit', opening: moved('Der Termin', 'den Termin') },
      HOST: {
        heading: 'Neue Zeit',
        opening: moved(`Der Termin mit ${booker}`, `den Termin mit ${booker}`),
      },
    };
  },
  INVITED: ({ booker, hosts, isToConfirm }) => {
    const waits = isToConfirm ? ' Der Termin muss noch bestätigt werden.' : '';
    return {
      ATTENDEE: { heading: 'Einladung', opening: `Sie sind bei einem Termin mit ${hosts} dabei.${waits}` },
      GUEST: { heading: 'Einladung', opening: `Sie sind zu einem Termin mit ${hosts} eingeladen.${waits}` },
      HOST: { heading: 'Einladung', opening: `Sie sind beim Termin mit ${booker} dabei.${waits}` },
    };
  },
  LOCATION_CHANGED: ({ booker }) => ({
    ATTENDEE: { heading: 'Neuer Ort', opening: 'Ihr Termin hat einen neuen Ort.' },
    GUEST: { heading: 'Neuer Ort', opening: 'Der Termin hat einen neuen Ort.' },
    HOST: { heading: 'Neuer Ort', opening: `Der Termin mit ${booker} hat einen neuen Ort.` },
  }),
  LINK_MISSED: ({ booker }) =>
    sameForAll(
      'Kein Videolink',
      `Die Video-App hat für den Termin mit ${booker} keinen Link geliefert, und wir fragen nicht weiter nach. Der Termin bleibt bestehen, aber ohne Link. Geben Sie einen anderen Ort an oder denselben noch einmal, sobald die App verbunden ist: Wir benachrichtigen dann alle Beteiligten.`,
    ),
  NEW_LINK: ({ isSeries }) =>
    sameForAll(
      isSeries ? 'Neue Links' : 'Neuer Link',
      isSeries
        ? 'Die Links zu Ihren Terminen wurden ersetzt. Frühere gelten nicht mehr; bitte benutzen Sie die in dieser E-Mail.'
        : 'Der Link zu Ihrem Termin wurde ersetzt. Frühere gelten nicht mehr; bitte benutzen Sie den in dieser E-Mail.',
    ),
  HOST_CHANGED: ({ from, to, hosts, booker }) => {
    if (to !== '') return sameForAll('Neuer Gastgeber', `Sie treffen ${to} statt ${from}. Die Zeit bleibt gleich.`);
    const met = {
      heading: 'Ein Gastgeber weniger',
      opening: `Sie treffen ${hosts}, ohne ${from}. Die Zeit bleibt gleich.`,
    };
    const host = { ...met, opening: `${from} ist beim Termin mit ${booker} nicht mehr dabei. Die Zeit bleibt gleich.` };
    return { ATTENDEE: met, GUEST: met, HOST: host };
  },
  HANDED_OVER: ({ to, hosts, booker }) =>
    sameForAll('Übergeben', `Der Termin mit ${booker} wurde an ${to || hosts} übergeben. Ihre Zeit ist wieder frei.`),
  TAKEN_OVER: ({ from, booker, isToConfirm }) =>
    isToConfirm
      ? sameForAll(
          'Bitte bestätigen',
          `Sie haben die Anfrage von ${booker} von ${from} übernommen. Die Zeit bleibt reserviert, bis Sie sie bestätigen oder ablehnen.`,
        )
      : sameForAll('Neue Buchung', `Sie haben den Termin mit ${booker} von ${from} übernommen.`),
};

/** Nothing is said to have been moved that a host may yet decline. */
function newTimeRequested(by: Actor | null, booker: string): WordsByRole {
  const requested = (what: string): string =>
    by ? `${actorHas(by)} für ${what} eine neue Zeit angefragt.` : `Für ${what} wurde eine neue Zeit angefragt.`;
  const waits = 'Sie muss noch bestätigt werden.';
  return {
    ATTENDEE: { heading: 'Neue Zeit angefragt', opening: `${requested('Ihren Termin')} ${waits}` },
    GUEST: { heading: 'Neue Zeit angefragt', opening: `${requested('den Termin')} ${waits}` },
    HOST: {
      heading: 'Bitte bestätigen Sie die neue Zeit',
      opening: `${requested(`den Termin mit ${booker}`)} Sie bleibt reserviert, bis Sie sie bestätigen oder ablehnen.`,
    },
  };
}

function cancelledAlone(by: Actor | null, booker: string): WordsByRole {
  return {
    ATTENDEE: {
      heading: 'Abgesagt',
      opening: by ? `${actorHas(by)} Ihren Termin abgesagt.` : 'Ihr Termin wurde abgesagt.',
    },
    GUEST: {
      heading: 'Abgesagt',
      opening: by ? `${actorHas(by)} den Termin abgesagt.` : 'Der Termin wurde abgesagt.',
    },
    HOST: {
      heading: 'Abgesagt',
      opening: by ? `${actorHas(by)} den Termin mit ${booker} abgesagt.` : `Der Termin mit ${booker} wurde abgesagt.`,
    },
  };
}

/** Begins a sentence: who acted, with the verb in the right form. */
function actorHas(by: Actor | null): string {
  return by?.isReader ? 'Sie haben' : `${by?.name ?? 'jemand'} hat`;
}

export const BOOKING_MAIL_DE: BookingMailWords = {
  news: NEWS,
  subject: (heading, title, start) => `${heading}: ${title}, ${start}`,
  titleWith: (title, others) => `${title} mit ${others}`,
  // After a comma, a sentence would go on in small letters.
  hello: 'Guten Tag!',
  helloTo: (name) => `Guten Tag, ${name}!`,
  reason: 'Grund:',
  notes: 'Anmerkungen:',
  moreOnPage: 'Ihre Antworten und Anmerkungen finden Sie auf der Seite der Buchung.',
  guestsToInvite: (count) =>
    plural(count, {
      one: 'Ihr Gast ist noch nicht eingeladen. Wenn die Buchung von Ihnen ist, laden Sie Ihren Gast hier ein:',
      other: `Ihre ${count} Gäste sind noch nicht eingeladen. Wenn die Buchung von Ihnen ist, laden Sie Ihre Gäste hier ein:`,
    }),
  inviteGuests: (count) => plural(count, { one: 'Gast einladen', other: 'Gäste einladen' }),
  labels: { what: 'Was', author: 'Von', when: 'Wann', before: 'Vorher', where: 'Wo', who: 'Wer' },
  cannotCome: (booker) => `Wenn Sie nicht kommen können, sagen Sie bitte ${booker} Bescheid.`,
  answer: 'Bestätigen oder ablehnen:',
  keepAnswerSecret:
    'Sie müssen sich dafür nicht anmelden. Wer diesen Link kennt, kann in Ihrem Namen antworten. Bitte leiten Sie weder ihn noch diese E-Mail weiter.',
  look: 'Buchung ansehen:',
  lookAtSeries: 'Alle Termine der Serie ansehen:',
  chooseTime: 'Eine andere Zeit wählen:',
  manage: (count) =>
    plural(count, {
      one: 'Buchung verwalten:',
      other: 'Ihre Termine verwalten:',
    }),
  keepSecret: 'Wer diesen Link kennt, kann dasselbe tun. Bitte behalten Sie ihn für sich.',
  notYou:
    'Jemand hat Ihre Adresse angegeben. Waren Sie es nicht, wählen Sie „Das war ich nicht“, und wir schicken Ihnen solche E-Mails nicht mehr:',
  notMe: 'Das war ich nicht',
  page: 'Seite',
  summary: {
    subject: (count) => plural(count, { one: '1 Buchung', other: `${count} Buchungen` }),
    heading: 'Ihre Buchungen',
    ofAttendee: 'Sie haben viele E-Mails bekommen. Deshalb steht hier alles Weitere auf einmal.',
    keepSecret:
      'Wer einen dieser Links kennt, kann die Buchung absagen oder verschieben. Bitte behalten Sie die Links für sich.',
    ofHost: 'Innerhalb weniger Minuten wurde viel bei Ihnen gebucht. Deshalb steht hier alles auf einmal.',
  },
  attendees: (count) => plural(count, { one: '1 Person', other: `${count} Personen` }),
  anAttendee: 'jemand',
  anotherHost: 'jemand anders',
  administrator: 'jemand aus der Verwaltung',
  aTeam: 'ein Team',
  asHost: (name) => `${name} (Gastgeber)`,
  asLeaving: (person) => `${person} (nicht mehr dabei)`,
  you: 'Sie',
  asReader: (name) => `${name} (Sie)`,
};
