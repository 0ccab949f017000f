import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendParameters,
  hasPrivateUseScheme,
  isRegistered,
  leadsToLoopback,
  redirectUriMatches,
} from '../../../src/oauth/protocol/redirect-uri.ts';
import { anyText } from './any-text.ts';

describe('a redirect URI on https matches only itself', () => {
  const registered = 'https://app.example/cb?x=1';

  test('it does match itself', () => {
    expect(redirectUriMatches(registered, registered)).toBe(true);
  });

  test.each([
    'https://app.example/cb',
    'https://app.example/cb?x=1&y=2',
    'https://app.example/cb?x=1&',
    'https://app.example/cb?x=2',
    'https://app.example/cb?X=1',
    'https://app.example/cb?x=%31',
    'https://app.example/cb/?x=1',
    'https://app.example/CB?x=1',
    'https://app.example/c%62?x=1',
    'https://app.example/./cb?x=1',
    'https://app.example/a/../cb?x=1',
    'https://app.example//cb?x=1',
    'https://app.example/cb?x=1#',
    'https://app.example/cb?x=1#f',
    'https://app.example/cb?x=1 ',
    ' https://app.example/cb?x=1',
    '\thttps://app.example/cb?x=1',
    'https://app.example/cb?x=1\n',
    'https://app.example/cb?x=1\0',
    'https://app.example/cb?x=1%00',
    'http://app.example/cb?x=1',
    'HTTPS://app.example/cb?x=1',
    'https://APP.example/cb?x=1',
    'https://app.example./cb?x=1',
    'https://app.example:443/cb?x=1',
    'https://app.example:8443/cb?x=1',
    'https://app.example:/cb?x=1',
    'https://app.example.evil.example/cb?x=1',
    'https://evil.example/cb?x=1',
    'https://evil.example/https://app.example/cb?x=1',
    'https://app.example@evil.example/cb?x=1',
    'https://evil.example@app.example/cb?x=1',
    'https://app.example\\@evil.example/cb?x=1',
    'https://evil.example\\.app.example/cb?x=1',
    'https://xapp.example/cb?x=1',
    'https:app.example/cb?x=1',
    'https:/app.example/cb?x=1',
    'https:\\\\app.example/cb?x=1',
    '//app.example/cb?x=1',
    '/cb?x=1',
    'https://аpp.example/cb?x=1',
    'https://app\u3002example/cb?x=1',
    'https://ａpp.example/cb?x=1',
    'https://app.example/cb\u0000?x=1',
    'javascript:alert(1)//https://app.example/cb?x=1',
    '',
  ])('and not %j', (presented) => {
    expect(redirectUriMatches(registered, presented)).toBe(false);
  });

  test('and nothing else that is presented', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.webUrl({ withQueryParameters: true })), (text) => {
        expect(redirectUriMatches(registered, text)).toBe(text === registered);
      }),
    );
  });

  test('and a text one edit away is not it', () => {
    const edit = fc.tuple(fc.nat(registered.length), fc.nat(2), anyText(0, 2));
    fc.assert(
      fc.property(edit, ([position, removed, inserted]) => {
        const edited = registered.slice(0, position) + inserted + registered.slice(position + removed);
        expect(redirectUriMatches(registered, edited)).toBe(edited === registered);
      }),
    );
  });
});

describe('the port of an http loopback redirect URI may differ', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:65535/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:4000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1/callback'],
    ['http://localhost/callback', 'http://localhost:8080/callback'],
    ['http://[::1]/callback', 'http://[::1]:8080/callback'],
    ['http://[::1]', 'http://[::1]:8080'],
    ['http://127.0.0.1?x=1', 'http://127.0.0.1:8080?x=1'],
    ['http://127.0.0.1/cb?x=1:2', 'http://127.0.0.1:9/cb?x=1:2'],
  ])('%s answers to %s', (registered, presented) => {
    expect(redirectUriMatches(registered, presented)).toBe(true);
  });

  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback/'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/other'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback?x=1'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback#f'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/./callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:0/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:65536/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:99999/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:080/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:+80/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:-1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:8e1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1: 80/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:80\t/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:٨٠/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:80@evil.example/callback'],
    ['http://127.0.0.1/callback', 'http://evil.example@127.0.0.1:80/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1.evil.example:80/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1\\evil.example:80/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.2:80/callback'],
    ['http://127.0.0.1/callback', 'http://127.1:80/callback'],
    ['http://127.0.0.1/callback', 'http://2130706433:80/callback'],
    ['http://127.0.0.1/callback', 'http://0x7f000001:80/callback'],
    ['http://127.0.0.1/callback', 'http://0.0.0.0:80/callback'],
    ['http://127.0.0.1/callback', 'http://localhost:80/callback'],
    ['http://127.0.0.1/callback', 'http://[::1]:80/callback'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:80/callback'],
    ['http://127.0.0.1/callback', 'HTTP://127.0.0.1:80/callback'],
    ['http://127.0.0.1/callback', 'ws://127.0.0.1:80/callback'],
    ['http://localhost/callback', 'http://localhost.evil.example:80/callback'],
    ['http://localhost/callback', 'http://LOCALHOST:80/callback'],
    ['http://localhost/callback', 'http://localhost.:80/callback'],
    ['http://localhost/callback', 'http://xlocalhost:80/callback'],
    ['http://localhost/callback', 'http://127.0.0.1:80/callback'],
    ['http://[::1]/callback', 'http://[0:0:0:0:0:0:0:1]:80/callback'],
    ['http://[::1]/callback', 'http://::1:80/callback'],
    ['http://[::1]/callback', 'http://[::1%25lo]:80/callback'],
    ['http://127.0.0.1', 'http://127.0.0.1.evil.example'],
    ['http://127.0.0.1', 'http://127.0.0.1:80@evil.example'],
    ['http://127.0.0.1', 'http://127.0.0.1:80\\@evil.example'],
    ['http://127.0.0.1', 'http://127.0.0.1:80evil.example'],
    ['http://127.0.0.1', 'http://127.0.0.1:80#x'],
    ['http://localhost', 'http://localhost.evil.example'],
    ['http://[::1]', 'http://[::1]evil.example'],
    ['http://localhost/callback', 'xhttp://localhost:80/callback'],
    ['http://localhost/callback', 'evil.example:http://localhost:80/callback'],
    ['http://localhost/callback', ' http://localhost:80/callback'],
    ['http://localhost:70000/callback', 'http://localhost:80000/callback'],
    ['https://127.0.0.1/callback', 'https://127.0.0.1:80/callback'],
    ['https://localhost/callback', 'https://localhost:80/callback'],
    ['https://app.example/callback', 'https://app.example:8443/callback'],
    ['http://app.example/callback', 'http://app.example:8080/callback'],
    ['com.example.app://127.0.0.1/cb', 'com.example.app://127.0.0.1:80/cb'],
  ])('%s does not answer to %s', (registered, presented) => {
    expect(redirectUriMatches(registered, presented)).toBe(false);
  });

  test('for every port there is, and for every path only with the same one', () => {
    const path = fc.webPath();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), path, path, (port, own, other) => {
        expect(redirectUriMatches(`http://127.0.0.1${own}`, `http://127.0.0.1:${port}${own}`)).toBe(true);
        expect(redirectUriMatches(`http://127.0.0.1${own}`, `http://127.0.0.1:${port}${other}`)).toBe(own === other);
      }),
    );
  });

  test('in both directions alike', () => {
    const uri = fc.oneof(
      fc.webUrl(),
      fc.constantFrom('http://localhost/a', 'http://localhost:1/a', 'http://[::1]:2/a', 'http://localhost:0/a'),
    );
    fc.assert(
      fc.property(uri, uri, (a, b) => {
        expect(redirectUriMatches(a, b)).toBe(redirectUriMatches(b, a));
      }),
    );
  });
});

