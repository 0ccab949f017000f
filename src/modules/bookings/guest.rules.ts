import type { Mistake } from '../../core/problem.ts';
import { emailMistake, type Path, shown } from '../../core/text.ts';

export const GUEST_CODES = ['GUESTS_DISABLED', 'TOO_MANY', 'REQUIRED', 'INVALID_EMAIL', 'DUPLICATE'] as const;

export const MAX_GUESTS_A_CALL = 10;
export const MAX_GUESTS = 30;

/** The booking that guests are added to: its present attendees and guests, by e-mail address. */
export interface GuestList {
  readonly disableGuests: boolean;
  readonly attendeeEmails: readonly string[];
  readonly guestEmails: readonly string[];
}

/** Everything that is wrong with the e-mail addresses of new guests. */
export function guestMistakes(path: Path, added: readonly string[], list: GuestList): readonly Mistake[] {
  if (added.length === 0) return [];
  if (list.disableGuests) {
    return [{ code: 'GUESTS_DISABLED', message: 'This event type takes no guests; leave them out.', path }];
  }
  if (added.length > MAX_GUESTS_A_CALL) {
    const message = `There are ${added.length} guests; at most ${MAX_GUESTS_A_CALL} can be added at once.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: added.length, most: MAX_GUESTS_A_CALL } }];
  }
  const total = list.guestEmails.length + added.length;
  if (total > MAX_GUESTS) {
    const message = `The booking would have ${total} guests; at most ${MAX_GUESTS} are possible.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: total, most: MAX_GUESTS } }];
  }
  const known = new Set([...list.attendeeEmails, ...list.guestEmails].map(comparable));
  return added
    .map((email, index) => {
      const own: Path = [...path, String(index)];
      const isKnown = known.has(comparable(email));
      known.add(comparable(email));
      return emailMistake(own, email) ?? (isKnown ? comesAlready(own, email) : undefined);
    })
    .filter((mistake) => mistake !== undefined);
}

/** One mailbox, however its address is typed. */
function comparable(email: string): string {
  return email.toLowerCase();
}

function comesAlready(path: Path, email: string): Mistake {
  return { code: 'DUPLICATE', message: `${shown(email)} comes already; leave it out.`, path };
}
