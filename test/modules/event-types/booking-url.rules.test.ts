import { describe, expect, test } from 'vitest';
import { bookingAddresses, bookingUrl, type PublicOwner } from '../../../src/modules/event-types/booking-url.rules.ts';

/** What the path may name, the first choice first: `owner: slug`. */
function namedBy(path: string): string[] {
  return bookingAddresses(path).map(({ owner, slug = '(page)' }) => `${nameOf(owner)}: ${slug}`);
}

function nameOf(owner: PublicOwner): string {
  if ('username' in owner) return `user ${owner.username}`;
  return `team ${owner.team}${owner.organization === undefined ? '' : ` of ${owner.organization}`}`;
}

describe('a path below /book/ names', () => {
  test.each([
    ['ada', ['user ada: (page)']],
    ['ada/intro', ['user ada: intro']],
    ['team', ['user team: (page)']],
    ['team/studio', ['team studio: (page)', 'user team: studio']],
    ['team/studio/intro', ['team studio: intro', 'team intro of studio: (page)']],
    ['team/acme/sales/demo', ['team sales of acme: demo']],
  ])('%s', (path, named) => {
    expect(namedBy(path)).toEqual(named);
  });

  test.each(['', '/', 'ada/', 'ada/intro/x', 'team/a/b/c/d', 'Ada', 'ada/../bob', 'ada/intro\0', 'é'])(
    'nothing, if it is %j',
    (path) => {
      expect(namedBy(path)).toEqual([]);
    },
  );
});

test.each([
  ['ada', 'intro', 'user ada: intro'],
  ['team/studio', 'intro', 'team studio: intro'],
  ['team/acme/sales', 'demo', 'team sales of acme: demo'],
])('what an event type of %s gives as its address, leads to it first', (place, slug, named) => {
  const { pathname } = new URL(bookingUrl('https://gatehouse.test', place, slug));
  expect(namedBy(pathname.slice('/book/'.length))[0]).toBe(named);
});
