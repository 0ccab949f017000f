import { pageRequest } from '../../../core/page.ts';
import { once } from '../../../limits/at-most-once.ts';
import { updateEventType } from '../../../modules/event-types/event-type.commands.ts';
import { findHostCandidates, isHosted } from '../../../modules/event-types/event-type-hosts.ts';
import { type DeclaredPage, page, type Visit } from '../../kit/page.ts';
import { savingOf, seenAt, seenBy } from '../../kit/request.ts';
import { answerNone, findNamed } from '../event-type.routes.ts';
import { typedIn } from '../event-type-form.ts';
import { EVENT_TYPES_PATH } from '../event-types-page.ts';
import { isOfTeam, SHOWN } from '../form-part.ts';
import type { FoundEventType } from '../shown-event-types.queries.ts';
import { hostWords } from '../words/event-type-words.ts';
import { changesOf, controlOf, formOf, HOSTS_LIMITS, MEMBERS_A_PAGE } from './hosts-form.ts';
import { hostsPage, hostsPath } from './hosts-page.ts';

/** `/settings/event-types/<id>/hosts`: who takes part in what is booked with a team. */
export const hostsOfEventTypePage: DeclaredPage = page({
  path: `${EVENT_TYPES_PATH}/:id/hosts`,
  find: async (visit) => {
    const found = await findNamed(visit);
    return found && isOfTeam(found.eventType) ? { ...found, candidates: await candidatesOf(visit, found) } : undefined;
  },
  none: answerNone,
  show: async (showing, { eventType, candidates }) => {
    const { c, locale, back, csrf, done } = showing;
    const words = hostWords(locale);
    const typed = back ? typedIn(back.form) : formOf(eventType, candidates.rows);
    return hostsPage({
      ...showing,
      eventType,
      updatedAt: seenBy(eventType.updatedAt, back),
      candidates,
      action: hostsPath(eventType) + new URL(c.req.url).search,
      hasNoHosts: !(await isHosted(showing.em, eventType)),
      typed,
      csrf: csrf.change,
      mistakes: showing.mistakes({
        controlOf: (path) => controlOf(path, typed, candidates.rows, words),
        texts: words.mistakes,
      }),
      done: new Map(Object.entries(words.done)).get(done),
    });
  },
  forms: {
    change: {
      at: '',
      limits: HOSTS_LIMITS,
      run: async ({ c, em, session, locale }, { level, eventType, candidates }, form) => {
        const owner = { ...level.owner, lastSeen: seenAt(form.get('updatedAt')) };
        const request = savingOf(session.userId, form, `hosts of ${eventType.id}`);
        await once(em, request, async (inner) => {
          const patch = changesOf(typedIn(form), eventType, candidates.rows, hostWords(locale));
          await updateEventType(inner, owner, eventType.id, patch, SHOWN);
        });
        const after = c.req.query('after');
        const more = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
        return { to: hostsPath(eventType), done: 'saved', more };
      },
    },
  },
});

function candidatesOf({ c, em, session }: Visit, { eventType }: FoundEventType) {
  const request = pageRequest({ first: MEMBERS_A_PAGE, after: c.req.query('after') });
  return findHostCandidates(em, session.userId, eventType, request);
}
