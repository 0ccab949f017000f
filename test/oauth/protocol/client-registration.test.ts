import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientPatch, ClientType } from '../../../src/oauth/protocol/client.ts';
import { redirectUriComplaint, registrationMistakes } from '../../../src/oauth/protocol/client-registration.ts';
import { SCOPES } from '../../../src/scopes/catalog.ts';
import { anyText } from './any-text.ts';

const DRAFT = {
  name: 'App',
  purpose: 'Shows bookings.',
  logoUrl: null,
  websiteUrl: null,
  redirectUris: ['https://app.example/cb'],
  scopes: ['PROFILE_READ'],
} satisfies ClientPatch;

const uris = (count: number) => Array.from({ length: count }, (_, i) => `https://app.example/${i}`);

function mistakesOf(changes: ClientPatch, type: ClientType = 'CONFIDENTIAL') {
  return registrationMistakes({ ...DRAFT, ...changes }, type);
}

test('a good registration has no mistakes', () => {
  expect(mistakesOf({})).toEqual([]);
  expect(
    mistakesOf({ logoUrl: 'https://app.example/logo.png', websiteUrl: 'https://app.example/#about', scopes: SCOPES }),
  ).toEqual([]);
});

test('an edit is checked for the fields that it names alone', () => {
  expect(registrationMistakes({}, 'PUBLIC')).toEqual([]);
  expect(registrationMistakes({ scopes: [] }, 'PUBLIC')).toMatchObject([{ code: 'REQUIRED', path: ['scopes'] }]);
});

test('all mistakes are told at once, in the order of the form', () => {
  const mistakes = mistakesOf({ name: '', purpose: ' ', logoUrl: 'x', redirectUris: [], scopes: [] });
  expect(mistakes.map(({ path }) => path[0])).toEqual(['name', 'purpose', 'logoUrl', 'redirectUris', 'scopes']);
});

describe('a name', () => {
  test.each(['A', 'x'.repeat(64), '😀'.repeat(64), 'Café 2', 'تطبيق', 'می‌خواهم', '👩‍💻 app', '@', '<b>App</b>'])(
    'may be %j',
    (name) => {
      expect(mistakesOf({ name })).toEqual([]);
    },
  );

  test.each([
    ['', 'REQUIRED'],
    ['   ', 'REQUIRED'],
    ['\u00a0\u2003', 'REQUIRED'],
    ['x'.repeat(65), 'TOO_LONG'],
    ['😀'.repeat(65), 'TOO_LONG'],
    ['x'.repeat(1_000_000), 'TOO_LONG'],
    ['App\nEvil', 'INVALID_TEXT'],
    ['App\0', 'INVALID_TEXT'],
    ['App\x7f', 'INVALID_TEXT'],
    ['App\u0085', 'INVALID_TEXT'],
    ['App\u2028Evil', 'INVALID_TEXT'],
    ['App\u202egnp.exe', 'INVALID_TEXT'],
    ['App\u2066x', 'INVALID_TEXT'],
    ['Goo\u200bgle', 'INVALID_TEXT'],
    ['Goo\u00adgle', 'INVALID_TEXT'],
    ['\ufeff', 'REQUIRED'],
    ['App\ufeff', 'INVALID_TEXT'],
    ['\u200d', 'INVALID_TEXT'],
    ['App\ud800', 'INVALID_TEXT'],
    ['App\ue000', 'INVALID_TEXT'],
  ])('may not be %j', (name, code) => {
    expect(mistakesOf({ name })).toMatchObject([{ code, path: ['name'] }]);
  });
});

describe('a purpose', () => {
  test.each(['Shows\nbookings\tto hosts.', 'x'.repeat(2_000)])('may be %j', (purpose) => {
    expect(mistakesOf({ purpose })).toEqual([]);
  });

  test.each([
    ['', 'REQUIRED'],
    ['\n\t', 'REQUIRED'],
    ['x'.repeat(2_001), 'TOO_LONG'],
    ['a\0b', 'INVALID_TEXT'],
    ['a\x1bb', 'INVALID_TEXT'],
    ['a\udc00', 'INVALID_TEXT'],
  ])('may not be %j', (purpose, code) => {
    expect(mistakesOf({ purpose })).toMatchObject([{ code, path: ['purpose'] }]);
  });
});

