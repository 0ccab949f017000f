import { once } from '../../limits/at-most-once.ts';
import { deleteEventType, updateEventType } from '../../modules/event-types/event-type.commands.ts';
import { isolated } from '../kit/layout.ts';
import { type DeclaredPage, type PageSettings, page, type Visit } from '../kit/page.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { sendError } from '../kit/problem-response.ts';
import { question } from '../kit/question.ts';
import { savingOf, seenAt, seenBy } from '../kit/request.ts';
import { formOf, LIMITS, mistakesOf, patchOf, touchedParts, typedIn, wholeOf } from './event-type-form.ts';
import { eventTypePage } from './event-type-page.ts';
import { EVENT_TYPES_PATH, eventTypePath } from './event-types-page.ts';
import { SHOWN } from './form-part.ts';
import { type FoundEventType, findChoices, findEventType } from './shown-event-types.queries.ts';
import { eventTypeWords } from './words/event-type-words.ts';

export interface EventTypePagesSettings extends PageSettings {
  readonly publicUrl: string;
}

const ONE = `${EVENT_TYPES_PATH}/:id`;
const DONE = ['added', 'saved'] as const;

/** Finds the event type, of the reader or of a team that they administer, that the address names. */
export function findNamed({ em, session, param }: Visit): Promise<FoundEventType | undefined> {
  return findEventType(em, session, param('id'));
}

/** The same for a text that is no id, for an unknown one, and for what others have. */
export function answerNone({ c, locale }: Visit): Response | Promise<Response> {
  return sendError(c, { status: 404, ...eventTypeWords(locale).none });
}

/** `/settings/event-types/<id>`: one event type, of a user or of a team. */
export function oneEventTypePage({ publicUrl }: EventTypePagesSettings): DeclaredPage {
  return page({
    path: ONE,
    find: findNamed,
    none: answerNone,
    show: async (showing, { level, eventType }) => {
      const { c, locale, back, csrf } = showing;
      const typed = back ? wholeOf(typedIn(back.form), eventType) : formOf(eventType);
      const done = DONE.find((one) => one === showing.done);
      return eventTypePage({
        ...showing,
        level,
        eventType,
        updatedAt: seenBy(eventType.updatedAt, back),
        typed,
        choices: await findChoices(showing.em, publicUrl, { level, eventType }),
        open: back ? touchedParts(typed, eventType) : (c.req.queries('open') ?? []),
        csrf: csrf.change,
        mistakes: mistakesOf(back?.problem, typed, locale),
        done: done && eventTypeWords(locale).done[done],
      });
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      change: {
        at: '',
        limits: LIMITS,
        run: async ({ em, session, locale }, { level, eventType }, form) => {
          const typed = wholeOf(typedIn(form), eventType);
          const owner = { ...level.owner, lastSeen: seenAt(form.get('updatedAt')) };
          await once(em, savingOf(session.userId, form, eventType.id), async (inner) =>
            updateEventType(inner, owner, eventType.id, patchOf(typed, eventType, locale), SHOWN),
          );
          const open = touchedParts(typed, eventType).map((id) => `&open=${id}`);
          return { to: eventTypePath(eventType), done: 'saved', more: open.join('') };
        },
      },
    },
  });
}

/** Asks before an event type is deleted. */
export const deletionPage: DeclaredPage = question({
  path: `${ONE}/delete`,
  find: findNamed,
  none: answerNone,
  ask: ({ locale }, { level, eventType }) => {
    const { question: words, mistakes: texts } = eventTypeWords(locale);
    const ends = eventType.schedulingType === 'MANAGED' ? 'MANAGED' : level.place ? 'TEAM' : 'OWN';
    return {
      title: words.title(isolated(eventType.title)),
      explanation: words.explanations[ends],
      button: words.button,
      backPath: eventTypePath(eventType),
      words: { texts },
    };
  },
  run: async ({ em }, { level, eventType }) => {
    await deleteEventType(em, level.owner, eventType.id);
    return { to: level.path, done: 'deleted' };
  },
});
