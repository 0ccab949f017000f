import { instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';
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

/** A form of a page, and what was typed in it. */
export interface SentForm<Name extends string = string> {
  readonly name: Name;
  readonly form: URLSearchParams;
}

/** A form that was refused, and so comes back. */
export interface FormBack<Name extends string = string> extends SentForm<Name> {
  readonly problem: Problem;
}

/** The same of a page that reads its forms itself. */
export interface FormSent {
  readonly problem?: Problem | undefined;
  readonly sent: string | null;
}

/** When what a form shows was last changed, as the form sends it along; null, which claims nothing, for a text that is no time. */
export function seenAt(text: string | null): Temporal.Instant | null {
  try {
    return text === null ? null : instantOf(text);
  } catch {
    return null;
  }
}

/**
 * The `updatedAt` that a form sends along: that of what it shows. One that came back keeps what it was opened with, since
 * what is typed was said of nothing newer, until its person is told that there is.
 */
export function seenBy(current: string, back: FormBack | FormSent | undefined): string {
  const sent = back && 'sent' in back ? back.sent : back?.form.get('updatedAt');
  return back?.problem?.code === 'CONFLICT' ? current : (sent ?? current);
}

/** As it is encoded in the form to sign in, which may have 64 KiB and holds a few fields besides. */
const MOST_CHARACTERS = 56 * 1024;
/** Each is a field of the page on which it is sent again, which has ten times the characters of a short one. */
const MOST_FIELDS = 1_000;

/**
 * The names of fields that do not go into a page once more, where somebody else may be the next to sign in: the form comes
 * back and asks for them. `url` is the address of a calendar or of a webhook, which lets in all who have it.
 */
const SECRETS = /password|secret|^url$/i;

/**
 * Makes a text of a form that was sent without a session, to be carried through signing in; empty for one with nothing
 * in it, undefined for too much.
 */
export function keptText(form: URLSearchParams): string | undefined {
  const kept = [...form].filter(([name]) => !SECRETS.test(name));
  if (kept.every(([name]) => name === 'csrf')) return '';
  const text = new URLSearchParams(kept).toString();
  return kept.length <= MOST_FIELDS && encodeURIComponent(text).length <= MOST_CHARACTERS ? text : undefined;
}

/** The fields of what keptText made; of more, which somebody else made up, none. */
export function keptFields(kept: string): readonly (readonly [name: string, value: string])[] {
  const fields = [...new URLSearchParams(kept)];
  return fields.length <= MOST_FIELDS ? fields : [];
}
