/** Carries a form that somebody sent without a session through signing in, so that they need not fill it in again. */

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
