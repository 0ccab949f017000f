import { describe, expect, test } from 'vitest';
import { GUEST_CODES, type GuestList, guestMistakes } from '../../../src/modules/bookings/guest.rules.ts';

const LIST: GuestList = { disableGuests: false, attendeeEmails: ['ada@example.com'], guestEmails: ['bob@example.com'] };
const emails = (count: number, prefix = 'guest') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}@example.com`);

describe('guests are accepted:', () => {
  test.each<[string, readonly string[], Partial<GuestList>]>([
    ['none', [], {}],
    ['none where guests are not wanted', [], { disableGuests: true }],
    ['ten at once', emails(10), {}],
    ['up to thirty in all', emails(10), { guestEmails: emails(20, 'earlier') }],
  ])('%s', (_, added, changes) => {
    expect(guestMistakes(['guests'], added, { ...LIST, ...changes })).toEqual([]);
  });
});

describe('guests are refused when', () => {
  test.each<[string, readonly string[], Partial<GuestList>, string, string]>([
    ['the event type takes none', emails(1), { disableGuests: true }, 'GUESTS_DISABLED', 'guests'],
    ['eleven come at once', emails(11), {}, 'TOO_MANY', 'guests'],
    ['there would be thirty-one', emails(10), { guestEmails: emails(21, 'earlier') }, 'TOO_MANY', 'guests'],
    ['an address is none', [...emails(1), 'nobody'], {}, 'INVALID_EMAIL', 'guests.1'],
    ['an address is missing', [''], {}, 'REQUIRED', 'guests.0'],
    ['somebody is there twice', ['eve@example.com', 'Eve@Example.com'], {}, 'DUPLICATE', 'guests.1'],
    ['somebody is a guest already', ['BOB@example.com'], {}, 'DUPLICATE', 'guests.0'],
    ['somebody is the attendee', ['ada@example.com'], {}, 'DUPLICATE', 'guests.0'],
  ])('%s', (_, added, changes, code, path) => {
    const mistakes = guestMistakes(['guests'], added, { ...LIST, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(GUEST_CODES).toContain(code);
  });
});
