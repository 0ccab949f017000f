import type { Mistake } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES, tidyText } from '../../../core/text.ts';
import { reasonMistake } from '../booking-transitions.rules.ts';

/** The choices for the upcoming bookings that somebody hosts for a group which they leave. */
export const DEPARTURE_BOOKINGS = ['KEEP', 'REASSIGN', 'CANCEL'] as const;
/** The choices for those that nobody else can take. */
export const DEPARTURE_OTHERWISE = ['KEEP', 'CANCEL'] as const;

export interface DepartureChoice {
  readonly upcomingBookings: (typeof DEPARTURE_BOOKINGS)[number];
  /** The host who gets the bookings; null: each goes to the host whose turn it is. */
  readonly toUserId: string | null;
  /** Null: nobody is removed while there is a booking that nobody can take. */
  readonly ifNobodyIsFree: (typeof DEPARTURE_OTHERWISE)[number] | null;
  readonly reason: string | null;
}

/**
 * With more bookings than this, nothing is reassigned or cancelled: it is all done in one transaction, while others
 * wait for its locks.
 */
export const MAX_SETTLED_BOOKINGS = 300;

export const DEPARTURE_CHOICE_CODES = ['CONTRADICTION', 'REASON_REQUIRED', ...OPTIONAL_TEXT_CODES] as const;

/** The choice in the form in which it is carried out: a blank reason counts as none. */
export function tidyChoice(choice: DepartureChoice): DepartureChoice {
  return { ...choice, reason: choice.reason === null ? null : tidyText(choice.reason) || null };
}

/** Everything that is wrong with a choice. */
export function choiceMistakes(choice: DepartureChoice): readonly Mistake[] {
  const { upcomingBookings, toUserId, ifNobodyIsFree, reason } = choice;
  const isReassigned = upcomingBookings === 'REASSIGN';
  return [
    toUserId !== null && !isReassigned ? onlyToReassign('toUserId') : undefined,
    ifNobodyIsFree !== null && !isReassigned ? onlyToReassign('ifNobodyIsFree') : undefined,
    reasonMistake(['reason'], reason),
    reason === null && (upcomingBookings === 'CANCEL' || ifNobodyIsFree === 'CANCEL') ? REASON_MISSING : undefined,
  ].filter((mistake) => mistake !== undefined);
}

const REASON_MISSING: Mistake = {
  code: 'REASON_REQUIRED',
  message: 'The reason is missing; tell the attendees why their bookings are cancelled.',
  path: ['reason'],
};

function onlyToReassign(name: string): Mistake {
  const message = `${name} is about bookings that are reassigned; leave it out, or choose upcomingBookings: REASSIGN.`;
  return { code: 'CONTRADICTION', message, path: [name] };
}

/**
 * Whether a booking takes place without one of its hosts and nobody in their place: where others host it, too, and it was
 * not their turn by round robin. `hasOthers`: whether any of its other hosts can do it; `isMandatory`: whether the leaver
 * attends every booking of the event type.
 */
export function goesOnWithout(part: {
  readonly hasOthers: boolean;
  readonly isRoundRobin: boolean;
  readonly isMandatory: boolean;
}): boolean {
  return part.hasOthers && (!part.isRoundRobin || part.isMandatory);
}
