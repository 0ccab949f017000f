/** The words for mistakes in a booking or a change of one, in German. */
import { PROBLEM_TEXTS_DE } from '../../kit/problem-words.de.ts';
import type { MistakeTexts } from '../../kit/problem-words.en.ts';
import type { MISTAKES_EN } from './mistake-words.en.ts';

const TEXTS: MistakeTexts = {
  AUTHENTICATION_REQUIRED: 'Zum Buchen müssen Sie angemeldet sein.',
  TOO_MANY_GUESSES: 'Das waren zu viele Versuche. Bitte fordern Sie etwas später einen neuen Code an.',
  NOT_FOUND: 'Diese Buchung gibt es nicht mehr.',
  CONFLICT:
    'Der Termin wurde inzwischen verschoben, deshalb wurde nichts geändert. Sehen Sie nach, wann er jetzt ist: Soll er auf Ihre Zeit verschoben werden, senden Sie das Formular noch einmal ab.',
  FOREIGN_REQUEST:
    'Es wurde nichts gesendet, weil Ihr Browser nicht mitteilt, von welcher Seite das Formular kommt. Bitte öffnen Sie diese Seite mit dem Link unten in einem neuen Tab und buchen Sie dort.',
  LENGTH_NOT_OFFERED: 'Die Dauer dieses Termins wurde geändert. Bitte wählen Sie noch einmal eine Zeit.',
  NOT_BOOKABLE: PROBLEM_TEXTS_DE.NOT_BOOKABLE,
  SLOT_TAKEN: PROBLEM_TEXTS_DE.SLOT_TAKEN,
  SLOT_RESERVED: PROBLEM_TEXTS_DE.SLOT_RESERVED,
  DUPLICATE: 'Diese Adresse ist schon dabei. Bitte lassen Sie sie weg.',
  IDEMPOTENCY_KEY_REUSED:
    'Mit diesem Formular wurde schon etwas anderes gebucht. Bitte öffnen Sie die Seite noch einmal.',
  NOT_POSSIBLE: 'Das ist bei diesem Termin nicht möglich.',
  FORBIDDEN: 'Das dürfen Sie bei diesem Termin nicht.',
};

export const MISTAKES_DE: typeof MISTAKES_EN = {
  texts: TEXTS,
  gone: 'Diese Zeit ist nicht mehr frei. Wenn Sie sie gerade selbst gebucht haben, finden Sie alles in unserer E-Mail. Sonst wählen Sie bitte eine andere.',
  closedSeries: 'Nicht alle Zeiten der Serie sind frei. Bitte wählen Sie eine andere Zeit oder weniger Termine.',
};
