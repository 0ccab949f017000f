/** A host's bookings, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Html } from '../../kit/layout.ts';
import type { Actor, BOOKINGS_EN } from './bookings-words.en.ts';

const plural = pluralIn('de');

const HISTORY: typeof BOOKINGS_EN.history = {
  title: 'Verlauf',
  booked: (booker) => (booker ? html`Gebucht für ${booker}.` : html`Gebucht.`),
  confirmed: (by) => html`${actorHas(by)} den Termin bestätigt.`,
  declined: (by) => html`${actorHas(by)} den Termin abgelehnt.`,
  timeWanted: (by) => html`${actorHas(by)} um eine andere Zeit gebeten.`,
  cancelled: (by) => html`${actorHas(by)} den Termin abgesagt.`,
  moved: (by, from, to) => html`${actorHas(by)} den Termin verschoben: von ${from} auf ${to}.`,
  handedOver: (by, from, to) =>
    from
      ? html`${actorHas(by)} den Termin übergeben: von ${from} an ${to}.`
      : html`${actorHas(by)} den Termin an ${to} übergeben.`,
  hostLeft: (host) => html`Nicht mehr Gastgeber: ${host}.`,
  guestsAdded: (by, count) =>
    html`${actorHas(by)} ${plural(count, { one: 'einen Gast', other: `${count} Gäste` })} hinzugefügt.`,
  guestsInvited: 'Die Gäste wurden eingeladen.',
  attendeeAdded: (by) => html`${actorHas(by)} jemanden hinzugefügt.`,
  placeChanged: (by) => html`${actorHas(by)} den Ort geändert.`,
  absenceMarked: (by) => html`${actorHas(by)} festgehalten, wer nicht erschienen ist.`,
  administrator: 'Jemand aus der Verwaltung',
  aHost: 'jemand',
};

/** At the beginning of a sentence, with its verb. */
function actorHas(by: Actor): Html {
  if (by === null) return html`Jemand hat`;
  return by.isReader ? html`Sie haben` : html`${by.name} hat`;
}

