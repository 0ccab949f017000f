import { newId, type OwnedId } from '../../core/id.ts';
import { IDEMPOTENCY_KEY_CODES, idempotencyKeyMistake } from '../../core/idempotency-key.ts';
import { Problem } from '../../core/problem.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { changed, type Em, json, NOW, type RawBuilder, row } from '../../database/sql.ts';
import { insertInto, selectFrom } from '../../database/statements.ts';
import { type Actor, recordEvent } from '../../events/record-event.ts';
import { once } from '../../limits/at-most-once.ts';
import { countForNetwork, countForUser, type GuessLimit } from '../../limits/guess-limit.ts';
import { type BookableEventType, findOfferedEventType } from '../bookings/slots/bookable-event-type.queries.ts';
import { RESPONSE_CODES, responseMistakes, tidyResponses } from '../event-types/settings/field-answers.rules.ts';
import { lockOwned, notFoundHere, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import type { Answers } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';
import { RoutingForm, RoutingFormResponse } from './routing-form.entity.ts';
import { IS_OPEN, ROUTING_FORM_RESPONSES } from './routing-form.queries.ts';
import { type Answered, type Asked, ledTo, NOWHERE, type Routing, routingOf } from './routing-form.rules.ts';

export const ANSWER_CODES = RESPONSE_CODES;

export const SUBMIT_RESPONSE_CODES = [
  'NOT_FOUND',
  ...ANSWER_CODES,
  ...IDEMPOTENCY_KEY_CODES,
  'TOO_MANY_REQUESTS',
] as const;

interface NewResponse {
  readonly answers: Answers;
  readonly by: Actor;
  /** SQL over the form `item`: whether it takes the response, and from the caller. */
  readonly condition: RawBuilder<boolean>;
  /** The idempotency key of the request; left out or null: none. */
  readonly key?: string | null;
}

/** A response that is stored, and where it has led. */
interface AddedResponse extends Routed, Answered {
  readonly id: string;
}

type Form = RowOf<typeof RoutingForm>;

/** Where answers lead, with the event type as it can be booked. */
interface Routed extends Routing {
  readonly eventType?: BookableEventType | undefined;
}

interface Submission {
  readonly answers: Answers;
  readonly idempotencyKey: string | null;
}

/** The visitor who fills in a form. */
interface Visitor {
  readonly by: Actor;
  /** The caller's IP address. */
  readonly address: string;
  /** Limits what one network may send to one form, and one user to all of them (`NETWORK_RULES`). */
  readonly formSubmissions: GuessLimit;
}

/**
 * Takes a response that anybody sends to an active form. The same request with the same key is stored once, however
 * often it is sent; a key belongs to the form, and to the signed-in user, if there is one.
 * @returns it with where it leads, answers and all
 * @throws Problem NOT_FOUND, TOO_MANY_REQUESTS, IDEMPOTENCY_KEY_REUSED, and every mistake of the answers at once
 */
export async function submitResponse(
  em: Em,
  form: OwnedId,
  { answers, idempotencyKey: key }: Submission,
  { by, address, formSubmissions }: Visitor,
): Promise<AddedResponse> {
  const mistake = key === null ? undefined : idempotencyKeyMistake(key);
  if (mistake) Problem.throwIfAny([mistake]);
  // An account can call from many networks.
  if (by.userId !== null) await countForUser(formSubmissions, by.userId);
  await countForNetwork(formSubmissions, address, `${form.ownerId} ${form.id}`);
  const added = await addResponse(em, form, { answers, by, key, condition: IS_OPEN });
  return { ...added, target: ledTo(added.target, added) };
}

/**
 * Stores what somebody answers to a form, with where that leads. The form is locked against changes, so that questions, answers
 * and route are those of one version. The same request with the same key finds what it has stored before.
 * @throws Problem NOT_FOUND, IDEMPOTENCY_KEY_REUSED, and every mistake of the answers at once
 */
export async function addResponse(em: Em, form: OwnedId, given: NewResponse): Promise<AddedResponse> {
  const { ownerId, id: formId } = form;
  const { answers, by, key = null, condition } = given;
  return em.transactional(async (inner) => {
    const found = await row<Form>(
      inner,
      selectFrom(RoutingForm, { ownerId, id: formId })
        .where(condition)
        .select(['fields', 'routes', 'fallback', 'version'])
        .forShare(),
    );
    if (!found) throw notFoundHere('routingForm', form);
    if (key === null) return store(inner, form, found, given);
    const request = { ownerId, key, operation: ['submit', formId, by.userId], input: answers };
    return once(inner, request, (within) => store(within, form, found, given), {
      keep: ({ id }) => ({ id }),
      again: ({ id }, within) => findResponse(within, { ownerId, id }),
      made: ({ id }) => id,
    });
  });
}

/**
 * Corrects answers, by the questions as they were asked. Where they have led has happened, and stays.
 * @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, and every mistake of the answers at once
 */
export async function updateResponse(
  em: Em,
  owner: Owner,
  id: string,
  given: Answers,
  shown: Selection<typeof RoutingFormResponse>,
): Promise<RowOf<typeof RoutingFormResponse>> {
  return em.transactional(async (inner) => {
    const before = await lockOwned(inner, ROUTING_FORM_RESPONSES, owner, id, ['fields', 'answers']);
    const answers = checkedAnswers(before.fields, { ...before.answers, ...given });
    return updateOwned(inner, ROUTING_FORM_RESPONSES, owner, id, { answers }, shown);
  });
}

/** The answers as they are stored. @throws Problem with every mistake at once, at `answers` and the slug */
export function checkedAnswers(fields: readonly FormField[], answers: Answers): Answers {
  const tidied = tidyResponses(fields, answers);
  Problem.throwIfAny(responseMistakes(['answers'], fields, tidied));
  return tidied;
}

/**
 * Says where (checked) answers lead. An event type that nobody can book, since it is hidden, gone or without a host, is
 * passed over for the fallback; where that is such a one too, a message says so.
 */
export async function routeAnswers(em: Em, form: Asked, answers: Answers): Promise<Routed> {
  for (const routing of [routingOf(form, answers), { routeId: null, target: form.fallback }]) {
    const { target } = routing;
    if (target.type !== 'EVENT_TYPE') return routing;
    const eventType = await findBookable(em, target);
    if (eventType) return { ...routing, eventType };
  }
  return { routeId: null, target: NOWHERE };
}

async function store(em: Em, form: OwnedId, found: Form, { answers: given, by }: NewResponse): Promise<AddedResponse> {
  const answers = checkedAnswers(found.fields, given);
  const routed = await routeAnswers(em, found, answers);
  const { ownerId, id: formId } = form;
  const { fields, version: formVersion } = found;
  const id = newId();
  const stored = {
    id,
    fields: json(fields),
    answers: json(answers),
    routeId: routed.routeId,
    target: json(routed.target),
  };
  const now = { createdAt: NOW, updatedAt: NOW };
  await changed(em, insertInto(RoutingFormResponse).values({ ...stored, ownerId, formId, formVersion, ...now }));
  await recordEvent(em, ownerId, { type: 'ROUTING_FORM_SUBMITTED', routingFormId: formId, responseId: id, by });
  return { id, fields, answers, ...routed };
}

/** Finds an event type that anybody can book. */
async function findBookable(em: Em, { ownerId, id }: OwnedId): Promise<BookableEventType | undefined> {
  const found = await findOfferedEventType(em, { ownerId, id }, { viewerId: null, privateLinkToken: null });
  return found && found.hosts.length > 0 && found.rules.schedulingType !== 'MANAGED' ? found : undefined;
}

async function findResponse(em: Em, response: OwnedId): Promise<AddedResponse> {
  const columns = ['id', 'fields', 'answers', 'routeId', 'target'] as const;
  const found = await row(em, selectFrom(RoutingFormResponse, response).select(columns));
  if (!found) throw new Error('A response is gone, and its key is not.');
  return found;
}
