/** The words of the pages of hosts, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { Html } from '../kit/layout.ts';
import type { ABSENCE_EN, Actor, BOOKINGS_EN, SCHEDULE_EN, WELCOME_EN } from './hosting-words.en.ts';

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
  linkReplaced: (by) => html`${actorHas(by)} den Link für den Gast ersetzt.`,
  disowned:
    'Wer die E-Mails des Gastes liest, hat angegeben, das nicht gebucht zu haben. Der Link für den Gast gilt nicht mehr.',
  administrator: 'Jemand aus der Verwaltung',
  aHost: 'jemand',
};

/** At the beginning of a sentence, with its verb. */
function actorHas(by: Actor): Html {
  if (by === null) return html`Jemand hat`;
  return by.isReader ? html`Sie haben` : html`${by.name} hat`;
}

/** A host's bookings: the lists, one of them, and what can be done with it. */
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
    IN_SUMMARY: 'Die Buchung folgt in einer Zusammenfassung, weil die Adresse viele E-Mails bekam',
    NOT_SENT: 'Bekommt keine E-Mail',
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
    'replace-link': {
      summary: 'Link für den Gast ersetzen …',
      button: 'Link ersetzen',
      done: 'Der alte Link gilt nicht mehr. Der neue wird dem Gast per E-Mail geschickt.',
    },
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

/** Schedules: when somebody can be booked. */
export const SCHEDULE_DE: typeof SCHEDULE_EN = {
  hours: {
    title: 'Ihre Verfügbarkeit',
    ofDefault: (name) => html`Ihre Standard-Arbeitszeiten: ${name}. Auch Einträge in <a href="/settings/calendars">Ihren
      Kalendern</a> gelten als belegt. <a href="/settings/event-types">Ihre Terminarten</a> werden in diesen Zeiten gebucht, wenn für sie keine
      <a href="/settings/schedules">anderen Arbeitszeiten</a> gewählt sind.`,
    ofOther: html`Diese Zeiten gelten für <a href="/settings/event-types">Terminarten</a>, bei denen sie gewählt sind. Auch Einträge in
      <a href="/settings/calendars">Ihren Kalendern</a> gelten als belegt.`,
    name: 'Name',
    nameHint: 'Wer bucht, sieht ihn nicht.',
    timeZone: 'Zeitzone',
    paint: 'Ziehen Sie über die Woche, um Zeiten hinzuzufügen, oder über Zeiten, um sie zu entfernen.',
    times:
      'Schreiben Sie Uhrzeiten wie 09:30; 24:00 ist das Ende des Tages. An einem Tag ohne Uhrzeiten kann niemand buchen.',
    week: 'Zeiten der Woche',
    dates: 'Andere Zeiten an einzelnen Tagen',
    datesHint:
      'Die Uhrzeiten eines Datums ersetzen die dieses Wochentags. Ohne Uhrzeiten kann man an diesem Tag nicht buchen. Leeren Sie ein Datum, um es zu entfernen.',
    date: (number) => `Datum ${number}`,
    from: (line) => `${line} von`,
    to: (line) => `${line} bis`,
    save: 'Speichern',
    all: 'Alle Arbeitszeiten',
    makeDefault: 'Zum Standard machen',
    remove: 'Diese Arbeitszeiten löschen …',
  },
  list: {
    title: 'Ihre Arbeitszeiten',
    intro: 'Arbeitszeiten legen fest, wann man bei Ihnen buchen kann: jede Woche, und an einzelnen Tagen anders.',
    isDefault: 'Standard',
    uses: (count) => plural(count, { one: 'Für 1 Terminart', other: `Für ${count} Terminarten` }),
    usesDefault: 'Für alle Terminarten ohne eigene Arbeitszeiten',
    unused: 'Für keine Terminart gewählt',
    add: 'Arbeitszeiten hinzufügen',
    addHint: 'Sie beginnen mit Montag bis Freitag, 09:00 bis 17:00. Das ändern Sie im nächsten Schritt.',
    addButton: 'Hinzufügen',
  },
  question: {
    title: (name) => `${name} löschen?`,
    unused: 'Keine Terminart verwendet diese Zeiten.',
    isDefault: 'Das sind Ihre Standard-Arbeitszeiten, und die gibt es immer. Machen Sie zuerst andere zum Standard.',
    inUse: 'Diese Terminarten verwenden sie noch. Wählen Sie für sie zuerst andere Zeiten:',
    further: (count) => plural(count, { one: 'und eine weitere', other: `und ${count} weitere` }),
    button: 'Löschen',
  },
  none: {
    title: 'Arbeitszeiten nicht gefunden',
    message: 'Unter dieser Adresse haben Sie keine Arbeitszeiten. Vielleicht wurden sie gelöscht.',
    advice: 'Ihre Arbeitszeiten finden Sie unter /settings/schedules.',
  },
  done: {
    saved: 'Gespeichert.',
    added:
      'Hinzugefügt. Tragen Sie hier ein, wann man bei Ihnen buchen kann, und wählen Sie die Zeiten dann bei einer Terminart.',
    default: 'Das sind jetzt Ihre Standard-Arbeitszeiten.',
    deleted: 'Die Arbeitszeiten sind gelöscht.',
  },
};

