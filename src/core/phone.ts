import { parsePhoneNumber } from 'awesome-phonenumber';
import type { Mistake } from './problem.ts';
import { nameOf, type Path, shown } from './text.ts';

/** No number that anybody writes is longer. */
const MAX_LENGTH = 60;

/**
 * The number as it is dialled from anywhere (E.164), such as `+49301234567` for `+49 (0)30 1234567`: signs for people,
 * and digits that are dialled only within the country, are no part of it. A text that is no such number stays as it is.
 */
export function tidyPhone(text: string): string {
  return read(text).number ?? text;
}

/** Checks a (tidied) phone number; the code is INVALID_PHONE. */
export function phoneMistake(path: Path, phone: string): Mistake | undefined {
  const { number, problem = 'is not written in digits alone' } = read(phone);
  if (number === phone) return undefined;
  const message = `The ${nameOf(path)} ${shown(phone)} ${problem}; write it as +4930123456.`;
  return { code: 'INVALID_PHONE', message, path };
}

interface PhoneRead {
  readonly number?: string;
  /** Why there is none, as the end of a sentence. */
  readonly problem?: string;
}

function read(text: string): PhoneRead {
  if (text.length > MAX_LENGTH) return { problem: `has more than ${MAX_LENGTH} characters` };
  const { number, possibility } = parsePhoneNumber(text);
  // Lengths are compared with those of its country, and not its first digits: those that countries hand out change.
  if (possibility !== 'is-possible' || !number) return { problem: PROBLEMS[possibility] ?? NO_PHONE };
  // It would be left out where the number is dialled, and somebody else reached.
  if (number.rfc3966.includes(';ext=')) return { problem: 'has an extension, which messages cannot be sent to' };
  return { number: number.e164 };
}

const NO_PHONE = 'is not an international phone number';
const PROBLEMS: Readonly<Record<string, string | undefined>> = {
  'invalid-country-code': 'does not begin with + and the code of a country',
  'too-short': 'has too few digits for its country',
  'too-long': 'has too many digits for its country',
};
