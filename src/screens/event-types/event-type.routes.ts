import { Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { SCRIPTED_HEADERS } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer, type ReceivedForm } from '../../http/visitors.ts';
import { once } from '../../limits/at-most-once.ts';
import { deleteEventType } from '../../modules/event-types/change/delete-event-type.ts';
import { updateEventType } from '../../modules/event-types/change/update-event-type.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { savingOf } from '../kit/form-key.ts';
import { isolated } from '../kit/layout.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { type FormBack, seenAt, seenBy } from '../kit/seen-at.ts';
import { formOf, LIMITS, mistakesOf, patchOf, touchedParts, typedIn, wholeOf } from './event-type-form.ts';
import { eventTypePage } from './event-type-page.ts';
import { EVENT_TYPES_PATH, eventTypePath } from './event-types-page.ts';
import { SHOWN, type Values } from './form-part.ts';
import { findChoices } from './shown-event-types.queries.ts';
import { type EventTypePagesSettings, type Visit, Visits } from './visits.ts';
import { eventTypeWords } from './words/event-type-words.ts';

const ONE = `${EVENT_TYPES_PATH}/:id`;
const [CHANGE, DELETE] = ['event type change', 'event type delete'];

const DONE = ['added', 'saved'] as const;

/** `/settings/event-types/<id>`: one event type, of a user or of a team. */
export function eventTypeRoutes(settings: EventTypePagesSettings): Hono {
  const { em, visitors, publicUrl } = settings;
  const visits = new Visits(settings);
  const routes = new Hono();
  routes.get(
    ONE,
    visits.ofOne((visit) => show(visit)),
  );
  routes.post(ONE, visits.formOfOne(CHANGE, change, LIMITS));
  routes.get(
    `${ONE}/delete`,
    visits.ofOne((visit) => askToDelete(visit)),
  );
  routes.post(`${ONE}/delete`, visits.formOfOne(DELETE, remove));
  return routes;

  async function show({ c, level, eventType }: Visit, refused?: Refused): Promise<Response> {
    const { userLocale: locale } = level.session;
    const typed = refused?.typed ?? formOf(eventType);
    const before = refused ? '' : visitors.doneBefore(c);
    const done = DONE.find((one) => one === before);
    const page = eventTypePage({
      viewer: asViewer(level.session),
      level,
      eventType,
      updatedAt: seenBy(eventType.updatedAt, refused && backOf(refused)),
      typed,
      choices: await findChoices(em.fork(), publicUrl, { level, eventType }),
      open: refused ? touchedParts(refused.typed, eventType) : (c.req.queries('open') ?? []),
      csrf: visitors.formToken(c, CHANGE),
      mistakes: mistakesOf(refused?.problem, typed, locale),
      done: done && eventTypeWords(locale).done[done],
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function change(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, level, eventType } = visit;
    const typed = wholeOf(typedIn(form), eventType);
    const owner = { ...level.owner, lastSeen: seenAt(form.get('updatedAt')) };
    const { userId, userLocale } = level.session;
    const act = () =>
      once(em.fork(), savingOf(userId, form, eventType.id), async (inner) =>
        updateEventType(inner, owner, eventType.id, patchOf(typed, eventType, userLocale), SHOWN),
      );
    const problem = forgery ?? (await problemOf(act));
    if (problem) return visits.again(visit, (now) => show(now, { typed, problem }));
    const open = touchedParts(typed, eventType).map((id) => `&open=${id}`);
    return visitors.leadTo(c, eventTypePath(eventType), 'saved', open.join(''));
  }

  async function askToDelete({ c, level, eventType }: Visit, problem?: Problem): Promise<Response> {
    const path = eventTypePath(eventType);
    const { userLocale: locale } = level.session;
    const { question, mistakes: texts } = eventTypeWords(locale);
    const ends = eventType.schedulingType === 'MANAGED' ? 'MANAGED' : level.place ? 'TEAM' : 'OWN';
    const page = confirmPage({
      viewer: asViewer(level.session),
      title: question.title(isolated(eventType.title)),
      explanation: question.explanations[ends],
      button: question.button,
      action: `${path}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: path,
      mistakes: mistakesIn(locale, problem, { texts }),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function remove(visit: Visit, { forgery }: ReceivedForm): Promise<Response> {
    const { c, level, eventType } = visit;
    const problem = forgery ?? (await problemOf(() => deleteEventType(em.fork(), level.owner, eventType.id)));
    return problem ? askToDelete(visit, problem) : visitors.leadTo(c, level.path, 'deleted');
  }
}

interface Refused {
  readonly typed: Values;
  readonly problem: Problem;
}

function backOf({ typed, problem }: Refused): FormBack {
  return { problem, sent: typed['updatedAt'] ?? null };
}
