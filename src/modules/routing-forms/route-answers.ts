import type { OwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { RESPONSE_CODES, responseMistakes, tidyResponses } from '../bookings/response.rules.ts';
import { findOfferedEventType } from '../bookings/slots/offered-event-type.queries.ts';
import type { BookableEventType } from '../event-types/public/event-type-rules.queries.ts';
import type { Answers } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';
import { type Asked, NOWHERE, type Routing, routingOf } from './routing.rules.ts';

export const ANSWER_CODES = RESPONSE_CODES;

/** Where answers lead, with the event type as it can be booked. */
export interface Routed extends Routing {
  readonly eventType?: BookableEventType | undefined;
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
    if (target.kind !== 'EVENT_TYPE') return routing;
    const eventType = await findBookable(em, target);
    if (eventType) return { ...routing, eventType };
  }
  return { routeId: null, target: NOWHERE };
}

/** Finds an event type that anybody can book. */
async function findBookable(em: Em, { ownerId, id }: OwnedId): Promise<BookableEventType | undefined> {
  const found = await findOfferedEventType(em, { ownerId, id }, { viewerId: null, privateLinkToken: null });
  return found && found.hosts.length > 0 && found.rules.schedulingType !== 'MANAGED' ? found : undefined;
}
