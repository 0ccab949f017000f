import { describe, expect, test } from 'vitest';
import {
  EVENT_TYPE_FIELDS,
  type EventTypeFields,
  NEW_EVENT_TYPE,
} from '../../../src/modules/event-types/event-type.rules.ts';
import {
  INHERITED_FIELDS,
  inheritedChanges,
  lockedMistakes,
} from '../../../src/modules/event-types/managed-event-type.rules.ts';

const PARENT: EventTypeFields = { ...NEW_EVENT_TYPE, slug: 'intro', title: 'Intro', durationInMinutes: 30 };

test('a child has every field of its parent’s but the slug and the schedule', () => {
  expect([...INHERITED_FIELDS, 'slug', 'scheduleId'].toSorted()).toEqual(Object.keys(EVENT_TYPE_FIELDS).toSorted());
});

describe('the settings that a child inherits', () => {
  test.each<[string, Partial<EventTypeFields>, Partial<EventTypeFields>]>([
    ['is what differs', { title: 'Talk', description: 'Long' }, { title: 'Talk', description: 'Long' }],
    [
      'is what differs within a field',
      { bookingLimits: { day: { maxBookings: 3 } } },
      { bookingLimits: { day: { maxBookings: 3 } } },
    ],
    ['is not what stays', { isHidden: false, bookingLimits: {}, title: 'Intro' }, {}],
    ['is not the slug, which may need a number', { slug: 'talk' }, {}],
  ])('%s', (_, change, passedOn) => {
    expect(inheritedChanges(PARENT, { ...PARENT, ...change })).toEqual(passedOn);
  });
});

describe('the owner of a child', () => {
  test('may change whether it is hidden, and its schedule', () => {
    expect(lockedMistakes({ isHidden: true, scheduleId: null, title: undefined })).toEqual([]);
  });

  test('gets the names of all other fields that they sent', () => {
    const message =
      'The title is what the team says that manages this event type; leave it out, or ask an administrator of the team to change it.';
    const [first, second, ...others] = lockedMistakes({ title: 'Mine', isHidden: true, hostsSet: null });
    expect(first).toEqual({ code: 'MANAGED_BY_TEAM', path: ['title'], message });
    expect(second).toMatchObject({ path: ['hostsSet'] });
    expect(others).toEqual([]);
  });
});
