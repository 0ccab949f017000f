import { newId, type OwnedId } from '../../core/id.ts';
import { type KeyedRequest, requireSameRequest } from '../../core/idempotency-key.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type Actor, recordEvent } from '../../events/record-event.ts';
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
  /** The key of a request that is done once. */
  readonly keyed?: KeyedRequest | null;
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
  const { keyed = null, condition, by } = given;
  return em.transactional(async (inner) => {
    const found = await row<Form>(
      inner,
      selectFrom(RoutingForm, { ownerId: form.ownerId, id: form.id })
        .where(condition)
        .select(['fields', 'routes', 'fallback', 'version'])
        .forShare(),
    );
    if (!found) throw notFoundHere('routingForm', form);
    const before = keyed && (await findByKey(inner, form, keyed));
    if (before) return before;
    const answers = checkedAnswers(found.fields, given.answers);
    const routed = await routeAnswers(inner, found, answers);
    const id = newId();
    // A request with the same key that was stored at the same moment is found, not changed.
    const stored = await row(
      inner,
      sql<StoredResponse>`insert into routing_form_responses as stored
            (owner_id, id, form_id, form_version, fields, answers, route_id, target, key_hash, request_hash, created_at, updated_at)
          values (${form.ownerId}, ${id}, ${form.id}, ${found.version}, ${JSON.stringify(found.fields)}::jsonb,
            ${JSON.stringify(answers)}::jsonb, ${routed.routeId}, ${JSON.stringify(routed.target)}::jsonb,
            ${keyed?.keyHash ?? null}, ${keyed?.requestHash ?? null}, now(), now())
          on conflict (owner_id, form_id, key_hash) where key_hash is not null do update set key_hash = excluded.key_hash
          returning ${selectColumns(RoutingFormResponse, STORED, 'stored')}`,
    );
    if (stored && keyed && stored.id !== id) return asBefore(stored, keyed);
    await recordEvent(inner, form.ownerId, {
      type: 'ROUTING_FORM_SUBMITTED',
      routingFormId: form.id,
      responseId: id,
      by,
    });
    return { id, fields: found.fields, answers, ...routed };
  });
}

const STORED = ['id', 'fields', 'answers', 'routeId', 'target', 'requestHash'] as const;
type StoredResponse = Pick<RowOf<typeof RoutingFormResponse>, (typeof STORED)[number]>;

/**
 * Finds the response that an earlier request of the same key and content has stored.
 * @throws Problem IDEMPOTENCY_KEY_REUSED
 */
async function findByKey(em: Em, form: OwnedId, keyed: KeyedRequest): Promise<AddedResponse | undefined> {
  const response = { ownerId: form.ownerId, formId: form.id, keyHash: keyed.keyHash };
  const found = await row(em, selectFrom(RoutingFormResponse, response).select(STORED));
  return found && asBefore(found, keyed);
}

function asBefore(found: StoredResponse, keyed: KeyedRequest): AddedResponse {
  const { id, fields, answers, routeId, target } = requireSameRequest(
    { ...found, requestHash: found.requestHash ?? '' },
    keyed,
  );
  return { id, fields, answers, routeId, target };
}
