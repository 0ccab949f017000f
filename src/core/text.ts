import type { Mistake } from './problem.ts';

/** Each check of this file can give these codes, which a command that uses it lists. */
export const OPTIONAL_TEXT_CODES = ['TOO_LONG', 'INVALID_TEXT'] as const;
export const TEXT_CODES = ['REQUIRED', ...OPTIONAL_TEXT_CODES] as const;
export const METADATA_CODES = ['TOO_MANY', ...TEXT_CODES] as const;
export const SLUG_CODES = ['REQUIRED', 'TOO_LONG', 'INVALID_SLUG'] as const;
export const EMAIL_CODES = ['REQUIRED', 'INVALID_EMAIL'] as const;
export const URL_CODES = ['REQUIRED', 'TOO_LONG', 'INVALID_URL'] as const;

/** PostgreSQL refuses NUL and lone surrogates in texts, and nothing stored has them. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Where a text stands in the input; its last name is also what the message calls it. */
export type Path = readonly [string, ...string[]];

export interface TextRule {
  /** Most characters (code points). */
  readonly max: number;
  /** Whether line breaks and tabs may stand in it. */
  readonly multiline?: boolean;
}

export const MAX_URL_LENGTH = 2_048;
const MAX_EMAIL_LENGTH = 254;
export const MAX_SLUG_LENGTH = 64;
export const MAX_METADATA = { keys: 50, keyLength: 40, valueLength: 500 };

/** Descriptions say with these what such texts look like. */
export const SLUG_IN_WORDS = `lower-case letters, digits and single hyphens between them, at most ${MAX_SLUG_LENGTH} characters, such as \`ada-lovelace\``;
export const URL_IN_WORDS = `an https address of at most ${MAX_URL_LENGTH} characters`;
export const EMAIL_IN_WORDS = `an e-mail address of at most ${MAX_EMAIL_LENGTH} characters, such as \`ada@example.com\``;
export const COLOR_IN_WORDS = 'as `#rrggbb`, such as `#1a7f37`';
export const TIME_ZONE_IN_WORDS = 'an IANA name, such as `Europe/Berlin`';
export const LOCALE_IN_WORDS = 'a language tag (BCP 47), such as `en` or `de-AT`';
export const METADATA_IN_WORDS = `at most ${MAX_METADATA.keys} keys of at most ${MAX_METADATA.keyLength} characters, values of at most ${MAX_METADATA.valueLength} characters`;

// PostgreSQL refuses NUL and lone surrogates, and formatting characters could make a name read like another one; the
// joiners and direction marks that scripts and emoji need may stay.
const BAD_IN_ONE_LINE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]--[\u200c-\u200f]]/v;
// Pasted texts hold soft hyphens and spaces without width, which may stay. Characters that turn the direction of all
// that follows may not: embeddings, overrides and isolates. No text in Arabic or Hebrew needs them, as its letters say
// their direction.
const BAD_IN_MANY_LINES = /[[\p{Cc}\p{Cs}\u061c\u202a-\u202e\u2066-\u206f]--[\n\t]]/v;
// A company may be called ACME.io: a domain alone leads to no page that somebody could choose.
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}(?::\d+)?\//iu;
// Fillers are letters, and the blank of Braille is a symbol, that show nothing.
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
// HTML calls this a valid e-mail address; ours needs at least one dot in its domain.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

// A parser would silently drop tabs and mend backslashes, and what is invisible or turns the direction around makes an
// address read like another one: what is stored must be what a browser opens, and what people see. Joiners are letters'
// own, and variation selectors emoji's.
const BAD_IN_URL =
  /[[\s\\\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\u200c\u200d\p{Variation_Selector}]]/v;
