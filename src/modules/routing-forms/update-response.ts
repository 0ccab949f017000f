import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { lockOwned, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import type { Answers } from './condition.rules.ts';
import { checkedAnswers } from './route-answers.ts';
import { ROUTING_FORM_RESPONSES } from './routing-form.queries.ts';
import type { RoutingFormResponse } from './routing-form-response.entity.ts';

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