describe.each(['logoUrl', 'websiteUrl'] as const)('a %s', (field) => {
  test.each([
    'https://app.example',
    'https://app.example/logo.png?v=2',
    'https://app.example:8443/',
    'https://xn--caf-dma.example/',
    'https://203.0.113.7/',
    `https://app.example/${'a'.repeat(2_028)}`,
  ])('may be %s', (url) => {
    expect(mistakesOf({ [field]: url })).toEqual([]);
  });

  test.each([
    '',
    'app.example',
    '//app.example/',
    'http://app.example/',
    'HTTPS://app.example/',
    'https:app.example',
    'https:///logo.png',
    'https://user@app.example/',
    'https://app.example:0/',
    'https://APP.example/',
    'https://café.example/',
    'https://app.example/a b',
    'https://app.example/%zz',
    'https://app.example/\n',
    'https://127.1/',
    'https://0x7f.0.0.1/',
    'https://app..example/',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'blob:https://app.example/x',
    `https://app.example/${'a'.repeat(2_029)}`,
  ])('may not be %j', (url) => {
    expect(mistakesOf({ [field]: url })).toMatchObject([{ code: 'INVALID_URL', path: [field] }]);
  });
});

describe('scopes', () => {
  test.each([
    '',
    'profile_read',
    'PROFILE_READ ',
    'PROFILE_READ BOOKING_READ',
    '__proto__',
    'constructor',
    'ORG_APPS_READ',
    '*',
  ])('%j is unknown', (scope) => {
    expect(mistakesOf({ scopes: ['PROFILE_READ', scope] })).toMatchObject([
      { code: 'UNKNOWN_SCOPE', path: ['scopes', '1'] },
    ]);
  });

  test('the answer to a flood of mistakes is short', () => {
    expect(mistakesOf({ scopes: Array.from({ length: 10_000 }, () => 'x') }).length).toBeLessThanOrEqual(20);
  });
});

