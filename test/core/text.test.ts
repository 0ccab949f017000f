import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EMAIL_CODES,
  emailMistake,
  localeMistake,
  localeNamed,
  METADATA_CODES,
  metadataMistakes,
  OPTIONAL_TEXT_CODES,
  optionalTextMistake,
  personNameMistake,
  SLUG_CODES,
  slugMistake,
  TEXT_CODES,
  textMistake,
  tidyText,
  timeZoneMistake,
  timeZoneNamed,
  URL_CODES,
  urlMistake,
} from '../../src/core/text.ts';

const LINE = { max: 64 };
const LINES = { max: 500, multiline: true };

test('a text is tidied to one spelling: composed, one kind of line break, nothing around it', () => {
  expect(tidyText(' e\u0301\r\na\rb\t')).toBe('é\na\nb');
});

describe('a text in one line is', () => {
  test.each(['Ada', 'Ада', '李小龍', '👩‍👩‍👧', 'ابن سينا', 'می‌خواهم', `O'Neil & Søn <3`, '🦊'.repeat(64)])(
    'accepted: %j',
    (text) => {
      expect(textMistake(['name'], text, LINE)).toBeUndefined();
    },
  );

  test.each<[string, string, string]>([
    ['it is empty', '', 'REQUIRED'],
    ['it is one character too long', '🦊'.repeat(65), 'TOO_LONG'],
    ['it is a megabyte', 'a'.repeat(1_000_000), 'TOO_LONG'],
    ['it holds NUL', 'a\0b', 'INVALID_TEXT'],
    ['it holds a lone surrogate', 'a\ud800b', 'INVALID_TEXT'],
    ['it has two lines', 'a\nb', 'INVALID_TEXT'],
    ['it holds a line separator', 'a\u2028b', 'INVALID_TEXT'],
    ['it turns its direction around', 'a\u202eb', 'INVALID_TEXT'],
    ['it holds a character without width', 'pay\u2060pal', 'INVALID_TEXT'],
    ['nothing of it can be seen', '\u200d\u200d', 'INVALID_TEXT'],
    ['it is a letter that fills a place', '\u3164\u3164', 'INVALID_TEXT'],
    ['it is the blank of Braille', '\u2800', 'INVALID_TEXT'],
  ])('refused when %s', (_, text, code) => {
    expect(textMistake(['name'], text, LINE)).toMatchObject({ code, path: ['name'] });
  });
});

describe('a text in several lines is', () => {
  test.each(['One\n\ttwo', 'שלום\u200f, world\u200e!', 'مرحبا\nبالعالم', 'می‌خواهم', 'soft\u00adhyphen'])(
    'accepted: %j',
    (text) => {
      expect(textMistake(['notes'], text, LINES)).toBeUndefined();
    },
  );

  test.each([
    ['it holds NUL', 'a\0b'],
    ['it holds an escape', 'a\u001bb'],
    ['it holds a lone surrogate', 'a\ud800b'],
    ['it overrides the direction', 'pay to \u202emoc.live'],
    ['it embeds another direction', 'a\u202bb\u202c'],
    ['it isolates a part', 'a\u2067b\u2069'],
    ['it holds an Arabic letter mark', 'a\u061cb'],
  ])('refused when %s', (_, text) => {
    expect(textMistake(['notes'], text, LINES)).toMatchObject({ code: 'INVALID_TEXT', path: ['notes'] });
  });
});

describe('the name of somebody, which mails to strangers show, is', () => {
  test.each([
    'Dr. med. A. B.',
    'J.R. Smith',
    "O'Neil",
    'ACME.io',
    'Ada (they/them)',
    'Müller & Co./Bern',
    'Awww. Bob',
    '李/小龍',
  ])('accepted: %j', (name) => {
    expect(personNameMistake(['name'], name, 64)).toBeUndefined();
  });

  test.each([
    'Win at http://evil.example/prize',
    'WWW.evil.example',
    'evil.example/prize',
    'Ada evil.example:8080/',
    'münchen.example/',
    'HTTPS：／／evil.example',
  ])('refused: %j', (name) => {
    const message = 'The name holds a web address; write what people call you.';
    expect(personNameMistake(['attendee', 'name'], name, 64)).toEqual({
      code: 'INVALID_TEXT',
      message,
      path: ['attendee', 'name'],
    });
  });

  test.each([
    ['', 'REQUIRED'],
    ['a'.repeat(65), 'TOO_LONG'],
    ['a\nb', 'INVALID_TEXT'],
  ])('a text in one line too: %j', (name, code) => {
    expect(personNameMistake(['name'], name, 64)).toMatchObject({ code });
  });
});

