import type { Mistake } from './problem.ts';
import { nameOf, type Path, shown } from './text.ts';

// E.164: a country code that does not begin with 0, and at most 15 digits in all.
const PHONE = /^\+[1-9]\d{6,14}$/;

/** The number as it is dialled: without the spaces, hyphens, dots and brackets that people write into it. */
export function tidyPhone(text: string): string {
  return text.length > 60 ? text : text.replace(/[\s().-]/g, '');
}

/** What is wrong with a (tidied) phone number; the code is INVALID_PHONE. */
export function phoneMistake(path: Path, phone: string): Mistake | undefined {
  if (PHONE.test(phone)) return undefined;
  const message = `The ${nameOf(path)} ${shown(phone)} is not an international phone number; write it as +4930123456.`;
  return { code: 'INVALID_PHONE', message, path };
}
