import { Hono } from 'hono';
import { pageRequest } from '../../../core/page.ts';
import type { Problem } from '../../../core/problem.ts';
import { localeOf } from '../../../http/page-locale.ts';
import { problemOf, sendForm } from '../../../http/problem-response.ts';
import { asViewer, type ReceivedForm } from '../../../http/visitors.ts';
import { once } from '../../../limits/at-most-once.ts';
import { updateEventType } from '../../../modules/event-types/change/update-event-type.ts';
import { findHostCandidates, isHosted } from '../../../modules/event-types/host-candidate.queries.ts';
import { savingOf } from '../../kit/form-key.ts';
import { mistakesIn } from '../../kit/mistakes.ts';
import { seenAt, seenBy } from '../../kit/seen-at.ts';
import { typedIn } from '../event-type-form.ts';
import { EVENT_TYPES_PATH } from '../event-types-page.ts';
import { isOfTeam, SHOWN, type Values } from '../form-part.ts';
import { answerNone, type EventTypePagesSettings, type Visit, Visits } from '../visits.ts';
import { hostWords } from '../words/host-words.ts';
import { changesOf, controlOf, formOf, HOSTS_LIMITS, MEMBERS_A_PAGE } from './hosts-form.ts';
import { hostsPage, hostsPath } from './hosts-page.ts';

const HOSTS = `${EVENT_TYPES_PATH}/:id/hosts`;
const CHANGE = 'event type hosts';

/** `/settings/event-types/<id>/hosts`: who takes part in what is booked with a team. */
export function hostsRoutes(settings: EventTypePagesSettings): Hono {
  const { em, visitors } = settings;
  const visits = new Visits(settings);
  const routes = new Hono();
  routes.get(
    HOSTS,
    visits.ofOne((visit) => show(visit)),
  );
  routes.post(HOSTS, visits.formOfOne(CHANGE, change, HOSTS_LIMITS));
  return routes;

  async function show(visit: Visit, refused?: Refused): Promise<Response> {
    const { c, level, eventType } = visit;
    if (!isOfTeam(eventType)) return answerNone(c);
    const locale = localeOf(c);
    const words = hostWords(locale);
    const candidates = await candidatesOf(visit);
    const typed = refused?.typed ?? formOf(eventType, candidates.rows);
    const page = hostsPage({
      viewer: asViewer(level.session),
      eventType,
      updatedAt: seenBy(eventType.updatedAt, refused && { ...refused, sent: typed['updatedAt'] ?? null }),
      candidates,
      action: hostsPath(eventType) + new URL(c.req.url).search,
      hasNoHosts: !(await isHosted(em.fork(), eventType)),
      typed,
      csrf: visitors.formToken(c, CHANGE),
      mistakes: mistakesIn(locale, refused?.problem, {
        controlOf: (path) => controlOf(path, typed, candidates.rows, words),
        texts: words.mistakes,
      }),
      done: refused ? undefined : new Map(Object.entries(words.done)).get(visitors.doneBefore(c)),
      locale,
    });
    return sendForm(c, page, refused?.problem);
  }

  async function change(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, level, eventType } = visit;
    if (!isOfTeam(eventType)) return answerNone(c);
    const typed = typedIn(form);
    const owner = { ...level.owner, lastSeen: seenAt(form.get('updatedAt')) };
    const candidates = await candidatesOf(visit);
    const request = savingOf(level.session.userId, form, `hosts of ${eventType.id}`);
    const act = () =>
      once(em.fork(), request, async (inner) => {
        const patch = changesOf(typed, eventType, candidates.rows, hostWords(localeOf(c)));
        await updateEventType(inner, owner, eventType.id, patch, SHOWN);
      });
    const problem = forgery ?? (await problemOf(act));
    if (problem) return visits.again(visit, (now) => show(now, { typed, problem }));
    const after = c.req.query('after');
    return visitors.leadTo(
      c,
      hostsPath(eventType),
      'saved',
      after === undefined ? '' : `&after=${encodeURIComponent(after)}`,
    );
  }

  function candidatesOf({ c, level, eventType }: Visit) {
    const request = pageRequest({ first: MEMBERS_A_PAGE, after: c.req.query('after') });
    return findHostCandidates(em.fork(), level.session.userId, eventType, request);
  }
}

interface Refused {
  readonly typed: Values;
  readonly problem: Problem;
}
