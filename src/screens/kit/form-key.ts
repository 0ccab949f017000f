import { randomBase62, sha256Hex } from '../../core/secret.ts';
import type { RepeatableRequest } from '../../limits/at-most-once.ts';

/** As `newFormKey` makes it. */
const FORM_KEY = /^[0-9A-Za-z]{22}$/;

/** The hidden field `idempotencyKey`, by which a form is carried out once, however often it is sent: what no form of ours has is replaced. */
export function formKeyIn(form: URLSearchParams): string {
  const sent = form.get('idempotencyKey') ?? '';
  return FORM_KEY.test(sent) ? sent : newFormKey();
}

export function newFormKey(): string {
  return randomBase62(22);
}

/**
 * Digests values that must tell two requests apart and be stored nowhere, not even by their plain hash, as a password:
 * only the holder of the form's own key can make the digest again.
 */
export function digestIn(form: URLSearchParams, names: readonly string[]): string {
  return sha256Hex(JSON.stringify([formKeyIn(form), ...names.map((name) => form.get(name))]));
}

/** Long enough for a second press of a button, and too short to go back to a form and mean it anew. */
export const PRESSED_TWICE_SECONDS = 10;

/**
 * The request of a form that changes what is there, and so is refused where that has changed since: sent twice, it is
 * one request, and no change of somebody else's. Its token says which showing of the form it is. A form that comes back
 * later is another request: its change may be long overwritten. `of`: what is changed.
 */
export function savingOf(userId: string, form: URLSearchParams, of: string): RepeatableRequest {
  const key = sha256Hex(JSON.stringify([...form]));
  return { ownerId: userId, key, operation: ['page', 'save', of], input: null, seconds: PRESSED_TWICE_SECONDS };
}

/** A form that is sent twice is one request; one that was gone back to and filled in anew is another. */
export function requestIn(
  { userId, form }: { readonly userId: string; readonly form: URLSearchParams },
  operation: readonly string[],
  input: unknown,
): RepeatableRequest {
  return { ownerId: userId, key: `${formKeyIn(form)}-${sha256Hex(JSON.stringify(input))}`, operation, input };
}
