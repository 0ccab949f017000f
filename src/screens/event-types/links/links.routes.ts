import { ownedIdOf } from '../../../core/id.ts';
import { instantAt } from '../../../core/instant.ts';
import { pageRequest } from '../../../core/page.ts';
import type { Mistake } from '../../../core/problem.ts';
import { Selection } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { once } from '../../../limits/at-most-once.ts';
import { findUser } from '../../../modules/accounts/user.queries.ts';
import { privateLinkUrl } from '../../../modules/event-types/booking-url.rules.ts';
import { PrivateLink } from '../../../modules/event-types/private-link.entity.ts';
import {
  createPrivateLink,
  PRIVATE_LINKS,
  type PrivateLinkLimits,
  privateLinkPages,
  privateLinkToken,
} from '../../../modules/event-types/private-links.ts';
import { deleteOwned, requireOwnId } from '../../../modules/levels/change-owned.ts';
import { type DeclaredPage, orDone, page } from '../../kit/page.ts';
import { SCRIPTED_HEADERS } from '../../kit/page-response.ts';
import { FormProblem } from '../../kit/problem-words.ts';
import { requestIn } from '../../kit/request.ts';
import { clockOf } from '../../kit/when.ts';
import { answerNone, type EventTypePagesSettings, findNamed } from '../event-type.routes.ts';
import { EVENT_TYPES_PATH } from '../event-types-page.ts';
import { linkWords } from '../words/event-type-words.ts';
import { linksPage, MAX_DAYS, type TypedLink } from './links-page.ts';

const SHOWN = Selection.whole(PrivateLink);
const NOTHING: TypedLink = { maxUsageCount: '', expiresAt: '' };

/** `/settings/event-types/<id>/links`: the private links to an event type, of a user or of a team. */
export function linksOfEventTypePage({ publicUrl }: EventTypePagesSettings): DeclaredPage {
  return page({
    path: `${EVENT_TYPES_PATH}/:id/links`,
    find: findNamed,
    none: answerNone,
    show: async (showing, { eventType }) => {
      const { c, session, locale, back, done } = showing;
      const words = linkWords(locale);
      const request = pageRequest({ after: c.req.query('after') });
      const pages = await privateLinkPages(showing.em, session.userId, [eventType], request, SHOWN);
      return linksPage({
        ...showing,
        eventType,
        links: pages.get(eventType.id) ?? { rows: [], hasNextPage: false, hasPreviousPage: false },
        urlOf: (link) => privateLinkUrl(publicUrl, privateLinkToken(link)),
        now: instantAt(await databaseNow(showing.em)),
        clock: clockOf(await findUser(showing.em, session.userId)),
        typed: back?.name === 'add' ? typedIn(back.form) : NOTHING,
        mistakes: showing.mistakes({ labels: words.fields }),
        done: new Map(Object.entries(words.done)).get(done),
      });
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      add: {
        at: '',
        run: async ({ em, session, locale, path: to }, { level, eventType }, form) => {
          const typed = typedIn(form);
          await once(em, requestIn({ ...session, form }, ['private link add', eventType.id], typed), async (inner) => {
            const limits = limitsOf(typed, instantAt(await databaseNow(inner)), locale);
            await createPrivateLink(inner, level.owner, eventType.id, limits);
          });
          return { to, done: 'added' };
        },
      },
      end: {
        run: async ({ em, path: to }, { level: { owner } }, form) => {
          const text = form.get('link') ?? '';
          const ended = { to, done: 'ended' };
          const end = async () => {
            await deleteOwned(em, PRIVATE_LINKS, owner, requireOwnId('privateLink', text, owner.ownerId));
            return ended;
          };
          const isOwn = ownedIdOf('privateLink', text)?.ownerId === owner.ownerId;
          return isOwn ? orDone('NOT_FOUND', ended, end) : end();
        },
      },
    },
  });
}

function typedIn(form: URLSearchParams): TypedLink {
  return { maxUsageCount: form.get('maxUsageCount') ?? '', expiresAt: form.get('expiresAt') ?? '' };
}

/** Reads the limits, where there are some. @throws FormProblem for a text that is no number */
function limitsOf(typed: TypedLink, now: Temporal.Instant, locale: string): PrivateLinkLimits {
  const words = linkWords(locale);
  const mistakes: Mistake[] = [];
  const [count, days] = [wholeNumber(typed.maxUsageCount), wholeNumber(typed.expiresAt)];
  if (Number.isNaN(count)) {
    const message = words.noNumber(words.fields.maxUsageCount);
    mistakes.push({ code: 'OUT_OF_RANGE', message, path: ['maxUsageCount'] });
  }
  if (days !== null && !(days >= 1 && days <= MAX_DAYS))
    mistakes.push({ code: 'OUT_OF_RANGE', message: words.noDays(MAX_DAYS), path: ['expiresAt'] });
  FormProblem.throwIfAny(mistakes);
  return { maxUsageCount: count, expiresAt: days === null ? null : now.add({ hours: 24 * days }) };
}

/** Null for nothing, NaN for what is no whole number. */
function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