/** Days off. */
export const ABSENCE_DE: typeof ABSENCE_EN = {
  title: 'Abwesenheiten',
  intro: html`Wenn Sie abwesend sind, kann niemand bei Ihnen buchen, auch nicht in <a href="/settings/hours">Ihren Arbeitszeiten</a>.
      Termine, die Sie schon haben, bleiben bestehen.`,
  none: 'Sie haben keine Abwesenheiten. Tragen Sie unten eine ein, dann kann an diesen Tagen niemand bei Ihnen buchen.',
  days: (first, last) => `${first} bis ${last}`,
  add: 'Abwesenheit hinzufügen',
  fields: { first: 'Erster Tag', last: 'Letzter Tag', reason: 'Grund', standIn: 'Vertretung' },
  reasonHint: (most) => `Wer bucht, sieht ihn nicht. Höchstens ${most} Zeichen.`,
  standInHint:
    'Der Benutzername einer Person aus einem Ihrer Teams oder Ihrer Organisation. An diesen Tagen führen Ihre Buchungsseiten zu ihrer.',
  standIn: (colleague) => html`Vertretung: ${colleague}`,
  noColleague: 'Niemand in Ihren Teams und Organisationen hat diesen Benutzernamen.',
  addButton: 'Hinzufügen',
  zone: (name) => html`Tage in ${name} (<a href="/settings/account#timeZone">ändern</a>).`,
  removeButton: 'Entfernen',
  remove: (when) => `Abwesenheit entfernen: ${when}`,
  done: { added: 'Hinzugefügt.', removed: 'Entfernt.' },
  noDay: 'Bitte wählen Sie einen Tag.',
  noDate: (typed) => `Den Tag ${typed} gibt es nicht. Bitte schreiben Sie ihn wie 2027-01-31.`,
  inverted: 'Der letzte Tag liegt vor dem ersten.',
};

/** The words for what a new account is ready for. */
export const WELCOME_DE: typeof WELCOME_EN = {
  title: 'Jetzt kann man bei Ihnen buchen',
  notYet: 'Ihr Konto ist eingerichtet',
  share: 'Teilen Sie Ihren Link. Wer ihn öffnet, sieht Ihre freien Zeiten und kann eine davon buchen.',
  link: 'Ihr Buchungslink',
  look: 'Buchungsseite ansehen',
  hours: 'Ihre Verfügbarkeit',
  week: (days, start, end) => `${days}, ${start} bis ${end} Uhr`,
  days: (first, last) => `${first} bis ${last}`,
  noHours: 'Sie haben keine wöchentlichen Zeiten. So kann niemand bei Ihnen buchen.',
  changeHours: html`<a href="/settings/hours">Ändern Sie, wann man bei Ihnen buchen kann</a>, oder
          <a href="/settings/calendars">verbinden Sie einen Kalender</a>, damit während seiner Einträge niemand bei Ihnen bucht.`,
  offer: 'Was man buchen kann',
  nothing: 'Noch nichts: Sie haben keine sichtbare Terminart.',
  more: 'Und weitere.',
  changeOffer: html`<a href="/settings/event-types">Terminarten hinzufügen oder ändern</a>.`,
  further: (
    settings,
  ) => html`Zu jeder Buchung erhalten Sie eine E-Mail; alle stehen unter <a href="/bookings">Ihre Buchungen</a>. Alles andere
          finden Sie in <a href="${settings}">Ihren Einstellungen</a>.`,
  apps: 'Sie entwickeln eine App?',
  registerApp: html`<a href="/settings/developer/oauth/new">Registrieren Sie Ihre App</a>, dann erhalten Sie ihre Client-ID und ihr Geheimnis. Sehen
          Sie sich danach <a href="/openapi">die REST-Pfade</a> und <a href="/schema.graphql">das GraphQL-Schema</a> an.`,
};
