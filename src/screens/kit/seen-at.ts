import { instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';

/** When what a form shows was last changed, as the form sends it along; null, which claims nothing, for a text that is no time. */
export function seenAt(text: string | null): Temporal.Instant | null {
  try {
    return text === null ? null : instantOf(text);
  } catch {
    return null;
  }
}

/** A form that came back: refused, or shown again for another reason. */
export interface FormBack {
  readonly problem?: Problem | undefined;
  /** The `updatedAt` that it was sent with. */
  readonly sent: string | null;
}

/**
 * The `updatedAt` that a form sends along: that of what it shows. One that came back keeps what it was opened with, since
 * what is typed was said of nothing newer, until its person is told that there is.
 */
export function seenBy(current: string, back: FormBack | undefined): string {
  return back?.problem?.code === 'CONFLICT' ? current : (back?.sent ?? current);
}
