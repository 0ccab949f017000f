/** The mails about connected calendars, in German. Why one cannot be read is told in English alone, so it is left out. */
import type { CALENDAR_MAIL_EN, MailedAccount } from './calendar-mail-words.en.rules.ts';

const ofAccount = ({ provider, account }: MailedAccount): string => `Ihres Kontos ${account} (${provider})`;
const MEANWHILE =
  'Was in seinen Kalendern zuletzt stand, gilt weiter als belegt. Neuere Einträge kennen wir nicht, und Ihre Buchungen werden dort nicht eingetragen.';

export const CALENDAR_MAIL_DE: typeof CALENDAR_MAIL_EN = {
  see: 'Ihre Kalender ansehen:',
  unreadable: (of) => ({
    subject: 'Ein verbundener Kalender ist nicht lesbar',
    paragraphs: [
      `Einträge im Kalender „${of.calendar}“ ${ofAccount(of)} gelten als belegt, aber er ist nicht lesbar.`,
      'Was zuletzt darin stand, gilt weiter als belegt. Neuere Einträge kennen wir nicht.',
      'Wir versuchen es weiter und schreiben Ihnen erst wieder, wenn er einmal lesbar war.',
    ],
  }),
  unwritten: (of) => ({
    subject: 'In einem verbundenen Kalender fehlen Buchungen',
    paragraphs: [
      `Seit zwei Tagen konnten wir eine Ihrer Buchungen nicht in den Kalender „${of.calendar}“ ${ofAccount(of)} eintragen. Sie fehlt dort oder steht dort, wie sie vorher war. Die Buchung selbst bleibt, wie sie ist.`,
      'Wenn der Kalender keine neuen Einträge annimmt, schaffen Sie dort Platz oder wählen Sie einen anderen für Ihre Buchungen.',
      'Wir versuchen es jede Stunde noch einmal, solange das Konto antwortet, und schreiben Ihnen erst wieder, wenn es gelungen ist.',
    ],
  }),
  silent: ({ readAt, ...of }) => ({
    subject: 'Ein Kalender hat nicht geantwortet, als Sie gebucht wurden',
    paragraphs: [
      of.account === ''
        ? `Als jemand Sie buchen wollte, haben wir den Kalender unter ${of.calendar} abgefragt. Er hat nicht rechtzeitig geantwortet, oder mit mehr, als sich sofort lesen lässt.`
        : `Als jemand Sie buchen wollte, haben wir den Kalender „${of.calendar}“ ${ofAccount(of)} abgefragt. Er hat nicht rechtzeitig geantwortet, oder mit mehr, als sich sofort lesen lässt.`,
      readAt === null
        ? 'Wir konnten ihn bisher nicht lesen; seine Einträge wurden also nicht berücksichtigt.'
        : `Damit niemand darauf warten muss, galt das, was wir dort zuletzt gelesen haben: Stand ${readAt}.`,
      'Wenn Sie seitdem etwas eingetragen haben, prüfen Sie bitte, ob sich eine neue Buchung damit überschneidet. Falls es wieder vorkommt, schreiben wir Ihnen höchstens einmal am Tag.',
    ],
  }),
  away: (of) => ({
    subject: 'Ihre verbundenen Kalender antworten nicht',
    paragraphs: [
      `Seit zwei Tagen erreichen wir die Kalender ${ofAccount(of)} nicht.`,
      MEANWHILE,
      'Wir versuchen es weiter. Wenn Sie das Konto nicht mehr benutzen, trennen Sie es.',
    ],
  }),
  refused: (of) => ({
    subject: 'Ihre Kalender müssen noch einmal verbunden werden',
    paragraphs: [
      `Die Kalender ${ofAccount(of)} lassen uns nicht mehr ein: Das Passwort ist ein anderes, oder der Zugriff, den Sie erlaubt haben, ist beendet.`,
      MEANWHILE,
      'Verbinden Sie das Konto noch einmal; Ihre Auswahl unter seinen Kalendern bleibt.',
    ],
  }),
  gone: ({ names, wasDestination, destination, ...of }) => {
    const now =
      destination === null
        ? 'Ab jetzt werden sie nirgends eingetragen.'
        : `Ab jetzt werden sie in „${destination}“ eingetragen.`;
    return {
      subject: 'Ein verbundener Kalender ist weg',
      paragraphs: [
        `Diese Kalender ${ofAccount(of)} gibt es nicht mehr: ${names.map((name) => `„${name}“`).join(', ')}.`,
        'Ihre Einträge gelten nicht mehr als belegt.',
        ...(wasDestination ? [`In einen davon wurden Ihre Buchungen eingetragen. ${now}`] : []),
      ],
    };
  },
};
