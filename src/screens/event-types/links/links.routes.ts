import { Hono } from 'hono';
import { ownedIdOf } from '../../../core/id.ts';
import { instantAt } from '../../../core/instant.ts';
import { pageRequest } from '../../../core/page.ts';
import type { Mistake, Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { Selection } from '../../../database/selection.ts';
import { SCRIPTED_HEADERS, seeOther } from '../../../http/page-response.ts';
import { problemOf, sendForm } from '../../../http/problem-response.ts';
import { asViewer, type ReceivedForm } from '../../../http/visitors.ts';
import { once } from '../../../limits/at-most-once.ts';
import { findUser } from '../../../modules/accounts/user.queries.ts';
import { privateLinkUrl } from '../../../modules/event-types/booking-url.rules.ts';
import {
  createPrivateLink,
  type PrivateLinkLimits,
} from '../../../modules/event-types/private-links/create-private-link.ts';
import { PrivateLink } from '../../../modules/event-types/private-links/private-link.entity.ts';
import { PRIVATE_LINKS, privateLinkPages } from '../../../modules/event-types/private-links/private-link.queries.ts';
import { privateLinkToken } from '../../../modules/event-types/private-links/private-link-token.ts';
import { deleteOwned } from '../../../modules/levels/change-owned.ts';
import { requireOwnId } from '../../../modules/levels/not-found-here.ts';
import { newFormKey, requestIn } from '../../kit/form-key.ts';
import { FormProblem, mistakesIn } from '../../kit/mistakes.ts';
import { clockOf } from '../../kit/when.ts';
import { EVENT_TYPES_PATH } from '../event-types-page.ts';
import { type EventTypePagesSettings, type Visit, Visits } from '../visits.ts';
import { linkWords } from '../words/link-words.ts';
import { linksPage, linksPath, MAX_DAYS, type TypedLink } from './links-page.ts';

const LINKS = `${EVENT_TYPES_PATH}/:id/links`;
const [ADD, END] = ['private link add', 'private link end'];
const SHOWN = Selection.whole(PrivateLink);
const NOTHING: TypedLink = { maxUsageCount: '', expiresAt: '' };

/** `/settings/event-types/<id>/links`: the private links to an event type, of a user or of a team. */
export function linksRoutes(settings: EventTypePagesSettings): Hono {
  const { em, visitors, publicUrl } = settings;
  const visits = new Visits(settings);
  const routes = new Hono();
  routes.get(
    LINKS,
    visits.ofOne((visit) => show(visit)),
  );
  routes.post(LINKS, visits.formOfOne(ADD, add));
  routes.post(`${LINKS}/end`, visits.formOfOne(END, end));
  // For users who had to sign in before the form was taken, and come back.
  routes.get(`${LINKS}/end`, (c) => seeOther(c, `${EVENT_TYPES_PATH}/${encodeURIComponent(c.req.param('id'))}/links`));
  return routes;

  async function show({ c, level, eventType }: Visit, refused?: Refused): Promise<Response> {
    const { session } = level;
    const locale = session.userLocale;
    const words = linkWords(locale);
    const request = pageRequest({ after: c.req.query('after') });
    const pages = await privateLinkPages(em.fork(), session.userId, [eventType], request, SHOWN);
    const page = linksPage({
      viewer: asViewer(session),
      eventType,
      links: pages.get(eventType.id) ?? { rows: [], hasNextPage: false, hasPreviousPage: false },
      urlOf: (link) => privateLinkUrl(publicUrl, privateLinkToken(link)),
      now: instantAt(await databaseNow(em.fork())),
      clock: clockOf(await findUser(em.fork(), session.userId)),
      typed: refused?.typed ?? NOTHING,
      csrf: { add: visitors.formToken(c, ADD), end: visitors.formToken(c, END) },
      idempotencyKey: newFormKey(),
      mistakes: mistakesIn(locale, refused?.problem, { labels: words.fields }),
      done: refused ? undefined : new Map(Object.entries(words.done)).get(visitors.doneBefore(c)),
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function add(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, level, eventType } = visit;
    const { session, owner } = level;
    const typed = { maxUsageCount: form.get('maxUsageCount') ?? '', expiresAt: form.get('expiresAt') ?? '' };
    const act = () =>
      once(em.fork(), requestIn({ ...session, form }, [ADD, eventType.id], typed), async (inner) => {
        const limits = limitsOf(typed, instantAt(await databaseNow(inner)), session.userLocale);
        await createPrivateLink(inner, owner, eventType.id, limits);
      });
    const problem = forgery ?? (await problemOf(act));
    if (problem) return visits.again(visit, (now) => show(now, { typed, problem }));
    return visitors.leadTo(c, linksPath(eventType), 'added');
  }

  async function end(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, level, eventType } = visit;
    const text = form.get('link') ?? '';
    const act = async () =>
      deleteOwned(em.fork(), PRIVATE_LINKS, level.owner, requireOwnId('privateLink', text, level.owner.ownerId));
    const problem = forgery ?? (await problemOf(act));
    // A form that is sent twice was carried out the first time.
    const isDone =
      !problem || (problem.code === 'NOT_FOUND' && ownedIdOf('privateLink', text)?.ownerId === eventType.ownerId);
    return isDone
      ? visitors.leadTo(c, linksPath(eventType), 'ended')
      : visits.again(visit, (now) => show(now, { typed: NOTHING, problem }));
  }
}

interface Refused {
  readonly typed: TypedLink;
  readonly problem: Problem;
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