const HTTPS_WITHOUT_USER = /^https:\/\/[^/?#@]+(?:[/?#]|$)/i;

/** One spelling of what was typed: composed (NFC), `\n` for every line break, no white space around it. */
export function tidyText(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').trim();
}

/** Checks a (tidied) text that people read, and which has to be there. */
export function textMistake(path: Path, text: string, rule: TextRule): Mistake | undefined {
  if (text !== '') return optionalTextMistake(path, text, rule);
  return { code: 'REQUIRED', message: `The ${nameOf(path)} is empty; fill it in.`, path };
}

/** Checks a text that may be empty. */
export function optionalTextMistake(path: Path, text: string, rule: TextRule): Mistake | undefined {
  const { max, multiline = false } = rule;
  if (isLongerThan(text, max)) return tooLong(path, max);
  const isBad = multiline ? BAD_IN_MANY_LINES.test(text) : BAD_IN_ONE_LINE.test(text);
  const isEmpty = (multiline ? text.trim() : text) === '';
  if (!isBad && (isEmpty || VISIBLE.test(text))) return undefined;
  const what = !isBad
    ? 'nothing that can be seen'
    : multiline
      ? 'control characters, or such that turn its direction'
      : 'line breaks or invisible characters';
  return { code: 'INVALID_TEXT', message: `The ${nameOf(path)} holds ${what}; write it as plain text.`, path };
}

function tooLong(path: Path, most: number): Mistake {
  const message = `The ${nameOf(path)} is longer than ${most} characters; shorten it.`;
  return { code: 'TOO_LONG', message, path, bounds: { most } };
}

/**
 * Checks a name that somebody gives themselves, at most `max` characters. It stands in mails to people who have not
 * asked for any, and programs make a link of a text that looks like an address: nobody advertises there in our name.
 */
export function personNameMistake(path: Path, name: string, max: number): Mistake | undefined {
  const mistake = textMistake(path, name, { max });
  if (mistake || !holdsWebAddress(name)) return mistake;
  const message = `The ${nameOf(path)} holds a web address; write what people call you.`;
  return { code: 'INVALID_TEXT', message, path };
}

/** Whether mail programs would make a link of some of it. */
export function holdsWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text.normalize('NFKC'));
}

/** Lower-case letters, digits and single hyphens between them: what stands in an address. Usernames too. */
export function slugMistake(path: Path, slug: string): Mistake | undefined {
  const name = nameOf(path);
  if (slug === '') return { code: 'REQUIRED', message: `The ${name} is empty; fill it in.`, path };
  if (slug.length > MAX_SLUG_LENGTH) return tooLong(path, MAX_SLUG_LENGTH);
  if (SLUG.test(slug)) return undefined;
  const advice = 'use lower-case letters from a to z, digits, and single hyphens between them';
  return { code: 'INVALID_SLUG', message: `The ${name} ${shown(slug)} cannot stand in an address; ${advice}.`, path };
}

/** An address as mail servers take it, in ASCII, such as ada@example.com. */
export function emailMistake(path: Path, email: string): Mistake | undefined {
  const name = nameOf(path);
  if (email === '') return { code: 'REQUIRED', message: `The ${name} is empty; fill it in.`, path };
  if (email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email)) return undefined;
  const message = `The ${name} ${shown(email)} is not a complete e-mail address; write it as name@example.com.`;
  return { code: 'INVALID_EMAIL', message, path };
}

/** Without what ends a line: no name writes further ones, be it into a header, a subject or a sentence. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** The address in `Name <address>`, or an address alone. */
export function addressOfMailbox(mailbox: string): string {
  return /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox;
}

/** The name in `Name <address>`; undefined where there is none. */
export function nameOfMailbox(mailbox: string): string | undefined {
  const name = /^([^<>]*)</
    .exec(mailbox)?.[1]
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
  return name === '' ? undefined : name;
}

/**
 * An absolute https address without user name, white space, control or invisible characters. It has at most 2,048 characters
 * as it is sent, percent-encoded, and no more bytes as it is stored: so it fits into an index (2,704 bytes).
 */
export function urlMistake(path: Path, url: string): Mistake | undefined {
  const name = nameOf(path);
  if (url === '') return { code: 'REQUIRED', message: `The ${name} is empty; fill it in.`, path };
  // A parsed address may be shorter, such as `/a/../b`, or longer, as it is percent-encoded.
  if (isTooLong(url) || isTooLong(URL.parse(url)?.href ?? '')) {
    const message = `The ${name} is longer than ${MAX_URL_LENGTH} characters as it is sent, percent-encoded; shorten it.`;
    return { code: 'TOO_LONG', message, path, bounds: { most: MAX_URL_LENGTH } };
  }
  if (!BAD_IN_URL.test(url) && HTTPS_WITHOUT_USER.test(url) && URL.canParse(url)) return undefined;
  const message = `The ${name} ${shown(url)} is not an https address; write it as https://example.com/path.`;
  return { code: 'INVALID_URL', message, path };
}

function isTooLong(url: string): boolean {
  return Buffer.byteLength(url) > MAX_URL_LENGTH;
}

