import type { Response } from '../../bookings/response.rules.ts';
import type { Location } from '../../event-types/settings/location.rules.ts';

/**
 * The number that an attendee has given where the booking form asked for one: the answer to the first field that asks for it or,
 * where hosts call the attendee, the number to call. A number that was given without being asked for is for hosts alone, as is one
 * of somebody who has left.
 */
export function numberGivenBy(
  attendee: { readonly responses?: Readonly<Record<string, Response>> } | undefined,
  { location, seats }: { readonly location: Location | null; readonly seats: object | null },
  asksNumber: readonly string[],
): string | undefined {
  if (!attendee) return undefined;
  const responses = attendee.responses ?? {};
  for (const slug of asksNumber) {
    const answer = Object.hasOwn(responses, slug) ? responses[slug] : undefined;
    if (typeof answer === 'string' && answer !== '') return answer;
  }
  // With seats, one of them has said it, and it is not kept who.
  return seats === null && location?.type === 'ATTENDEE_PHONE' ? (location.value ?? undefined) : undefined;
}