export const BOOKINGS_DE: typeof BOOKINGS_EN = {
  title: 'Ihre Buchungen',
  listTitle: (tab) => `${tab} – Ihre Buchungen`,
  lists: 'Buchungen',
  tabs: {
    upcoming: { name: 'Anstehend', empty: 'Bei Ihnen steht kein Termin an.' },
    waiting: { name: 'Offen', empty: 'Keine Anfrage wartet auf Ihre Antwort.' },
    past: { name: 'Vergangen', empty: 'Sie hatten noch keine Termine.' },
    cancelled: { name: 'Abgesagt', empty: 'Kein Termin wurde abgesagt oder abgelehnt.' },
  },
  search: 'E-Mail-Adresse',
  eventType: 'Terminart',
  allEventTypes: 'Alle Terminarten',
  titleOfTeam: (title, team) => `${title} (${team})`,
  noneOfType: 'Hier ist keine Buchung dieser Terminart.',
  searchButton: 'Suchen',
  showAll: 'Alle anzeigen',
  nobodyFound: (email) => html`Hier ist keine Buchung mit <bdi>${email}</bdi>.`,
  invitation: (url) => html`Teilen Sie <a href="${url}">Ihre Buchungsseite</a>, damit man bei Ihnen buchen kann.`,
  offerSomething: html`<a href="/settings/event-types">Fügen Sie eine sichtbare Terminart hinzu</a>, damit man bei Ihnen buchen kann.`,
  zone: (name, path) => html`Zeiten in ${name} (<a href="${path}">ändern</a>).`,
  bookingPage: (url) => html`Ihre Buchungsseite: <a href="${url}">${url}</a>`,
  held: {
    title: 'Vorgemerkt',
    count: (count, isMore) =>
      isMore ? `mehr als ${count} Zeiten` : plural(count, { one: 'eine Zeit', other: `${count} Zeiten` }),
    explanation:
      'Jemand hält diese Zeiten für ein paar Minuten frei, um sie zu buchen. Kommt Ihnen das verdächtig vor, geben Sie die Zeit frei: Sie ist dann sofort wieder buchbar und lässt sich von dort eine Weile nicht mehr vormerken.',
    until: (time) => html`bis ${time}`,
    release: 'Freigeben',
    done: 'Die Zeit ist wieder frei.',
  },
  with: (name) => html`mit <bdi>${name}</bdi>`,

  marks: {
    waiting: 'Wartet auf Sie',
    moved: 'Verschoben',
    declined: 'Abgelehnt',
    cancelled: 'Abgesagt',
    timeWanted: 'Andere Zeit erbeten',
    confirmed: 'Bestätigt',
    over: 'Vorbei',
  },
  moved: (path) => html`Der Termin hat eine neue Zeit. <a href="${path}">Zur neuen Buchung</a>`,
  waiting: 'Die Zeit bleibt reserviert, bis Sie bestätigen oder ablehnen.',
  timeWanted: (names, isAlone) =>
    html`${isAlone ? 'Sie haben' : 'Einer der Gastgeber hat'} <bdi>${names}</bdi> um eine andere Zeit gebeten.`,
  when: 'Wann',
  where: 'Wo',
  host: 'Gastgeber',
  absentHost: (name) => `${name} (nicht erschienen)`,
  attendee: 'Gebucht von',
  attendees: 'Wer dabei ist',
  nobody: 'Niemand.',
  name: 'Name',
  absent: 'Nicht erschienen',
  email: 'E-Mail',
  notVerified: '(nicht bestätigt)',
  phone: 'Telefon',
  timeZone: 'Zeitzone',
  notes: 'Anmerkungen',
  guests: 'Gäste',
  notInvited: '(noch nicht eingeladen)',
  unsent: (count) =>
    `${plural(count, { one: 'Eine Nachricht zu diesem Termin konnte', other: `${count} Nachrichten zu diesem Termin konnten` })} nicht verschickt werden, weil es zu viele auf einmal waren. Bitte sagen Sie den anderen selbst Bescheid.`,
  waitingMessages: (count) =>
    `${plural(count, { one: 'Eine Nachricht aus den Workflows Ihres Teams folgt', other: `${count} Nachrichten aus den Workflows Ihres Teams folgen` })} später, weil es zu viele auf einmal waren.`,
  notMailed: 'Ohne E-Mail',
  outcomes: {
    WAITING: 'Die E-Mail wartet, weil aus diesem Netzwerk in einer Stunde zu viel gebucht wurde',
    SUMMARY: 'Die Buchung folgt in einer Zusammenfassung, weil die Adresse viele E-Mails bekam',
    NONE: 'Bekommt keine E-Mail',
  },
  history: HISTORY,
  series: 'Weitere Termine dieser Serie',
  seriesElsewhere: 'Dieser Termin gehört zu einer Serie. Die anderen Termine haben andere Gastgeber.',
  asAttendee: 'Ansehen, wie andere ihn sehen',

  whatToDo: 'Was möchten Sie tun?',
  answer: {
    title: (title) => `Bestätigen oder ablehnen: ${title}`,
    settled: 'Hier ist nichts mehr zu beantworten.',
    over: 'Der Termin ist vorbei und kann hier nicht mehr beantwortet werden.',
    more: (path) =>
      html`<a href="${path}">Melden Sie sich an, um alles zu sehen, was Sie mit der Buchung tun können</a>.`,
    keepSecret: 'Wer den Link zu dieser Seite kennt, kann in Ihrem Namen antworten. Bitte behalten Sie ihn für sich.',
    nothing: {
      title: 'Hier ist nichts zu beantworten',
      message:
        'Diese Adresse steht in keiner E-Mail an Sie, oder sie gilt nicht mehr: Die Buchung wurde an jemand anderes übergeben, oder Ihre E-Mail-Adresse hat sich geändert.',
      advice: 'Ihre Buchungen finden Sie unter /bookings.',
    },
  },
  actions: {
    confirm: {
      summary: null,
      button: 'Termin bestätigen',
      done: 'Sie haben den Termin bestätigt. Alle Beteiligten werden benachrichtigt.',
    },
    decline: {
      summary: 'Ablehnen …',
      button: 'Termin ablehnen',
      done: 'Sie haben den Termin abgelehnt. Die Zeit ist wieder frei.',
    },
    'request-reschedule': {
      summary: 'Um andere Zeit bitten …',
      button: 'Um andere Zeit bitten',
      done: 'Sie haben um eine andere Zeit gebeten. Bis eine gewählt ist, ist der Termin abgesagt.',
    },
    reassign: {
      summary: 'An jemand anderes übergeben …',
      button: 'Termin übergeben',
      done: 'Sie haben den Termin an jemand anderes übergeben.',
    },
    absence: { summary: 'Nicht erschienen …', button: 'Speichern', done: 'Gespeichert.' },
    cancel: {
      summary: 'Absagen …',
      button: 'Termin absagen',
      done: 'Sie haben den Termin abgesagt. Alle Beteiligten werden benachrichtigt.',
    },
  },
  reason: 'Grund',
  optionalReason: 'Grund (optional)',
  reasonHint: 'Alle Beteiligten können das lesen.',
  restCancelled: 'Sie haben alle verbleibenden Termine der Serie abgesagt. Alle Beteiligten werden benachrichtigt.',
  wholeSeries: (count) =>
    plural(count, {
      one: 'Den einen verbleibenden Termin der Serie',
      other: `Alle ${count} verbleibenden Termine der Serie`,
    }),
  newHost: 'Neuer Gastgeber',
  anyHost: 'Wer als Nächstes an der Reihe ist',
  whoAbsent: 'Wer ist nicht erschienen?',
  selfAbsent: 'Ich war nicht da',
  nothing: {
    title: 'Buchung nicht gefunden',
    message: 'Unter dieser Adresse haben Sie keine Buchung. Vielleicht wurde sie an jemand anderes übergeben.',
    advice: 'Ihre Buchungen finden Sie unter /bookings.',
  },
  mistakes: {
    NOT_FOUND: 'Diese Buchung gibt es nicht mehr, oder sie wurde an jemand anderes übergeben.',
    NOT_POSSIBLE: 'Das ist bei diesem Termin nicht mehr möglich. Bitte sehen Sie nach, wie er jetzt steht.',
    REASON_REQUIRED: 'Bitte sagen Sie, warum Sie absagen.',
    HOST_NOT_AVAILABLE:
      'Zu dieser Zeit kann sonst niemand. Bitte wählen Sie jemand anderes, oder sagen Sie den Termin ab.',
    SLOT_TAKEN: 'Zu dieser Zeit steht inzwischen etwas anderes an.',
  },
};
