import { instantFrom } from '../../core/instant.ts';

/** A provider that asks for more is tried before that. */
const LONGEST_SECONDS = 6 * 3_600;

/** How many seconds a provider asks to be left alone, by seconds (RFC 9110 §10.2.3) or an instant as Zoom gives it; 0 for anything else. */
export function waitOf(retryAfter: string | null, nowInMs: number): number {
  if (retryAfter === null) return 0;
  const until = instantFrom(retryAfter);
  const seconds = until ? (until.epochMilliseconds - nowInMs) / 1_000 : Number(/^\d{1,9}$/.exec(retryAfter)?.[0] ?? 0);
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_SECONDS);
}
