/** Members of teams and organizations, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_COUNTED } from '../../../modules/bookings/departures/departure.queries.ts';
import { MAX_SETTLED_BOOKINGS } from '../../../modules/bookings/departures/departure-choice.rules.ts';
import type { MEMBER_EN } from './member-words.en.ts';

const plural = pluralIn('de');
const many = (count: number, things: string): string =>
  count >= MAX_COUNTED ? `mindestens ${MAX_COUNTED} ${things}` : `${count} ${things}`;
const eventTypes = (count: number) => plural(count, { one: '1 Terminart', other: many(count, 'Terminarten') });
const managed = (count: number) =>
  plural(count, { one: '1 verwalteten Terminart', other: many(count, 'verwalteten Terminarten') });

const YOURS: typeof MEMBER_EN.removal.yours = {
  title: (_name, group) => `Aus ${group} austreten?`,
  button: 'Austreten',
  unanswered: 'Sie haben noch nicht angenommen. Die Einladung gilt dann nicht mehr.',
  unseen: 'Sie sehen das Team dann nicht mehr und können darüber nicht mehr gebucht werden.',
  unseenWithTeams:
    'Sie sehen die Organisation dann nicht mehr, können darüber nicht mehr gebucht werden und treten auch aus ihren Teams aus.',
  hosted: (count) => `Bei ${eventTypes(count)} sind Sie dann nicht mehr Gastgeber:`,
  copies: (count) => `Ihre Kopien von ${managed(count)} werden gelöscht:`,
  own: (count) =>
    plural(count, {
      one: 'Bei Ihnen bleibt 1 künftige Buchung Ihrer eigenen Terminarten.',
      other: `Bei Ihnen bleiben ${many(count, 'künftige Buchungen')} Ihrer eigenen Terminarten.`,
    }),
  question: (count) =>
    plural(count, {
      one: 'Was wird aus der künftigen Buchung, bei der Sie Gastgeber sind?',
      other: `Was wird aus ${many(count, 'künftigen Buchungen')}, bei denen Sie Gastgeber sind?`,
    }),
  choices: {
    KEEP: 'Behalten: Sie bleiben Gastgeber',
    REASSIGN: 'Übergeben: Jede bekommt jemand anderes, der Zeit hat',
    CANCEL: 'Absagen: Alle Beteiligten werden benachrichtigt',
  },
  withOthers:
    'Sind bei einer Buchung auch andere Gastgeber und wechseln sich nicht ab, findet sie ohne Sie statt, außer wenn Sie sie behalten.',
  keepOne: 'Behalten: Sie bleiben Gastgeber',
};

const THEIRS: typeof MEMBER_EN.removal.theirs = {
  title: (name, group) => `${name} aus ${group} entfernen?`,
  button: 'Entfernen',
  unanswered: 'Diese Person hat noch nicht angenommen. Die Einladung gilt dann nicht mehr.',
  unseen: 'Diese Person sieht das Team dann nicht mehr und kann darüber nicht mehr gebucht werden.',
  unseenWithTeams:
    'Diese Person sieht die Organisation dann nicht mehr, kann darüber nicht mehr gebucht werden und gehört auch nicht mehr zu ihren Teams.',
  hosted: (count) => `Bei ${eventTypes(count)} ist sie dann nicht mehr Gastgeber:`,
  copies: (count) => `Die Kopien dieser Person von ${managed(count)} werden gelöscht:`,
  own: (count) =>
    plural(count, {
      one: 'Bei dieser Person bleibt 1 künftige Buchung ihrer eigenen Terminarten.',
      other: `Bei dieser Person bleiben ${many(count, 'künftige Buchungen')} ihrer eigenen Terminarten.`,
    }),
  question: (count) =>
    plural(count, {
      one: 'Was wird aus der künftigen Buchung, bei der diese Person Gastgeber ist?',
      other: `Was wird aus ${many(count, 'künftigen Buchungen')}, bei denen diese Person Gastgeber ist?`,
    }),
  choices: { ...YOURS.choices, KEEP: 'Behalten: Die Person bleibt Gastgeber' },
  withOthers:
    'Sind bei einer Buchung auch andere Gastgeber und wechseln sich nicht ab, findet sie ohne diese Person statt, außer wenn sie behalten wird.',
  keepOne: 'Behalten: Die Person bleibt Gastgeber',
};

export const MEMBER_DE: typeof MEMBER_EN = {
  isAbove: 'Die Rolle dieser Person steht über Ihrer. Sie können sie nicht ändern.',
  remove: 'Diese Person entfernen',
  leave: { team: 'Aus diesem Team austreten', organization: 'Aus dieser Organisation austreten' },
  saved: 'Gespeichert.',

  handOver: {
    way: {
      team: (path) =>
        html`<a href="${path}">Das Team dieser Person übergeben</a>: Sie wird Inhaber, und Sie werden Administrator.`,
      organization: (path) =>
        html`<a href="${path}">Die Organisation dieser Person übergeben</a>: Sie wird Inhaber, und Sie werden Administrator.`,
    },
    title: (group, name) => `${group} an ${name} übergeben?`,
    explanation: {
      team: 'Diese Person wird sofort Inhaber des Teams, und Sie werden Administrator. Nur ein Inhaber kann Sie wieder dazu machen.',
      organization:
        'Diese Person wird sofort Inhaber der Organisation, und Sie werden Administrator. Nur ein Inhaber kann Sie wieder dazu machen.',
    },
    button: 'Übergeben',
  },

  removal: {
    yours: YOURS,
    theirs: THEIRS,
    onlyHost: ': Dort gibt es sonst keinen Gastgeber. Sie wird nicht angeboten, bis es wieder einen gibt',
    further: (count) => `und ${count} weitere`,
    onlyKeep: `Das sind mehr als ${MAX_SETTLED_BOOKINGS}. Um sie zu übergeben oder abzusagen, beginnen Sie in der Liste der Buchungen.`,
    otherwise: 'Wenn niemand Zeit hat, sie zu übernehmen',
    doNothing: 'Noch nichts tun und mir Bescheid geben',
    cancelOne: 'Absagen',
    reason: 'Grund (nötig für eine Absage)',
    reasonHint: 'Alle Beteiligten können ihn lesen.',
    fields: { reason: 'Grund' },
    mistakes: {
      TOO_MANY: `Das sind mehr als ${MAX_SETTLED_BOOKINGS} künftige Buchungen, und so viele können nicht auf einmal geändert werden. Übergeben Sie zuerst einige davon oder sagen Sie sie ab, oder behalten Sie sie.`,
      REASON_REQUIRED: 'Bitte nennen Sie einen Grund für die Absage.',
    },
    nobodyFor: (count) =>
      `Für ${count || 'einige'} der Buchungen hat sonst niemand Zeit. Bitte wählen Sie, was aus ihnen wird.`,
  },

  nothing: {
    title: 'Mitglied nicht gefunden',
    message: {
      team: 'Unter dieser Adresse gibt es niemanden, den Sie in diesem Team sehen oder ändern dürfen.',
      organization: 'Unter dieser Adresse gibt es niemanden, den Sie in dieser Organisation sehen oder ändern dürfen.',
    },
    advice: (path) => `Alle Mitglieder finden Sie unter ${path}.`,
  },
};