describe('a text in many lines is', () => {
  test.each(['', 'a\n\tb', '  ', 'x'.repeat(500)])('accepted: %j', (text) => {
    expect(optionalTextMistake(['bio'], text, LINES)).toBeUndefined();
  });

  test.each(['a\0', 'a\ud800', 'a\u001b[0m', 'a\r\nb'])('refused: %j', (text) => {
    expect(textMistake(['bio'], text, LINES)).toMatchObject({ code: 'INVALID_TEXT' });
  });
});

test('a message names the field in words, and the last name of its path that is no index', () => {
  expect(urlMistake(['links', 'avatarUrl', '3'], '')?.message).toBe('The avatar URL is empty; fill it in.');
});

describe('a slug is', () => {
  test.each(['a', 'intro-30', '2', 'a'.repeat(64)])('accepted: %s', (slug) => {
    expect(slugMistake(['slug'], slug)).toBeUndefined();
  });

  test.each(['Intro', 'a--b', '-a', 'a-', 'a_b', 'a/b', 'ä', '..', 'a\n', '\u212a'])('refused: %j', (slug) => {
    expect(slugMistake(['slug'], slug)).toMatchObject({ code: 'INVALID_SLUG' });
  });

  test.each<[string, string]>([
    ['', 'REQUIRED'],
    ['a'.repeat(65), 'TOO_LONG'],
  ])('refused by its length: %j', (slug, code) => {
    expect(slugMistake(['slug'], slug)).toMatchObject({ code });
  });
});

describe('an e-mail address is', () => {
  test.each(['ada@acme.test', 'Ada.L+x@mail.acme.example', `o'neil@a-b.test`])('accepted: %s', (email) => {
    expect(emailMistake(['email'], email)).toBeUndefined();
  });

  test.each([
    'ada',
    'ada@acme',
    '@acme.test',
    'ada@-acme.test',
    'ada@acme..test',
    'ada@acme.test\r\nbcc: eve@evil.test',
    'ada@acme.test, eve@evil.test',
    '"ada"@acme.test',
    'äda@acme.test',
    '\u212aate@acme.test',
    `${'a'.repeat(65)}@acme.test`,
    `a@${'b.'.repeat(200)}test`,
  ])('refused: %j', (email) => {
    expect(emailMistake(['email'], email)).toMatchObject({ code: 'INVALID_EMAIL' });
  });
});

describe('an address of the web is', () => {
  test.each([
    'https://acme.test',
    'https://acme.test:8443/a/b?c=d#e',
    'https://bücher.test/ä',
    'https://acme.test?a=b@c',
    'https://fa.test/می\u200cخواهم',
  ])('accepted: %s', (url) => {
    expect(urlMistake(['avatarUrl'], url)).toBeUndefined();
  });

  test.each([
    'http://acme.test/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//acme.test',
    'https:acme.test',
    'https:///acme.test',
    'https://ada:secret@acme.test/',
    'https://acme.test/a b',
    'https://acme.test\\@evil.test/',
    'https://acme.test/\n',
    'https://',
    'https://acme.test/\ud800',
    'https://@acme.test/',
    'https://:@acme.test/',
    'https://acme.test/\u202egnp.exe',
    'https://acme\u200b.test/',
    'https://acme.test/\u2066x',
  ])('refused: %j', (url) => {
    expect(urlMistake(['avatarUrl'], url)).toMatchObject({ code: 'INVALID_URL' });
  });

  test.each([
    ['of 2,048 ASCII characters', `https://a.test/${'x'.repeat(2_033)}`, undefined],
    ['of one more', `https://a.test/${'x'.repeat(2_034)}`, 'TOO_LONG'],
    ['of 225 characters that are nine each when they are sent', `https://a.test/${'中'.repeat(225)}`, undefined],
    ['of one more of them', `https://a.test/${'中'.repeat(226)}`, 'TOO_LONG'],
    ['that is long only as it is stored', `https://a.test/${'中'.repeat(700)}/../x`, 'TOO_LONG'],
  ])('counted as it is sent and as it is stored: %s', (_, url, code) => {
    expect(urlMistake(['avatarUrl'], url)?.code).toBe(code);
  });
});

