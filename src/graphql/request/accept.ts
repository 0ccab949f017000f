/** Reads what a client prefers by the weights of `Accept`, `Accept-Encoding` and `Accept-Language` (RFC 9110 §12.4.2, §12.5). */
import Negotiator from 'negotiator';
import { CACHES, type Share } from '../../core/caches.ts';

/** A longer header is no browser's, nor that of any client that wants one of our types. */
const MAX_LENGTH = 1_000;

/** By the types that there are, which are the same list each time; there are as many texts as there are kinds of clients. */
const CHOSEN = new WeakMap<readonly string[], Share<{ readonly type: string | undefined }>>();
const BYTES = 50;

/**
 * The media type that an `Accept` asks for most, of those that we have: the most specific range that fits a type says its weight,
 * 0 rules it out. Between equals, the one that the client names first, then ours. Undefined where none is acceptable; a missing
 * header accepts all.
 */
export function preferredType<Type extends string>(
  accept: string | null | undefined,
  types: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept == null) return types[0];
  const known = CHOSEN.getOrInsertComputed(types, () => CACHES.share({ name: 'accept', weigh: () => BYTES }));
  const text = accept.slice(0, MAX_LENGTH);
  let found = known.get(text);
  if (!found) {
    found = { type: chosen(text, types) };
    known.set(text, found);
  }
  return found.type as Type | undefined;
}

/** All our types are in UTF-8, which a range may ask for. */
const IN_UTF_8 = ';charset=utf-8';

function chosen(accept: string, types: readonly string[]): string | undefined {
  const [first] = reading('accept', accept).mediaTypes(types.map((type) => type + IN_UTF_8));
  return first?.slice(0, -IN_UTF_8.length);
}

/** Whether a client would rather have an answer compressed by `gzip` than as it is. */
export function prefersGzip(acceptEncoding: string | null | undefined): boolean {
  if (acceptEncoding == null) return false;
  return reading('accept-encoding', acceptEncoding).encodings(['gzip', 'identity'])[0] === 'gzip';
}

/** The languages that a browser asks for, the most wanted first, without those that it rules out. */
export function acceptedLanguages(acceptLanguage: string | null | undefined): readonly string[] {
  return acceptLanguage == null ? [] : reading('accept-language', acceptLanguage).languages();
}

function reading(name: string, header: string): Negotiator {
  return new Negotiator({ headers: { [name]: header.slice(0, MAX_LENGTH) } });
}
