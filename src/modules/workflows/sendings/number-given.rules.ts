import type { Response } from '../../bookings/response.rules.ts';
import type { Location } from '../../event-types/settings/location.rules.ts';

/**
 * The number that an attendee has given where the booking form asked for one: the answer to the first field that asks for it or,
 * where hosts call who has booked, the number to call, which is the first attendee's alone. A number that was given without being asked for is for hosts alone, as is one
 * of somebody who has left.
 */
export function numberGivenBy(
  attendee: { readonly responses?: Readonly<Record<string, Response>> } | undefined,
  {
    location,
    seats,
    attendees,
  }: { readonly location: Location | null; readonly seats: object | null; readonly attendees: readonly object[] },
  asksNumber: readonly string[],
): string | undefined {
  if (!attendee) return undefined;
  const responses = attendee.responses ?? {};
  for (const slug of asksNumber) {
    const answer = Object.hasOwn(responses, slug) ? responses[slug] : undefined;
    if (typeof answer === 'string' && answer !== '') return answer;
  }
  // With seats, one of them has said it, and it is not kept who.
  const isTheirs = seats === null && attendee === attendees[0];
  return isTheirs && location?.type === 'ATTENDEE_PHONE' ? (location.value ?? undefined) : undefined;
}
