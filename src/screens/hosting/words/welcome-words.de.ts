/** What a new account is ready for, in German. */
import { html } from 'hono/html';
import type { WELCOME_EN } from './welcome-words.en.ts';

export const WELCOME_DE: typeof WELCOME_EN = {
  title: 'Sie können gebucht werden',
  share: 'Geben Sie Ihren Link weiter. Wer ihn öffnet, sieht Ihre freien Zeiten und kann eine davon buchen.',
  link: 'Ihr Buchungslink',
  look: 'So sehen es die anderen',
  hours: 'Ihre Verfügbarkeit',
  week: (zone) => `Montag bis Freitag, 09:00 bis 17:00 Uhr, ${zone}.`,
  changeHours: html`<a href="/settings/hours">Ändern Sie, wann man bei Ihnen buchen kann</a>, oder
          <a href="/settings/calendars">verbinden Sie einen Kalender</a>: Während seiner Einträge bucht niemand bei Ihnen.`,
  offer: 'Was man buchen kann',
  changeOffer: html`Es gibt eine Terminart, ein Treffen von 30 Minuten.
          <a href="/settings/event-types">Ändern Sie sie, oder fügen Sie andere hinzu</a>.`,
  further: (
    settings,
  ) => html`Zu jeder Buchung erhalten Sie eine E-Mail; alle stehen unter <a href="/bookings">Ihre Buchungen</a>. Alles andere
          finden Sie in <a href="${settings}">Ihren Einstellungen</a>.`,
  apps: 'Sie entwickeln eine App?',
  registerApp: html`<a href="/settings/developer/oauth/new">Registrieren Sie Ihre App</a>, dann erhalten Sie ihre Client-ID und ihr Geheimnis. Sehen
          Sie sich danach <a href="/openapi">die REST-Pfade</a> und <a href="/schema.graphql">das GraphQL-Schema</a> an.`,
};
