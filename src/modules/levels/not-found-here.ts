import { type OwnedId, type OwnedKind, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';

/** The same answer for what is not there, for somebody else's, and for a text that is no such id. */
export function notFoundHere(noun: OwnedKind, named: OwnedId | string): Problem {
  const id = typeof named === 'string' ? named : publicOwnedId(noun, named);
  const words = noun.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return new Problem('NOT_FOUND', `There is no ${words} ${shown(id)} here.`, [`${noun}Id`]);
}
