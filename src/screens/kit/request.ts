import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../core/secret.ts';
import type { RepeatableRequest } from '../../limits/at-most-once.ts';
import { readAtMost } from '../../limits/read-at-most.ts';

const MAX_BYTES = 64 * 1024;

/** The most that a form may hold. */
export interface FormLimits {
  readonly bytes: number;
  readonly fields: number;
}

/** All forms have room for this. */
export const FORM_LIMITS: FormLimits = { bytes: MAX_BYTES, fields: 100 };

/**
 * The limits of a form that shows lists or long texts: whatever is stored must be able to come back. `fields`: the most
 * that its lists make.
 */
export function largeForm(fields = 0): FormLimits {
  return { bytes: 1024 * 1024, fields: FORM_LIMITS.fields + fields };
}

/** The fields of a form. @throws Problem UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, BAD_REQUEST */
export async function readForm(request: Request, { bytes, fields } = FORM_LIMITS): Promise<URLSearchParams> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the form as application/x-www-form-urlencoded.');
  }
  const text = await readText(request, bytes);
  listeners.get(request)?.(text);
  if (text.split('&', fields + 1).length > fields) {
    throw new Problem('BAD_REQUEST', `The form has more than ${fields} fields; send fewer.`);
  }
  return new URLSearchParams(text);
}

const listeners = new WeakMap<Request, (text: string) => void>();

/** Tells of the form of a request as soon as it is read, encoded as it was sent. */
export function onFormRead(request: Request, listener: (text: string) => void): void {
  listeners.set(request, listener);
}

/** The text members of a JSON object. @throws Problem UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, BAD_REQUEST */
export async function readJsonTexts<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const value = parseJson(await readText(request));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = new Map(isObject ? Object.entries(value) : []);
  const texts = names.map((name) => [name, members.get(name)] as const);
  const missing = texts.find(([, text]) => typeof text !== 'string');
  if (!missing) return Object.fromEntries(texts) as Record<Name, string>;
  throw new Problem(
    'BAD_REQUEST',
    `Send a JSON object in which ${names.join(' and ')} are strings; ${missing[0]} is not.`,
  );
}

export function isJson(request: Request): boolean {
  return mediaType(request) === 'application/json';
}

