import { describe, expect, test } from 'vitest';
import { bookingAddress, bookingUrl, type PublicOwner } from '../../../src/modules/event-types/booking-url.rules.ts';

/** The owner and the slug that the path names: `owner: slug`. */
function namedBy(path: string): string | undefined {
  const address = bookingAddress(path);
  return address && `${nameOf(address.owner)}: ${address.slug ?? '(page)'}`;
}

function nameOf(owner: PublicOwner): string {
  if ('username' in owner) return `user ${owner.username}`;
  return `team ${owner.team}${owner.organization === undefined ? '' : ` of ${owner.organization}`}`;
}

describe('a path below /book/ names', () => {
  test.each([
    ['ada', 'user ada: (page)'],
    ['ada/intro', 'user ada: intro'],
    ['team/studio', 'team studio: (page)'],
    ['team/studio/intro', 'team studio: intro'],
    ['organization/acme/sales', 'team sales of acme: (page)'],
    ['organization/acme/sales/demo', 'team sales of acme: demo'],
  ])('%s', (path, named) => {
    expect(namedBy(path)).toBe(named);
  });

  test.each([
    '',
    '/',
    'ada/',
    'ada/intro/x',
    'team',
    'team/a/b/c',
    'organization',
    'organization/a',
    'organization/a/b/c/d',
    'Ada',
    'ada/../bob',
    'ada/intro\0',
    'é',
  ])('nothing, if it is %j', (path) => {
    expect(namedBy(path)).toBeUndefined();
  });
});

test.each([
  ['ada', 'intro', 'user ada: intro'],
  ['team/studio', 'intro', 'team studio: intro'],
  ['organization/acme/sales', 'demo', 'team sales of acme: demo'],
])('the address that an event type of %s shows leads to it', (place, slug, named) => {
  const { pathname } = new URL(bookingUrl('https://gatehouse.test', place, slug));
  expect(namedBy(pathname.slice('/book/'.length))).toBe(named);
});
