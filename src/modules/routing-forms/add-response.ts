import { newId, type OwnedId } from '../../core/id.ts';
import type { RowOf } from '../../database/columns.ts';
import { json, NOW } from '../../database/expressions.ts';
import { changed, type Em, type RawBuilder, row } from '../../database/sql.ts';
import { insertInto, selectFrom } from '../../database/statements.ts';
import { type Actor, recordEvent } from '../../events/record-event.ts';
import { once } from '../../limits/at-most-once.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import type { Answers } from './condition.rules.ts';
import { checkedAnswers, type Routed, routeAnswers } from './route-answers.ts';
import { RoutingForm } from './routing-form.entity.ts';
import type { Answered } from './routing-form.rules.ts';
import { RoutingFormResponse } from './routing-form-response.entity.ts';

export interface NewResponse {
  readonly answers: Answers;
  readonly by: Actor;
  /** SQL over the form `item`: whether it takes the response, and from the caller. */
  readonly condition: RawBuilder<boolean>;
  /** The idempotency key of the request; left out or null: none. */
  readonly key?: string | null;
}

/** A response that is stored, and where it has led. */
export interface AddedResponse extends Routed, Answered {
  readonly id: string;
}

type Form = RowOf<typeof RoutingForm>;

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

async function findResponse(em: Em, response: OwnedId): Promise<AddedResponse> {
  const columns = ['id', 'fields', 'answers', 'routeId', 'target'] as const;
  const found = await row(em, selectFrom(RoutingFormResponse, response).select(columns));
  if (!found) throw new Error('A response is gone, and its key is not.');
  return found;
}