/** Whether the type of a body names no other encoding than that which all JSON has (RFC 8259 §8.1). */
export function isInUtf8(request: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers.get('content-type') ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A body that was not read yet, and what its headers say of it. */
export interface SentBody {
  readonly encoding: string | null | undefined;
  readonly length: string | null | undefined;
  /** Undefined when it is larger. */
  readonly read: (maxBytes: number) => Promise<Uint8Array | undefined>;
}

export function bodyOf({ headers, body }: Request): SentBody {
  return {
    encoding: headers.get('content-encoding'),
    length: headers.get('content-length'),
    read: (maxBytes) => readAtMost(body, maxBytes),
  };
}

/** A body as text. Stops reading at the limit, whatever the length that was announced. @throws as readForm does */
export function readText(request: Request, maxBytes = MAX_BYTES): Promise<string> {
  return textOf(bodyOf(request), maxBytes);
}

/** Reads a body as text, from either door. */
export async function textOf({ encoding, length, read }: SentBody, maxBytes = MAX_BYTES): Promise<string> {
  if ((encoding ?? 'identity').toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body without compression (Content-Encoding).');
  }
  const isAnnounced = Number(length ?? 0) > maxBytes;
  const bytes = isAnnounced ? undefined : await read(maxBytes);
  if (!bytes) throw tooLarge(maxBytes);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new Problem('BAD_REQUEST', 'The body is not UTF-8 text; send it in that encoding.');
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function tooLarge(maxBytes: number): Problem {
  return new Problem('BODY_TOO_LARGE', `The body is larger than ${maxBytes / 1024} KiB; send less.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('BAD_REQUEST', 'The body is not JSON; send an object.');
  }
}

/** How often a header was sent; names are in lower case. Cheaper than `headersDistinct`, which takes all headers apart. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * The query as it stood in the request line, without its `?`. Not that of the Request, whose URL was parsed and written
 * anew (`'` became `%27`), where what was sent must be compared and returned byte for byte.
 */
export function rawQuery(c: Context): string {
  const { req } = (c.env ?? {}) as { req?: IncomingMessage };
  return queryOf(req?.url ?? c.req.raw.url);
}

export function queryOf(url: string): string {
  const [address = ''] = url.split('#', 1);
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start + 1);
}

/** As `newFormKey` makes it. */
const FORM_KEY = /^[0-9A-Za-z]{22}$/;

/** The hidden field `idempotencyKey`, by which a form is carried out once, however often it is sent: what no form of ours has is replaced. */
export function formKeyIn(form: URLSearchParams): string {
  const sent = form.get('idempotencyKey') ?? '';
  return FORM_KEY.test(sent) ? sent : newFormKey();
}

export function newFormKey(): string {
  return randomBase62(22);
}

/**
 * Digests values that must tell two requests apart and be stored nowhere, not even by their plain hash, as a password:
 * only the holder of the form's own key can make the digest again.
 */
export function digestIn(form: URLSearchParams, names: readonly string[]): string {
  return sha256Hex(JSON.stringify([formKeyIn(form), ...names.map((name) => form.get(name))]));
}

/** Long enough for a second press of a button, and too short to go back to a form and mean it anew. */
export const PRESSED_TWICE_SECONDS = 10;

/**
 * The request of a form that changes what is there, and so is refused where that has changed since: sent twice, it is
 * one request, and no change of somebody else's. Its token says which showing of the form it is. A form that comes back
 * later is another request: its change may be long overwritten. `of`: what is changed.
 */
export function savingOf(userId: string, form: URLSearchParams, of: string): RepeatableRequest {
  const key = sha256Hex(JSON.stringify([...form]));
  return { ownerId: userId, key, operation: ['page', 'save', of], input: null, seconds: PRESSED_TWICE_SECONDS };
}

/** A form that is sent twice is one request; one that was gone back to and filled in anew is another. */
export function requestIn(
  { userId, form }: { readonly userId: string; readonly form: URLSearchParams },
  operation: readonly string[],
  input: unknown,
): RepeatableRequest {
  return { ownerId: userId, key: `${formKeyIn(form)}-${sha256Hex(JSON.stringify(input))}`, operation, input };
}

/** A form of a page, and what was typed in it. */
export interface SentForm<Name extends string = string> {
  readonly name: Name;
  readonly form: URLSearchParams;
}

/** A form that comes back: it was refused, or something was filled in for its reader. */
export interface FormBack<Name extends string = string> extends SentForm<Name> {
  /** Undefined where nothing is wrong. */
  readonly problem?: Problem;
  /** Says what was filled in. */
  readonly note?: string;
}

/** When what a form shows was last changed, as the form sends it along; null, which claims nothing, for a text that is no time. */
export function seenAt(text: string | null): Temporal.Instant | null {
  try {
    return text === null ? null : instantOf(text);
  } catch {
    return null;
  }
}

/**
 * The `updatedAt` that a form sends along: that of what it shows. One that came back keeps what it was opened with, since
 * what is typed was said of nothing newer, until its person is told that there is.
 */
export function seenBy(current: string, back: FormBack | undefined): string {
  return back?.problem?.code === 'CONFLICT' ? current : (back?.form.get('updatedAt') ?? current);
}

/**
 * Makes `cafe-code` of `Café & Code`. A name without any letter or digit that an address can have gives an empty text.
 */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
}

/** Stands for a slug while the name is missing too, so that only the missing name is reported; nothing is made with it. */
const OF_NO_NAME = 'unnamed';

/** The slug as it was typed, else one made of the name. */
export function slugFrom(typed: string, name: string): string {
  return typed.trim() || (name.trim() === '' ? OF_NO_NAME : slugOf(name));
}
