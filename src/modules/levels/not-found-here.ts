import type { IdKind } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';

/** The same answer for what is not there and for somebody else's. */
export function notFoundHere(noun: IdKind, id: string): Problem {
  const words = noun.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return new Problem('NOT_FOUND', `There is no ${words} ${shown(id)} here.`, [`${noun}Id`]);
}
