/** The words for the hosts of a team's event type, in German. */
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from '../../../modules/event-types/event-type-host.rules.ts';
import type { HOST_EN } from './host-words.en.ts';

export const HOST_DE: typeof HOST_EN = {
  title: 'Gastgeber',
  titleOf: (eventType) => `Gastgeber von ${eventType}`,
  gist: (scheduling, isEverybody) =>
    `${scheduling}; ${isEverybody ? 'alle Mitglieder des Teams' : 'einige Mitglieder des Teams'}`,
  nobody: 'Es gibt noch keine Gastgeber. Deshalb kann man die Terminart nicht buchen.',
  schedulingHint:
    'Vom Team verwaltet: Jeder Gastgeber bekommt eine eigene Kopie dieser Terminart, und man bucht die Kopien. Wählen Sie etwas anderes, werden die Kopien gelöscht.',
  scope: 'Wer Gastgeber sein kann',
  scopes: {
    ALL: 'Alle Mitglieder des Teams, auch wer später dazukommt',
    SOME: 'Nur die Mitglieder, die unten gewählt sind',
  },
  chooseNext: 'Sonst wählen Sie die Gastgeber als Nächstes.',
  members: 'Mitglieder des Teams',
  turnsHint: `Von den Gastgebern, die frei sind, wird einer mit der höchsten Priorität gebucht. Unter diesen entscheidet der Anteil: Wer 200 hat, bekommt doppelt so viele Termine wie jemand mit 100. Sind alle Mitglieder Gastgeber, haben die hier nicht gewählten Priorität ${HOST_DEFAULTS.priority} und Anteil ${HOST_DEFAULTS.weight}.`,
  choiceHint: 'Das gilt, wenn nicht alle Mitglieder Gastgeber sind.',
  part: 'Gastgeber',
  choices: { NOT: 'Nicht gewählt', TURN: 'Im Wechsel', ALWAYS: 'Bei jedem Termin' },
  priority: 'Priorität',
  priorities: (priority) =>
    priority === MAX_PRIORITY
      ? `${priority} (höchste)`
      : priority === 0
        ? `${priority} (niedrigste)`
        : String(priority),
  weight: 'Anteil',
  weightHint: `1 bis ${MAX_WEIGHT}`,
  above:
    'Die Rolle dieser Person steht über Ihrer: Das ändert nur sie selbst, oder jemand mit einer ebenso hohen Rolle.',
  save: 'Speichern',
  done: {
    added: 'Hinzugefügt. Wählen Sie die Gastgeber, dann kann man sie buchen.',
    saved: 'Gespeichert.',
  },
  choose: 'Bitte wählen Sie eine der Möglichkeiten.',
  chooseFirst: 'Bitte wählen Sie, ob diese Person Gastgeber ist, oder lassen Sie das Übrige, wie es war.',
  noNumber: (label) => `${label}: Bitte geben Sie eine ganze Zahl an, zum Beispiel 100.`,
  aboutMember: (name) => name,
  mistakes: {
    FORBIDDEN:
      'Die Rolle einer dieser Personen steht über Ihrer. Wählen Sie Gastgeber ohne sie, oder fragen Sie sie oder jemanden mit einer ebenso hohen Rolle.',
    NOT_FOUND: 'Diese Person gehört nicht mehr zum Team. Bitte öffnen Sie die Seite noch einmal.',
  },
};