describe("a client's redirect URIs", () => {
  test('are looked through in full', () => {
    expect(isRegistered(['https://a.example/', 'http://localhost/cb'], 'http://localhost:81/cb')).toBe(true);
    expect(isRegistered(['https://a.example/', 'http://localhost/cb'], 'https://b.example/')).toBe(false);
    expect(isRegistered([], 'https://a.example/')).toBe(false);
    expect(isRegistered(['https://a.example/'], '')).toBe(false);
  });

  test('are compared in no time with a text of any length', () => {
    const longest = `https://app.example/${'a'.repeat(2_028)}`;
    expect(isRegistered([longest], longest)).toBe(true);
    expect(isRegistered([`${longest}a`], `${longest}a`)).toBe(false);
    const long = `http://localhost:81/${'a'.repeat(1_000_000)}`;
    expect(isRegistered(['http://localhost/cb'], long)).toBe(false);
    expect(isRegistered([long], long)).toBe(false);
  });
});

describe('the address that an answer is sent to', () => {
  test.each([
    ['http://localhost/cb', true],
    ['http://localhost:3000/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://[::1]:80/cb', true],
    ['https://localhost/cb', true],
    ['https://app.example/cb', false],
    ['https://localhost.evil.example/cb', false],
    ['https://app.example/localhost', false],
    ['com.example.app:/localhost', false],
  ])('%s is this machine: %s', (uri, expected) => {
    expect(leadsToLoopback(uri)).toBe(expected);
  });

  test.each([
    ['com.example.app:/cb', true],
    ['com.example.app://cb', true],
    ['https://app.example/cb', false],
    ['http://localhost/cb', false],
    ['not a URI', true],
    ['HTTPS://app.example/cb', false],
  ])('%s has a scheme that any app can claim: %s', (uri, expected) => {
    expect(hasPrivateUseScheme(uri)).toBe(expected);
  });
});

describe('parameters added to a redirect URI', () => {
  test.each([
    ['https://app.example/cb', 'https://app.example/cb?code=c'],
    ['https://app.example', 'https://app.example?code=c'],
    ['https://app.example/cb?', 'https://app.example/cb?code=c'],
    ['https://app.example/cb?x=1', 'https://app.example/cb?x=1&code=c'],
    ['https://app.example/cb?x=1&', 'https://app.example/cb?x=1&code=c'],
    ['https://app.example/cb?x=%7e+%20&&y', 'https://app.example/cb?x=%7e+%20&&y&code=c'],
    ['com.example.app:/cb', 'com.example.app:/cb?code=c'],
    ['http://[::1]:81/cb', 'http://[::1]:81/cb?code=c'],
  ])('leave the text of %s as it is', (uri, expected) => {
    expect(appendParameters(uri, [['code', 'c']])).toBe(expected);
  });

  test('cannot break out of their place', () => {
    const answer = appendParameters('https://app.example/cb', [['state', 'a&code=evil#x\r\nSet-Cookie: a=b?é']]);
    expect(answer).toMatch(/^[\x21-\x7e]+$/);
    expect(answer).toBe('https://app.example/cb?state=a%26code%3Devil%23x%0D%0ASet-Cookie%3A%20a%3Db%3F%C3%A9');
  });

  test('come back as they were, whatever they are', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom('', '?', '?a=b'), (value, query) => {
        const answer = appendParameters(`https://app.example/cb${query}`, [['state', value]]);
        expect(new URL(answer).searchParams.get('state')).toBe(value.toWellFormed());
        expect(new URLSearchParams(answer.slice(answer.indexOf('?'))).getAll('state')).toHaveLength(1);
      }),
    );
  });
});