/** A colour as style sheets write it, in lower-case digits. */
export function colorMistake(path: Path, color: string): Mistake | undefined {
  if (/^#[0-9a-f]{6}$/.test(color)) return undefined;
  const message = `The ${nameOf(path)} ${shown(color)} is no colour; write it as #rrggbb, such as #1a7f37.`;
  return { code: 'INVALID_COLOR', message, path };
}

/** Finds the mistakes in keys and values that callers chose themselves; at most one for each key. */
export function metadataMistakes(path: Path, metadata: Readonly<Record<string, string | null>>): readonly Mistake[] {
  const entries = Object.entries(metadata);
  const { keys, keyLength, valueLength } = MAX_METADATA;
  if (entries.length > keys) {
    const message = `The ${nameOf(path)} has ${entries.length} keys; at most ${keys} are possible.`;
    return [{ code: 'TOO_MANY', message, path }];
  }
  return entries
    .map(([key, value]) => {
      const keyMistake = textMistake([...path, 'key'], key, { max: keyLength });
      if (keyMistake) return { ...keyMistake, message: `${keyMistake.message} It is ${shown(key)}.`, path };
      if (value === null) return undefined;
      const mistake = optionalTextMistake([...path, 'value'], value, { max: valueLength, multiline: true });
      return (
        mistake && { ...mistake, message: `${mistake.message} It is that of ${shown(key)}.`, path: [...path, key] }
      );
    })
    .filter((mistake) => mistake !== undefined);
}

/** The IANA name in its usual capitals (`europe/berlin` → `Europe/Berlin`), or undefined for an unknown name. */
export function timeZoneNamed(text: string): string | undefined {
  // An offset such as +01:00 is no zone: it does not know of summer time.
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(text)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId;
  } catch {
    return undefined;
  }
}

export function timeZoneMistake(path: Path, text: string): Mistake | undefined {
  if (timeZoneNamed(text) !== undefined) return undefined;
  const message = `The ${nameOf(path)} ${shown(text)} is not known; use an IANA name such as Europe/Berlin or UTC.`;
  return { code: 'INVALID_TIME_ZONE', message, path };
}

/** The language tag in its usual capitals (BCP 47: `de-at` → `de-AT`), or undefined when it is not well-formed. */
export function localeNamed(text: string): string | undefined {
  try {
    return text.length <= 35 ? Intl.getCanonicalLocales(text)[0] : undefined;
  } catch {
    return undefined;
  }
}

export function localeMistake(path: Path, text: string): Mistake | undefined {
  if (localeNamed(text) !== undefined) return undefined;
  const message = `The ${nameOf(path)} ${shown(text)} is not a language tag; use one such as en, de-AT or pt-BR.`;
  return { code: 'INVALID_LOCALE', message, path };
}

/** `websiteUrl` → `website URL`: a message names a field in words. */
export function nameOf(path: Path): string {
  const field = path.findLast((step) => !/^\d+$/.test(step)) ?? path[0];
  return field
    .replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
    .replace(/\burl\b/, 'URL')
    .replace(/\bemail\b/, 'e-mail address');
}

/** A value in a message: short enough to read, and without the characters that it may have been refused for. */
export function shown(text: string): string {
  const start = Array.from(text.slice(0, 120), (character) => (BAD_IN_ONE_LINE.test(character) ? '\ufffd' : character));
  return `"${start.slice(0, 60).join('')}${start.length > 60 || text.length > 120 ? '…' : ''}"`;
}

/** How a value begins, where the whole of it may be a secret: apps log messages. */
export function shownStart(text: string): string {
  return shown(text.length > SHOWN_START ? `${text.slice(0, SHOWN_START)}…` : text);
}

/** The tag of an id, and some characters of its owner's. */
const SHOWN_START = 12;

/** Counts code points without reading on once it is sure: a text may be a megabyte. */
function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  return Array.from(text).length > max;
}

/** A form component back to text; undefined when it is no percent-encoded UTF-8. */
export function decodeComponent(component: string): string | undefined {
  try {
    return decodeURIComponent(component.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The parameters of an address as it was sent, decoded; undefined for what is no percent-encoded UTF-8. */
export function* queryPairs(address: string): Generator<readonly [string | undefined, string | undefined]> {
  const [beforeFragment = ''] = address.split('#', 1);
  const start = beforeFragment.indexOf('?');
  if (start === -1) return;
  for (const pair of beforeFragment.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    yield [decodeComponent(name), decodeComponent(value)];
  }
}
