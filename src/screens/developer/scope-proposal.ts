import { Problem } from '../../core/problem.ts';
import { scopesOfAll } from '../../scopes/explain.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { compareScopes } from '../../scopes/scope-advice.ts';
import { FORM_LIMITS } from '../kit/request.ts';
import type { TypedClient } from './client-form.ts';

/** Whether a form was sent to have scopes proposed, and nothing else. */
export function asksForScopes(form: URLSearchParams): boolean {
  return form.get('action') === 'propose';
}

const SHOWN_ERRORS = 5;
/** As much as `/graphql/scopes` takes; the form as a whole may have more. */
const MAX_BYTES = FORM_LIMITS.bytes;

/**
 * The form with the scopes ticked that its documents need; nothing is unticked: what they do not need is only named.
 * `rules`: of the schema that tokens see. @throws Problem with what is wrong with the documents
 */
export function withScopesProposed(rules: SchemaRules, typed: TypedClient): TypedClient {
  if (typed.documents.trim() === '') refuse(['Paste your app’s GraphQL queries first, one after the other.']);
  if (Buffer.byteLength(typed.documents) > MAX_BYTES) {
    refuse([`The queries are larger than ${MAX_BYTES / 1024} KiB. Paste them in parts.`]);
  }
  const answer = scopesOfAll(rules, typed.documents);
  if ('errors' in answer) {
    const messages = answer.errors.map(({ message, locations: [place] = [] }) =>
      place ? `Line ${place.line}: ${message}` : message,
    );
    return refuse(messages.slice(0, SHOWN_ERRORS));
  }
  const { missing, superfluous } = compareScopes(answer.scopes, typed.scopes);
  return { ...typed, scopes: [...typed.scopes, ...missing], advice: adviceOf(answer.scopes, missing, superfluous) };
}

function adviceOf(needed: readonly string[], missing: readonly string[], superfluous: readonly string[]): string {
  const ticked =
    missing.length > 0
      ? `Ticked for these queries: ${missing.join(', ')}.`
      : 'Everything these queries need is already ticked.';
  const advice = needed.length === 0 ? 'These queries don’t need any scope: anyone may send them.' : ticked;
  return superfluous.length > 0 ? `${advice} They don’t need ${superfluous.join(', ')}.` : advice;
}

function refuse(messages: readonly string[]): never {
  Problem.throwIfAny(messages.map((message) => ({ code: 'BAD_INPUT', message, path: ['documents'] })));
  throw new RangeError('A refusal says what is wrong.');
}
