/** The words for what can be booked with a user, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_SLUG_LENGTH } from '../../../core/text.ts';
import { MAX_TEXT } from '../../../modules/event-types/event-type.rules.ts';
import { MAX_EMBED_ORIGINS } from '../../../modules/event-types/settings/embed-origin.rules.ts';
import { MAX_SEATS } from '../../../modules/event-types/settings/scheduling.rules.ts';
import type { EVENT_TYPE_EN } from './event-type-words.en.ts';

const plural = pluralIn('de');

const HOURS = {
  USUAL: 'Ihre Standard-Arbeitszeiten',
  OWN: 'Eigene Arbeitszeiten',
  HOSTS: 'Arbeitszeiten der Gastgeber',
};

export const EVENT_TYPE_DE: typeof EVENT_TYPE_EN = {
  list: {
    title: 'Ihre Terminarten',
    titleOfTeam: (team) => `Terminarten: ${team}`,
    intro: (url) => html`Auf Ihrer Buchungsseite stehen alle, die nicht versteckt sind: ${url}`,
    introOfTeam: (url) => html`Auf der Buchungsseite des Teams stehen alle, die nicht versteckt sind: ${url}`,
    empty: 'Sie haben noch keine Terminarten. Fügen Sie eine hinzu, dann kann man sie buchen.',
    emptyOfTeam: 'Das Team hat noch keine Terminarten. Fügen Sie eine hinzu, dann kann man sie buchen.',
    isHidden: 'versteckt',
    bookingPage: (title) => html`Buchungsseite<span class="unseen"> von <bdi>${title}</bdi></span>`,
    add: 'Terminart hinzufügen',
    slugHint: 'Wird aus dem Titel gebildet, wenn Sie nichts angeben.',
    addButton: 'Hinzufügen',
    chooseScheduling: 'Bitte wählen Sie, wer Gastgeber ist.',
  },
  page: {
    ofHosts:
      'Jeder Gastgeber hat eine eigene Kopie dieser Terminart, die sich nach ihr richtet. Gebucht werden die Kopien.',
    ofTeam:
      'Ein Team verwaltet diese Terminart. Sie bestimmen, wann Sie gebucht werden und ob sie versteckt ist, alles andere das Team.',
    confirmationOfTeam: 'Buchungen muss erst ein Gastgeber bestätigen',
    save: 'Speichern',
    webhooks: 'Webhooks dieser Terminart',
    remove: 'Diese Terminart löschen',
  },
  question: {
    title: (name) => `${name} löschen?`,
    explanations: {
      OWN: 'Man kann sie dann nicht mehr buchen. Buchungen, die es schon gibt, bleiben in Ihrer Liste.',
      TEAM: 'Man kann sie dann nicht mehr buchen. Buchungen, die es schon gibt, bleiben bei ihren Gastgebern.',
      MANAGED:
        'Auch die Kopien der Gastgeber werden gelöscht, und man kann sie nicht mehr buchen. Buchungen, die es schon gibt, bleiben bei ihren Gastgebern.',
    },
    button: 'Löschen',
  },
  none: {
    title: 'Terminart nicht gefunden',
    message: 'Unter dieser Adresse haben Sie keine Terminart.',
    advice: 'Ihre Terminarten finden Sie unter /settings/event-types.',
  },
  done: {
    added: 'Hinzugefügt. Man kann sie jetzt buchen. Einzelheiten ändern Sie hier.',
    saved: 'Gespeichert.',
    deleted: 'Die Terminart ist gelöscht.',
  },
  fields: {
    title: 'Titel',
    description: 'Beschreibung',
    durationInMinutes: 'Dauer in Minuten',
    slug: 'Name im Link',
    confirmation: 'Buchungen muss ich erst bestätigen',
    isHidden: 'Versteckt: nur über private Links buchbar',
    scheduleId: 'Arbeitszeiten',
    minimumBookingNoticeInMinutes: 'Vorlauf in Minuten',
    bufferBeforeInMinutes: 'Pause davor, in Minuten',
    bufferAfterInMinutes: 'Pause danach, in Minuten',
    slotIntervalInMinutes: 'Minuten zwischen den Anfangszeiten',
    bookingWindow: 'Wie weit im Voraus man buchen kann',
    windowDays: 'Wie viele Tage',
    windowFrom: 'Erster Tag',
    windowTo: 'Letzter Tag',
    seats: 'Plätze pro Termin',
    showsAttendees: 'Wer bucht, sieht die Namen der anderen',
    embedOrigins: 'Ihre Websites',
    schedulingType: 'Wer Gastgeber ist',
  },
  hints: {
    title: 'Was man bei Ihnen bucht, zum Beispiel „Kennenlernen“.',
    description: `Steht auf der Buchungsseite; höchstens ${MAX_TEXT.description} Zeichen.`,
    slug: `Das Ende ihres Links. Erlaubt sind Kleinbuchstaben von a bis z, Ziffern und einzelne Bindestriche dazwischen, höchstens ${MAX_SLUG_LENGTH} Zeichen, zum Beispiel ada-lovelace. Wenn Sie ihn ändern, gelten Links, die Sie weitergegeben haben, nicht mehr.`,
    minimumBookingNoticeInMinutes: 'So lange vor dem Beginn muss gebucht sein.',
    slotIntervalInMinutes: 'Ohne Angabe beginnt ein Termin, wo ein anderer enden könnte.',
    windowDays: 'Für eine Anzahl von Tagen oder Werktagen im Voraus, ohne heute.',
    windowFrom: 'Für einen Zeitraum; an beiden Tagen kann man buchen.',
    seats: `1 bis ${MAX_SEATS}, wenn mehrere Personen einzeln denselben Termin buchen. Ohne Angabe ist er mit der ersten Buchung vergeben.`,
    embedOrigins: `Eine pro Zeile, zum Beispiel https://www.example.com, ohne Pfad; höchstens ${MAX_EMBED_ORIGINS}. Andere Websites können die Buchungsseite nicht anzeigen.`,
  },
  confirmations: {
    NEVER: 'Nie: Sie gelten sofort',
    ALWAYS: 'Immer',
    SHORT_NOTICE: 'Nur kurzfristige, wie bisher',
  },
  scheduling: {
    ROUND_ROBIN: 'Ein Gastgeber im Wechsel',
    COLLECTIVE: 'Alle Gastgeber gemeinsam',
    MANAGED: 'Jeder Gastgeber einzeln (vom Team verwaltet)',
  },
  times: {
    title: 'Wann man buchen kann',
    gist: (hours, notice) => `${HOURS[hours]}, ${notice === undefined ? 'ohne Vorlauf' : `${notice} Vorlauf`}`,
    ofHosts: 'Die Gastgeber werden in ihren Standard-Arbeitszeiten gebucht.',
    usual: 'Standard',
    usualNamed: (name) => `Standard: ${name}`,
    windows: {
      ANY: 'Unbegrenzt',
      ROLLING_DAYS: 'Eine Anzahl von Tagen',
      BUSINESS_DAYS: 'Eine Anzahl von Werktagen, Montag bis Freitag',
      DATE_RANGE: 'In einem Zeitraum',
    },
    elsewhere: html`Ihre Standard-Arbeitszeiten ändern Sie unter <a href="/settings/hours">Verfügbarkeit</a>. Für andere Zeiten <a href="/settings/schedules">fügen Sie Arbeitszeiten hinzu</a>.`,
  },
  where: {
    title: 'Ort',
    gist: (count) => (count === 0 ? 'Keine Angabe' : plural(count, { one: '1 Ort', other: `${count} Orte` })),
    intro: (
      apps,
    ) => html`Wo Sie sich treffen. Bei mehreren Orten wählt aus, wer bucht. Soll jeder Termin einen eigenen Link bekommen,
          <a href="${apps}">verbinden Sie eine App für Videoanrufe</a>.`,
    kinds: {
      ADDRESS: 'Persönlich, an Ihrer Adresse',
      LINK: 'Online, unter Ihrem Link',
      PHONE: 'Telefon: Sie werden angerufen',
      ATTENDEE_PHONE: 'Telefon: Sie rufen an',
      ATTENDEE_ADDRESS: 'Adresse, beim Buchen angegeben',
      ATTENDEE_CHOICE: 'Ort, beim Buchen gewählt',
    },
    app: (name) => `Online, über ${name}`,
    noKind: 'Keine Angabe',
    rows: 'Orte',
    row: (number) => `Ort ${number}`,
    newRow: 'Neuer Ort',
    kind: 'Art',
    value: 'Adresse, Link oder Telefonnummer',
    valueHint:
      'Links und Nummern sieht man erst nach dem Buchen. Bleibt leer bei einer App für Videoanrufe, oder wenn der Ort erst beim Buchen angegeben wird.',
    label: 'Name, den alle sehen',
    remove: 'Diesen Ort entfernen',
    choose: 'Bitte wählen Sie die Art des Ortes, oder leeren Sie seine anderen Felder.',
  },
  questions: {
    title: 'Fragen',
    gist: (count) =>
      count === 0
        ? 'Name und E-Mail-Adresse'
        : `Name, E-Mail-Adresse, ${plural(count, { one: '1 Frage', other: `${count} Fragen` })}`,
    intro: 'Wer bucht, wird nach Namen und E-Mail-Adresse gefragt, und nach dem, was Sie hier hinzufügen.',
    types: {
      TEXT: 'Eine Zeile Text',
      TEXTAREA: 'Mehrere Zeilen Text',
      NUMBER: 'Eine Zahl',
      PHONE: 'Eine Telefonnummer',
      EMAIL: 'Eine E-Mail-Adresse',
      MULTI_EMAIL: 'Mehrere E-Mail-Adressen',
      SELECT: 'Eine Auswahl aus einer Liste',
      MULTI_SELECT: 'Mehrere aus einer Liste',
      RADIO: 'Eine Auswahl, alle sichtbar',
      CHECKBOX: 'Mehrere, alle sichtbar',
      BOOLEAN: 'Ja oder nein',
      URL: 'Ein Link',
      ADDRESS: 'Eine Anschrift',
    },
    noType: 'Keine Angabe',
    rows: 'Fragen',
    row: (number) => `Frage ${number}`,
    newRow: 'Neue Frage',
    label: 'Frage',
    type: 'Art der Antwort',
    options: 'Antworten zur Auswahl',
    optionsHint: 'Nur wenn man aus einer Liste wählt; eine Antwort pro Zeile.',
    isRequired: 'Muss beantwortet werden',
    remove: 'Diese Frage entfernen',
    choose: 'Bitte wählen Sie eine Art der Antwort, oder leeren Sie die Frage.',
  },
  places: {
    title: 'Plätze',
    gist: (count) => plural(count, { one: '1 Platz', other: `${count} Plätze` }),
    none: 'Eine Buchung pro Termin',
  },
  websites: {
    title: 'Auf Ihrer Website',
    gist: (count) =>
      count === 0 ? 'Noch nicht eingebettet' : plural(count, { one: 'Auf 1 Website', other: `Auf ${count} Websites` }),
    intro: 'Betten Sie diese Buchungsseite in Ihre Website ein. Dann kann man buchen, ohne sie zu verlassen.',
    isHidden: 'Solange die Terminart versteckt ist, kann keine Website sie anzeigen.',
    ofHosts: 'Den Code zum Einbetten finden alle Gastgeber auf der Seite ihrer eigenen Terminart.',
    link: 'Speichern Sie Ihre Websites, und fügen Sie diesen Code dort ein, wo man buchen soll:',
    putThere: 'Fügen Sie diesen Code dort ein, wo man buchen soll:',
    linkName: 'der Link mit seinem Skript',
    frame:
      'Aus dem Link wird ein Rahmen, der seine Höhe anpasst. Erlaubt Ihre Website keine Skripte, verwenden Sie einen einfachen Rahmen:',
    frameName: 'der einfache Rahmen',
    bookTime: 'Termin buchen',
  },
  noNumber: (field) => `${field}: Bitte geben Sie eine ganze Zahl ein, zum Beispiel 30.`,
  mistakes: {
    'CONFLICT seats':
      'Plätze sind nicht möglich, wenn der Termin sich wiederholt, oder wenn der Ort erst beim Buchen angegeben wird.',
    'CONFLICT locations':
      'Wenn mehrere Personen denselben Termin buchen, kann der Ort nicht erst beim Buchen angegeben werden. Bitte ändern Sie den Ort oder die Plätze.',
    'CONFLICT durationInMinutesOptions':
      'Wer bucht, wählt unter mehreren Längen, und diese Dauer ist keine davon. Welche es sind, legt eine App fest.',
    'CONFLICT bookingLimits':
      'Ein Termin dauert so länger, als in einem Zeitraum gebucht werden kann. Diese Grenze legt eine App fest.',
    'DUPLICATE locations': 'Dieser Ort ist doppelt. Bitte lassen Sie ihn einmal weg.',
    'FORBIDDEN schedulingType':
      'Hier bekommt jeder Gastgeber eine eigene Terminart, und die Rolle eines der Mitglieder steht über Ihrer. Wählen Sie nicht alle Mitglieder, sondern Gastgeber ohne diese Person, oder bitten Sie sie, die Terminart hinzuzufügen.',
    'FORBIDDEN eventTypeId':
      'Jeder Gastgeber hat davon eine eigene Terminart, und die Rolle eines dieser Gastgeber steht über Ihrer. Fragen Sie diese Person oder jemanden mit einer ebenso hohen Rolle.',
    'INVALID_URL embedOrigins':
      'Bitte geben Sie die Website ohne Pfad an, und mit https, zum Beispiel https://www.example.com.',
    'MANAGED_BY_TEAM eventTypeId':
      'Diese Terminart gibt Ihnen ein Team. Verlassen Sie das Team, oder bitten Sie die Verwaltung, Sie nicht mehr als Gastgeber zu führen.',
  },
};
