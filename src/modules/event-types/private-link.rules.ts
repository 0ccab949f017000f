import { wholeNumberMistake } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';

/** An address by which a hidden event type is booked. With neither limit it serves once. */
export interface PrivateLink {
  readonly expiresAt: Temporal.Instant | null;
  readonly maxUsageCount: number | null;
  readonly usageCount: number;
}

export const PRIVATE_LINK_CODES = ['IN_THE_PAST', 'OUT_OF_RANGE'] as const;

/** An event type has this many at most, those that have expired included. */
export const MAX_PRIVATE_LINKS = 10_000;
export const MAX_USAGE_COUNT = 100_000;

/** How often the link serves in all; undefined when only its time ends it. The statement that counts a use has this as its condition. */
export function usesAllowed({ expiresAt, maxUsageCount }: Omit<PrivateLink, 'usageCount'>): number | undefined {
  return maxUsageCount ?? (expiresAt ? undefined : 1);
}

export function isExpired(link: PrivateLink, now: Temporal.Instant): boolean {
  if (link.expiresAt && Temporal.Instant.compare(link.expiresAt, now) <= 0) return true;
  return link.usageCount >= (usesAllowed(link) ?? Infinity);
}

/** Everything that is wrong with a new link, or with one whose limits change. */
export function privateLinkMistakes(
  { expiresAt, maxUsageCount }: Omit<PrivateLink, 'usageCount'>,
  now: Temporal.Instant,
): readonly Mistake[] {
  return [
    expiresAt && Temporal.Instant.compare(expiresAt, now) <= 0 ? inThePast(expiresAt) : undefined,
    maxUsageCount === null ? undefined : wholeNumberMistake(['maxUsageCount'], maxUsageCount, 1, MAX_USAGE_COUNT),
  ].filter((mistake) => mistake !== undefined);
}

function inThePast(expiresAt: Temporal.Instant): Mistake {
  const message = `The link would expire at ${expiresAt.toString()}, which is over; choose a later time.`;
  return { code: 'IN_THE_PAST', message, path: ['expiresAt'] };
}