describe('metadata', () => {
  test('of 50 keys of 40 characters with values of 500 is accepted', () => {
    expect(metadataMistakes(['metadata'], manyKeys(50))).toEqual([]);
    expect(metadataMistakes(['metadata'], { ['k'.repeat(40)]: 'v'.repeat(500), empty: '' })).toEqual([]);
  });

  test('may have a key called __proto__ like any other', () => {
    expect(metadataMistakes(['metadata'], JSON.parse('{"__proto__": "x"}'))).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['51 keys', manyKeys(51), 'TOO_MANY'],
    ['an empty key', { '': 'x' }, 'REQUIRED'],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }, 'TOO_LONG'],
    ['a value of 501 characters', { key: 'v'.repeat(501) }, 'TOO_LONG'],
    ['NUL in a key', { 'a\0': 'x' }, 'INVALID_TEXT'],
    ['NUL in a value', { a: '\0' }, 'INVALID_TEXT'],
  ])('with %s is refused', (_, metadata, code) => {
    expect(metadataMistakes(['metadata'], metadata)).toMatchObject([{ code }]);
  });
});

describe('a time zone is', () => {
  test.each<[string, string]>([
    ['UTC', 'UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ])('accepted: %s', (text, name) => {
    expect(timeZoneNamed(text)).toBe(name);
    expect(timeZoneMistake(['timeZone'], text)).toBeUndefined();
  });

  test.each(['', '+01:00', 'Berlin', 'Europe/Atlantis', '2026-01-01T00:00Z[UTC]', 'UTC\0', 'a'.repeat(100_000)])(
    'refused: %j',
    (text) => {
      expect(timeZoneNamed(text)).toBeUndefined();
      expect(timeZoneMistake(['timeZone'], text)).toMatchObject({ code: 'INVALID_TIME_ZONE' });
    },
  );
});

describe('a locale is', () => {
  test('accepted in any capitals', () => {
    expect(localeNamed('de-at')).toBe('de-AT');
    expect(localeMistake(['locale'], 'pt-BR')).toBeUndefined();
  });

  test.each(['', 'x', 'de_AT', 'e\0n', 'en-'.repeat(30)])('refused: %j', (text) => {
    expect(localeMistake(['locale'], text)).toMatchObject({ code: 'INVALID_LOCALE' });
  });
});

test('a check of any text answers with a known code and a short sentence that can be stored and shown', () => {
  const checks = [
    [TEXT_CODES, (text: string) => textMistake(['name'], tidyText(text), LINE)],
    [OPTIONAL_TEXT_CODES, (text: string) => optionalTextMistake(['bio'], tidyText(text), LINES)],
    [SLUG_CODES, (text: string) => slugMistake(['slug'], text)],
    [EMAIL_CODES, (text: string) => emailMistake(['email'], text)],
    [URL_CODES, (text: string) => urlMistake(['url'], text)],
    [['INVALID_TIME_ZONE'], (text: string) => timeZoneMistake(['timeZone'], text)],
    [['INVALID_LOCALE'], (text: string) => localeMistake(['locale'], text)],
    [METADATA_CODES, (text: string) => metadataMistakes(['metadata'], { [text]: text })[0]],
  ] as const;
  assert(
    property(string({ unit: 'binary', maxLength: 3_000 }), (text) => {
      for (const [codes, check] of checks) {
        const mistake = check(text);
        if (!mistake) continue;
        expect(codes).toContain(mistake.code);
        expect(mistake.message).toMatch(/^The [^\p{Cc}\p{Cs}]{1,300}\.$/u);
      }
    }),
  );
});

function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, 'value']));
}
