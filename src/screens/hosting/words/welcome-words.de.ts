/** The words for what a new account is ready for, in German. */
import { html } from 'hono/html';
import type { WELCOME_EN } from './welcome-words.en.ts';

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
