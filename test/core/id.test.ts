import { expect, test } from 'vitest';
import { isId, newId, newOwnedId, ownerOf } from '../../src/core/id.ts';

test('ids sort in the order in which they were made, also within a millisecond', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('attendee'));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => isId('attendee', id))).toBe(true);
});

test('an owned id tells its owner, to its own kind alone', () => {
  const ownerId = newId('team');
  const id = newOwnedId('eventType', ownerId);
  expect(ownerOf('eventType', id)).toBe(ownerId);
  expect(ownerOf('booking', id)).toBeUndefined();
});
