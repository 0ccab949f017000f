import { wholeNumberMistake } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';

/** A member of the team who can be booked with its event type. */
export interface EventTypeHost {
  readonly userId: string;
  /** Attends every booking of a round-robin event type. */
  readonly isMandatory: boolean;
  /** 0 to 4; the highest goes first. */
  readonly priority: number;
  /** The host's share of the bookings, relative to the weights of other hosts with the same priority. */
  readonly weight: number;
}

export const HOST_DEFAULTS = { isMandatory: false, priority: 2, weight: 100 } as const;
export const HOST_CODES = ['OUT_OF_RANGE', 'TOO_MANY', 'DUPLICATE'] as const;

export const MAX_HOSTS = 500;
export const MAX_PRIORITY = 4;
export const MAX_WEIGHT = 10_000;

/** Everything that is wrong with the hosts of an event type; that they are members is for the command to find out. */
export function hostMistakes(path: Path, hosts: readonly EventTypeHost[]): readonly Mistake[] {
  if (hosts.length > MAX_HOSTS) {
    const message = `There are ${hosts.length} hosts; at most ${MAX_HOSTS} are possible.`;
    return [{ code: 'TOO_MANY', message, path }];
  }
  const seen = new Set<string>();
  return hosts.flatMap(({ userId, priority, weight }, index) => {
    const own: Path = [...path, String(index)];
    const isRepeated = seen.has(userId);
    seen.add(userId);
    return [
      isRepeated ? repeated([...own, 'userId']) : undefined,
      wholeNumberMistake([...own, 'priority'], priority, 0, MAX_PRIORITY),
      wholeNumberMistake([...own, 'weight'], weight, 1, MAX_WEIGHT),
    ].filter((mistake) => mistake !== undefined);
  });
}

function repeated(path: Path): Mistake {
  return { code: 'DUPLICATE', message: 'The host is there twice; leave one of them out.', path };
}
