/** event-types/ is where users say what can be booked with them. It may import account/, booking/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { MAX_PAGE_SIZE, pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import { seeOther, sendPage } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { ConferencingApp } from '../../modules/conferencing/conferencing-app.entity.ts';
import { CONFERENCING_APPS } from '../../modules/conferencing/conferencing-app.queries.ts';
import { bookingUrl, placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { createEventType } from '../../modules/event-types/change/create-event-type.ts';
import { deleteEventType } from '../../modules/event-types/change/delete-event-type.ts';
import { updateEventType } from '../../modules/event-types/change/update-event-type.ts';
import { EVENT_TYPES } from '../../modules/event-types/event-type.queries.ts';
import { EVERYBODYS_OWN, findOwned, ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { findSchedules, SCHEDULES } from '../../modules/schedules/schedule.queries.ts';
import { signedIn } from '../account/signed-in.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { errorPage } from '../kit/error-page.ts';
import { isolated } from '../kit/layout.ts';
import { seenAt } from '../kit/seen-at.ts';
import { formOf, newOf, patchOf, touchedParts, typedIn } from './event-type-form.ts';
import { eventTypePage } from './event-type-page.ts';
import { EVENT_TYPES_PATH, eventTypePath, eventTypesPage } from './event-types-page.ts';
import { type Choices, SHOWN, type ShownEventType, type Values } from './form-part.ts';

const ONE = `${EVENT_TYPES_PATH}/:id`;
const [ADD, CHANGE, DELETE] = ['event type add', 'event type change', 'event type delete'];

const APPS = new Selection(ConferencingApp, ['app']);
const NAMED = new Selection(Schedule, ['id', 'name', 'isDefault']);

/** What the page of one says. */
const DONE = new Map([
  ['added', 'Added. People can book it now; say more about it here.'],
  ['saved', 'Saved.'],
]);

