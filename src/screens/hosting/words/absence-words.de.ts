/** Days off, in German. */
import { html } from 'hono/html';
import type { ABSENCE_EN } from './absence-words.en.ts';

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