describe('the list of redirect URIs', () => {
  test('holds 1 to 10', () => {
    expect(mistakesOf({ redirectUris: uris(1) })).toEqual([]);
    expect(mistakesOf({ redirectUris: uris(10) })).toEqual([]);
    expect(mistakesOf({ redirectUris: [] })).toMatchObject([{ code: 'REQUIRED' }]);
    expect(mistakesOf({ redirectUris: uris(11) })).toMatchObject([{ code: 'TOO_MANY', path: ['redirectUris'] }]);
  });

  test('holds none twice', () => {
    expect(
      mistakesOf({ redirectUris: ['https://a.example/', 'https://b.example/', 'https://a.example/'] }),
    ).toMatchObject([{ code: 'DUPLICATE', path: ['redirectUris', '2'] }]);
    expect(mistakesOf({ redirectUris: ['https://a.example/', 'https://a.example/x'] })).toEqual([]);
  });

  test('names each mistake by its place', () => {
    expect(
      mistakesOf({ redirectUris: ['https://a.example/', 'ftp://a.example/', 'https://b.example/#x'] }),
    ).toMatchObject([
      { code: 'INVALID_REDIRECT_URI', path: ['redirectUris', '1'] },
      { code: 'INVALID_REDIRECT_URI', path: ['redirectUris', '2'] },
    ]);
  });

  test('is answered in plain characters, whatever it holds', () => {
    fc.assert(
      fc.property(anyText(), (uri) => {
        for (const { message } of mistakesOf({ redirectUris: [uri] })) expect(message).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});

describe('a redirect URI of any client', () => {
  test.each([
    'https://app.example',
    'https://app.example/',
    'https://app.example/cb',
    'https://app.example/cb?x=1&y=%20',
    'https://app.example/cb;v=1/@me/(x)!',
    'https://app.example:8443/cb',
    'https://app.example:443/cb',
    'https://a-b.c-d.example/cb',
    'https://xn--80ak6aa92e.example/cb',
    'https://203.0.113.7/cb',
    'https://[2001:db8::1]/cb',
    'https://intranet/cb',
    `https://${'a.'.repeat(126)}a/cb`,
    'https://localhost/cb',
    'https://localhost.app.example/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:65535/cb',
    `https://app.example/${'a'.repeat(2_028)}`,
  ])('may be %s', (uri) => {
    expect(redirectUriComplaint(uri, 'CONFIDENTIAL')).toBeUndefined();
    expect(redirectUriComplaint(uri, 'PUBLIC')).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['a relative path', '/cb'],
    ['a name without a scheme', 'app.example/cb'],
    ['a scheme left out', '//app.example/cb'],
    ['a space in front', ' https://app.example/cb'],
    ['a space behind', 'https://app.example/cb '],
    ['a space within', 'https://app.example/c b'],
    ['a tab in the scheme', 'ht\ttps://app.example/cb'],
    ['a line break', 'https://app.example/cb\n'],
    ['a header in a line of its own', 'https://app.example/\r\nLocation: https://evil.example'],
    ['a NUL', 'https://app.example/\0'],
    ['an encoded NUL', 'https://app.example/%00'],
    ['an encoded line break', 'https://app.example/%0d%0aX:1'],
    ['an encoded delete', 'https://app.example/%7F'],
    ['a fragment', 'https://app.example/cb#x'],
    ['an empty fragment', 'https://app.example/cb#'],
    ['a user name', 'https://user@app.example/cb'],
    ['a user name and password', 'https://user:pass@app.example/cb'],
    ['an empty user name', 'https://@app.example/cb'],
    ['a host that looks like the user name', 'https://app.example@evil.example/cb'],
    ['a wildcard host', 'https://*.app.example/cb'],
    ['a wildcard path', 'https://app.example/*'],
    ['a wildcard alone', '*'],
    ['a wildcard port', 'http://localhost:*/cb'],
    ['a backslash for a slash', 'https:\\\\app.example\\cb'],
    ['a backslash before the host', 'https://evil.example\\@app.example/cb'],
    ['an encoded backslash', 'https://app.example/%5cevil.example'],
    ['an encoded slash', 'https://app.example/%2f%2fevil.example'],
    ['a dot segment', 'https://app.example/./cb'],
    ['a way up', 'https://app.example/a/../cb'],
    ['a way up at the end', 'https://app.example/a/..'],
    ['an encoded way up', 'https://app.example/a/%2e%2E/cb'],
    ['a half encoded way up', 'https://app.example/a/.%2e/cb'],
    ['a broken percent', 'https://app.example/%'],
    ['a percent without digits', 'https://app.example/%zz'],
    ['a letter outside ASCII', 'https://app.example/é'],
    ['a host outside ASCII', 'https://café.example/cb'],
    ['a Cyrillic look-alike host', 'https://аpp.example/cb'],
    ['a full-width host', 'https://ａpp.example/cb'],
    ['an ideographic full stop', 'https://app\u3002example/cb'],
    ['a right-to-left override', 'https://app.example/\u202ecb'],
    ['a zero-width space', 'https://app\u200b.example/cb'],
    ['a soft hyphen', 'https://app\u00ad.example/cb'],
    ['a lone surrogate', 'https://app.example/\ud800'],
    ['an encoded host', 'https://app%2eexample/cb'],
    ['an encoded at sign in the host', 'https://app.example%40evil.example/cb'],
    ['capitals in the scheme', 'HTTPS://app.example/cb'],
    ['capitals in the host', 'https://App.example/cb'],
    ['a dot behind the host', 'https://app.example./cb'],
    ['a dot before the host', 'https://.app.example/cb'],
    ['two dots in the host', 'https://app..example/cb'],
    ['an underscore in the host', 'https://my_app.example/cb'],
    ['a hyphen before the host', 'https://-app.example/cb'],
    ['a hyphen behind a label', 'https://app-.example/cb'],
    ['a label of 64 characters', `https://${'a'.repeat(64)}.example/cb`],
    ['a host of 254 characters', `https://${'a.'.repeat(126)}aa/cb`],
    ['no host', 'https:///cb'],
    ['no host and a port', 'https://:8443/cb'],
    ['one slash', 'https:/app.example/cb'],
    ['no slash', 'https:app.example/cb'],
    ['three slashes', 'https:///app.example/cb'],
    ['an address in one number', 'https://2130706433/cb'],
    ['an address in hexadecimal', 'https://0x7f000001/cb'],
    ['an address in octal', 'https://0177.0.0.1/cb'],
    ['a short address', 'https://127.1/cb'],
    ['an address out of range', 'https://256.1.1.1/cb'],
    ['an IPv6 address written long', 'https://[0:0:0:0:0:0:0:1]/cb'],
    ['an IPv6 address with a zone', 'https://[fe80::1%25eth0]/cb'],
    ['an IPv6 address in capitals', 'https://[2001:DB8::1]/cb'],
    ['an IPv6 address without an end', 'https://[::1/cb'],
    ['text behind an IPv6 address', 'https://[::1]evil.example/cb'],
    ['brackets around a name', 'https://[app.example]/cb'],
    ['a bracket in the path', 'https://app.example/[x]'],
    ['port 0', 'https://app.example:0/cb'],
    ['a port out of range', 'https://app.example:65536/cb'],
    ['a port with a zero in front', 'https://app.example:0443/cb'],
    ['a port that is no number', 'https://app.example:https/cb'],
    ['an empty port', 'https://app.example:/cb'],
    ['a port in powers of ten', 'https://app.example:4e2/cb'],
    ['two ports', 'https://app.example:443:443/cb'],
    ['a code of its own', 'https://app.example/cb?code=x'],
    ['a state of its own', 'https://app.example/cb?a=b&state=x'],
    ['an issuer of its own', 'https://app.example/cb?iss=x'],
    ['an error of its own', 'https://app.example/cb?error'],
    ['an encoded code of its own', 'https://app.example/cb?%63ode=x'],
    ['plain http', 'http://app.example/cb'],
    ['plain http to a name that begins like localhost', 'http://localhost.evil.example/cb'],
    ['plain http to a name that ends like localhost', 'http://evil-localhost/cb'],
    ['plain http to LOCALHOST', 'http://LOCALHOST/cb'],
    ['plain http to another loopback address', 'http://127.0.0.2/cb'],
    ['plain http to all addresses', 'http://0.0.0.0/cb'],
    ['plain http to a private address', 'http://192.168.1.1/cb'],
    ['plain http with localhost as the user', 'http://localhost@evil.example/cb'],
    ['localhost on port 0', 'http://localhost:0/cb'],
    ['javascript', 'javascript:alert(1)'],
    ['javascript that looks like a path', 'javascript://app.example/%0aalert(1)'],
    ['javascript in capitals', 'JaVaScRiPt:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['a blob', 'blob:https://app.example/x'],
    ['vbscript', 'vbscript:msgbox'],
    ['about', 'about:blank'],
    ['view-source', 'view-source:https://app.example/'],
    ['mailto', 'mailto:a@app.example'],
    ['ftp', 'ftp://app.example/cb'],
    ['a web socket', 'wss://app.example/cb'],
    ['an Android intent', 'intent://app.example/#Intent;end'],
    ['the out-of-band address of old', 'urn:ietf:wg:oauth:2.0:oob'],
    ['a scheme without a dot', 'myapp:/cb'],
    ['a scheme with a dot behind', 'myapp.:/cb'],
    ['a scheme with two dots', 'com..example:/cb'],
    ['more than 2,048 characters', `https://app.example/${'a'.repeat(2_029)}`],
    ['a megabyte', `https://app.example/${'a'.repeat(1_000_000)}`],
  ])('may not be %s', (_, uri) => {
    expect(redirectUriComplaint(uri, 'CONFIDENTIAL')).toBeTypeOf('string');
    expect(redirectUriComplaint(uri, 'PUBLIC')).toBeTypeOf('string');
  });

  test('that is accepted on the web is what a browser opens: same host, port and path', () => {
    const piece = fc.constantFrom(
      'a',
      'Z',
      '0',
      '.',
      '..',
      '-',
      '/',
      ':',
      '8',
      '80',
      '@',
      '\\',
      '%',
      '%2e',
      '%2F',
      'xn--',
      '[',
      ']',
      '::1',
      'é',
      '\t',
      ' ',
    );
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, fc.boolean(), (host, path, isPlain) => {
        const uri = `https://app${host}.example/${isPlain ? 'cb' : path}`;
        const isAccepted = redirectUriComplaint(uri, 'CONFIDENTIAL') === undefined;
        const opened = isAccepted ? URL.parse(uri) : undefined;
        expect(opened && `https://${opened.host}${opened.pathname}`).toBe(isAccepted ? uri : undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a redirect URI with capitals is refused for them and not for something else', () => {
  expect(redirectUriComplaint('HTTPS://app.example/cb', 'PUBLIC')).toContain('lower case');
  expect(redirectUriComplaint('com.Example:/cb', 'PUBLIC')).toContain('lower case');
});

describe('a redirect URI with a private-use scheme', () => {
  test.each([
    'com.example.app:/cb',
    'com.example.app://cb',
    'com.example.app:/cb?x=1',
    'app.example-2+x:/',
    'io.app:///cb',
    'https.example.app:/cb',
    'com.example.https:/cb',
  ])('may be %s for a public client and not for a confidential one', (uri) => {
    expect(redirectUriComplaint(uri, 'PUBLIC')).toBeUndefined();
    expect(redirectUriComplaint(uri, 'CONFIDENTIAL')).toContain('only public clients');
  });

  test.each([
    'com.example.app:cb',
    'com.example.:/cb',
    'com.example.+.:/cb',
    'com.example.app:',
    'com.example.app://',
    'com.example.app:/cb#x',
    'com.example.app:/*',
    'com.example.app:/a/../b',
    'com.example.app://user@host/cb',
    'com.example.app:/cb?code=1',
    'com.example.app:/é',
    'Com.Example.App:/cb',
    '.com.example:/cb',
    '1.example:/cb',
  ])('may not be %s', (uri) => {
    expect(redirectUriComplaint(uri, 'PUBLIC')).toBeTypeOf('string');
  });
});
