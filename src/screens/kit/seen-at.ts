import { instantOf } from '../../core/instant.ts';

/** When what a form shows was last changed, as the form sends it along; null, which claims nothing, for a text that is no time. */
export function seenAt(text: string | null): Temporal.Instant | null {
  try {
    return text === null ? null : instantOf(text);
  } catch {
    return null;
  }
}
