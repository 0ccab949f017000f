import type { OwnedId } from '../../core/id.ts';
import { IDEMPOTENCY_KEY_CODES, idempotencyKeyMistake } from '../../core/idempotency-key.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { Actor } from '../../events/record-event.ts';
import { countForNetwork, countForUser, type GuessLimit } from '../../limits/guess-limit.ts';
import { type AddedResponse, addResponse } from './add-response.ts';
import type { Answers } from './condition.rules.ts';
import { IS_OPEN } from './public-routing-form.queries.ts';
import { ANSWER_CODES } from './route-answers.ts';
import { ledTo } from './routing-form.rules.ts';

export const SUBMIT_RESPONSE_CODES = [
  'NOT_FOUND',
  ...ANSWER_CODES,
  ...IDEMPOTENCY_KEY_CODES,
  'TOO_MANY_REQUESTS',
] as const;

export interface Submission {
  readonly answers: Answers;
  readonly idempotencyKey: string | null;
}

/** The visitor who fills in a form. */
export interface Visitor {
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