/** `/settings/event-types`: what can be booked with a user, one page for each. */
export function eventTypesRoutes({ em, visitors, publicUrl }: BookingPagesSettings): Hono {
  const routes = new Hono();
  routes.get(
    EVENT_TYPES_PATH,
    signedIn(visitors, (c, session) => list(c, session)),
  );
  routes.post(EVENT_TYPES_PATH, signedIn(visitors, add));
  routes.get(
    ONE,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(ONE, signedIn(visitors, change));
  routes.get(
    `${ONE}/delete`,
    signedIn(visitors, (c, session) => askToDelete(c, session)),
  );
  routes.post(`${ONE}/delete`, signedIn(visitors, remove));
  return routes;

  async function list(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId } = session;
    const request = pageRequest({ after: c.req.query('after') });
    const place = await placeOf(userId);
    const page = eventTypesPage({
      viewer: asViewer(session),
      eventTypes: await ownedPage(em.fork(), EVENT_TYPES, userId, request, SHOWN),
      placeUrl: placeUrl(publicUrl, place),
      urlOf: (slug) => bookingUrl(publicUrl, place, slug),
      typed: refused?.typed ?? { title: '', slug: '', lengthInMinutes: '30' },
      csrf: visitors.formToken(c, ADD),
      mistakes: refused?.problem.mistakes ?? [],
      done: c.req.query('done') === 'deleted' && !refused ? 'The event type is deleted.' : undefined,
    });
    return sendForm(c, page, refused?.problem);
  }

  async function add(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const typed = typedIn(form);
    let id = '';
    const act = async () => {
      id = await createEventType(em.fork(), own(session.userId), newOf(typed));
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return list(c, session, { typed, problem });
    return seeOther(c, `${eventTypePath({ ownerId: session.userId, id })}?done=added`);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const eventType = await find(c, session);
    if (!eventType) return answerNone(c);
    const page = eventTypePage({
      viewer: asViewer(session),
      eventType,
      bookingUrl: bookingUrl(publicUrl, await placeOf(session.userId), eventType.slug),
      typed: refused?.typed ?? formOf(eventType),
      choices: await choicesOf(eventType),
      open: refused ? touchedParts(refused.typed, eventType) : (c.req.queries('open') ?? []),
      csrf: visitors.formToken(c, CHANGE),
      mistakes: refused?.problem.mistakes ?? [],
      done: refused ? undefined : DONE.get(c.req.query('done') ?? ''),
    });
    return sendForm(c, page, refused?.problem);
  }

  async function change(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, CHANGE);
    const eventType = await find(c, session);
    if (!eventType) return answerNone(c);
    const typed = typedIn(form);
    const owner = { ...own(session.userId), lastSeen: seenAt(form.get('updatedAt')) };
    const act = async () => updateEventType(em.fork(), owner, eventType.id, patchOf(typed, eventType), SHOWN);
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(c, session, { typed, problem });
    const open = touchedParts(typed, eventType).map((id) => `&open=${id}`);
    return seeOther(c, `${eventTypePath(eventType)}?done=saved${open.join('')}`);
  }

  async function askToDelete(c: Context, session: FoundSession, problem?: Problem): Promise<Response> {
    const eventType = await find(c, session);
    if (!eventType) return answerNone(c);
    const path = eventTypePath(eventType);
    const page = confirmPage({
      viewer: asViewer(session),
      title: `Delete ${isolated(eventType.title)}?`,
      explanation: 'Nobody can book it any more. Bookings that were made stay in your list.',
      button: 'Delete',
      action: `${path}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: path,
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE);
    const eventType = await find(c, session);
    if (!eventType) return answerNone(c);
    const act = async () => deleteEventType(em.fork(), own(session.userId), eventType.id);
    const problem = forgery ?? (await problemOf(act));
    return problem ? askToDelete(c, session, problem) : seeOther(c, `${EVENT_TYPES_PATH}?done=deleted`);
  }

  /** The user's own event type that the address names. */
  async function find(c: Context, { userId }: FoundSession): Promise<ShownEventType | undefined> {
    const named = ownedIdOf('eventType', c.req.param('id') ?? '');
    if (named?.ownerId !== userId) return undefined;
    const [found] = await findOwned(em.fork(), EVENT_TYPES, EVERYBODYS_OWN, [{ ...named, parentId: userId }], SHOWN);
    return found;
  }

  async function choicesOf({ ownerId, scheduleId }: ShownEventType): Promise<Choices> {
    const request = pageRequest({ first: MAX_PAGE_SIZE });
    const { rows } = await ownedPage(em.fork(), SCHEDULES, ownerId, request, NAMED);
    const usual = rows.find(({ isDefault }) => isDefault);
    const isListed = scheduleId === null || rows.some(({ id }) => id === scheduleId);
    const [further] = isListed ? [] : await findSchedules(em.fork(), [{ ownerId, id: scheduleId }], NAMED);
    const named = [...rows, ...(further ? [further] : [])].map(
      ({ id, name }) => [publicOwnedId('schedule', { ownerId, id }), name] as const,
    );
    const apps = await ownedPage(em.fork(), CONFERENCING_APPS, ownerId, request, APPS);
    return {
      apps: apps.rows.map(({ app }) => app),
      schedules: [['', usual ? `Your usual hours: ${usual.name}` : 'Your usual hours'], ...named],
    };
  }

  async function placeOf(userId: string): Promise<string> {
    return (await findUser(em.fork(), userId))?.username ?? '';
  }
}

interface Refused {
  readonly typed: Values;
  readonly problem: Problem;
}

/** The same for a text that is no id, for an unknown one, and for somebody else's. */
function answerNone(c: Context): Response | Promise<Response> {
  const message = 'There is no event type of yours at this address.';
  const advice = `Your event types are at ${EVENT_TYPES_PATH}.`;
  return sendPage(c, errorPage({ status: 404, title: 'No event type of yours', message, advice }), 404);
}
