/** Private links to event types, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_USAGE_COUNT } from '../../../modules/event-types/private-link.rules.ts';
import type { LINK_EN } from './link-words.en.ts';

const plural = pluralIn('de');
const bookings = (count: number) => plural(count, { one: '1 Buchung', other: `${count} Buchungen` });

export const LINK_DE: typeof LINK_EN = {
  title: 'Private Links',
  titleOf: (eventType) => `Private Links zu ${eventType}`,
  intro:
    'Ein privater Link führt zur Buchungsseite, auch wenn die Terminart versteckt ist. Teilen Sie ihn mit allen, die buchen dürfen.',
  none: 'Es gibt noch keine privaten Links.',
  managed: 'Gebucht werden die Kopien der Gastgeber. Links legt jeder Gastgeber zu seiner eigenen an.',
  what: 'der private Link',
  used: (used, most) => (most === undefined ? `Bisher ${bookings(used)}` : `${used} von ${bookings(most)}`),
  until: (time) => html`bis ${time}`,
  over: 'Abgelaufen',
  end: 'Beenden',
  endOf: (number) => `Privaten Link ${number} beenden`,
  add: 'Privaten Link anlegen',
  fields: { maxUsageCount: 'Anzahl der Buchungen', expiresAt: 'Anzahl der Tage' },
  countHint: `1 bis ${MAX_USAGE_COUNT}.`,
  daysHint: (most) => `1 bis ${most}. Nur mit Tagen gilt er für beliebig viele Buchungen, ohne beide Angaben für eine.`,
  addButton: 'Anlegen',
  done: {
    added: 'Der private Link ist angelegt. Kopieren Sie ihn aus der Liste.',
    ended: 'Der private Link gilt nicht mehr.',
  },
  noNumber: (label) => `${label}: Bitte geben Sie eine ganze Zahl an, zum Beispiel 5.`,
  noDays: (most) => `Bitte geben Sie eine Anzahl von Tagen von 1 bis ${most} an.`,
};
