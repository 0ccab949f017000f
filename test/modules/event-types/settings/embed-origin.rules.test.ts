import { describe, expect, test } from 'vitest';
import {
  EMBED_ORIGINS_FIELD,
  MAX_EMBED_ORIGINS,
  MAX_ORIGIN_LENGTH,
} from '../../../../src/modules/event-types/settings/embed-origin.rules.ts';

function stored(...origins: string[]): readonly string[] | undefined {
  return EMBED_ORIGINS_FIELD.tidy?.(origins);
}

function mistakes(...origins: string[]) {
  return [EMBED_ORIGINS_FIELD.check?.(['embedOrigins'], stored(...origins) ?? []) ?? []].flat();
}

describe('a website that may embed', () => {
  test.each([
    ['https://www.example.com', 'https://www.example.com'],
    [' https://WWW.Example.com/ ', 'https://www.example.com'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
    ['https://intranet', 'https://intranet'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    [`https://${'a.'.repeat(126)}a`, `https://${'a.'.repeat(126)}a`],
  ])('%s is stored as %s', (given, origin) => {
    expect([stored(given), mistakes(given)]).toEqual([[origin], []]);
  });

  test.each<[string, string, string?]>([
    ['a second directive', "https://a.example; script-src 'unsafe-inline'"],
    ['a semicolon', 'https://a.example;'],
    ['a comma, which begins another policy', 'https://a.example,https://b.example'],
    ['a line break', 'https://a.example\r\nX-Frame-Options: ALLOWALL'],
    ['two in one', 'https://a.example https://b.example'],
    ['a wildcard', '*'],
    ['a wildcard for a host', 'https://*'],
    ['a wildcard for a part of a host', 'https://*.example.com'],
    ['a wildcard for a port', 'https://a.example:*'],
    ['a scheme alone', 'https:'],
    ['a keyword', "'self'"],
    ['none', "'none'"],
    ['an opaque origin', 'null'],
    ['nothing', ''],
    ['no scheme', 'a.example'],
    ['a user', 'https://user@a.example', 'https://a.example'],
    ['a user and a password', 'https://user:secret-word@a.example', 'https://a.example'],
    ['a path', 'https://a.example/contact', 'https://a.example'],
    ['a query', 'https://a.example?x', 'https://a.example'],
    ['a fragment', 'https://a.example#x', 'https://a.example'],
    ['http', 'http://a.example', 'https://a.example'],
    [
      'http of a host that only begins like this machine',
      'http://localhost.evil.example',
      'https://localhost.evil.example',
    ],
    ['a host in other letters than ASCII', 'https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['letters that look like others', 'https://ехаmple.com', 'https://xn--mple-43d3a6i.com'],
    ['an invisible character', 'https://a.exa\u200bmple', 'https://a.example'],
    ['an empty part', 'https://a..example'],
    ['a dot at the end', 'https://a.example.'],
    ['an IP address', 'https://192.0.2.1'],
    ['an IP address in other digits', 'https://0xc0000201'],
    ['an IPv6 address', 'https://[::1]'],
    ['a port that cannot be', 'https://a.example:99999'],
    ['another scheme', 'javascript:alert(1)'],
    ['one that is too long', `https://${'a'.repeat(MAX_ORIGIN_LENGTH)}`],
  ])('%s is refused', (_, given, advice = 'https://www.example.com') => {
    const [mistake, ...more] = mistakes('https://good.example', given);
    expect([mistake?.code, mistake?.path, more]).toEqual(['INVALID_URL', ['embedOrigins', '1'], []]);
    expect(mistake?.message).toMatch(
      /is not the https address of a website without a path, user or wildcard; write it as /,
    );
    expect(mistake?.message.slice(-advice.length - 13)).toBe(`write it as ${advice}.`);
    expect(mistake?.message).not.toMatch(/secret-word|[\r\n\u200b]/);
  });

  test('is named once, however often it is said', () => {
    expect(stored('https://a.example', 'https://A.example/', 'https://b.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });
});

test(`at most ${MAX_EMBED_ORIGINS} websites may embed`, () => {
  const many = Array.from({ length: MAX_EMBED_ORIGINS + 1 }, (_, index) => `https://${index}.example`);
  expect(mistakes(...many.slice(1))).toEqual([]);
  expect(mistakes(...many)).toEqual([
    {
      code: 'TOO_MANY',
      message: 'The embed origins are 21; at most 20 are possible.',
      path: ['embedOrigins'],
      bounds: { given: 21, most: 20 },
    },
  ]);
});
