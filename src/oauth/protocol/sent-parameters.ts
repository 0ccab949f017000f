import { decodeComponent } from '../../core/text.ts';

/**
 * The parameters that a caller sent, by name, in the order of arrival. A Map, because a name may be `__proto__`. A
 * value is undefined when it cannot be used: broken percent-encoding, invalid UTF-8, or a NUL, which no database column
 * holds.
 */
export type SentParameters = ReadonlyMap<string, readonly (string | undefined)[]>;

export interface ParameterMistake {
  readonly parameter: string;
  readonly problem: 'REPEATED' | 'MALFORMED' | 'TOO_LONG';
}

/** More than any request needs, few enough that decoding them costs nothing. */
export const MAX_PARAMETERS = 100;

/** The one parameter that may come more than once (RFC 8707 §2). */
const REPEATABLE = 'resource';

/** Decodes `application/x-www-form-urlencoded` (RFC 6749 Appendix B). Undefined when there are more than MAX_PARAMETERS. */
export function decodeForm(text: string): SentParameters | undefined {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_PARAMETERS) return undefined;
  return gather(pairs.map(decodePair));
}

/** Brings equal names together. A pair without a usable name is an unknown parameter, and those are ignored. */
export function gather(
  pairs: Iterable<readonly [name: string | undefined, value: string | undefined]>,
): SentParameters {
  const sent = new Map<string, (string | undefined)[]>();
  for (const [name, value] of pairs) {
    if (name === undefined) continue;
    const values = sent.get(name);
    if (values) values.push(usable(value));
    else sent.set(name, [usable(value)]);
  }
  return sent;
}

/** The value of a parameter that came once; one without a value counts as omitted (RFC 6749 §3.1). Never the first or last of several. */
export function singleValue(sent: SentParameters, name: string): string | undefined {
  const values = sent.get(name);
  return values?.length === 1 ? values[0] || undefined : undefined;
}

export function allValues(sent: SentParameters, name: string): readonly string[] {
  return (sent.get(name) ?? []).filter((value) => value !== undefined && value !== '') as readonly string[];
}

/**
 * Finds the mistakes in the parameters. A name that came twice is a mistake even when both values are equal, empty or
 * unknown to us (RFC 6749 §3.1); a broken value is one only where it would be read.
 */
export function parameterMistakes(sent: SentParameters, knownNames: readonly string[]): readonly ParameterMistake[] {
  const mistakes: ParameterMistake[] = [];
  for (const [parameter, values] of sent) {
    if (values.length > 1 && parameter !== REPEATABLE) mistakes.push({ parameter, problem: 'REPEATED' });
    else if (values.includes(undefined) && knownNames.includes(parameter))
      mistakes.push({ parameter, problem: 'MALFORMED' });
  }
  return mistakes;
}

function decodePair(pair: string): readonly [string | undefined, string | undefined] {
  const equals = pair.indexOf('=');
  if (equals === -1) return [decodeComponent(pair), ''];
  return [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
}

function usable(value: string | undefined): string | undefined {
  return value === undefined || value.includes('\0') || !value.isWellFormed() ? undefined : value;
}
