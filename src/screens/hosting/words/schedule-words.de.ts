/** Schedules: when somebody can be booked, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { SCHEDULE_EN } from './schedule-words.en.ts';

const plural = pluralIn('de');

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
