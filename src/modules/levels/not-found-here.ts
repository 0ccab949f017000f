import {
  kindInWords,
  type OwnedId,
  type OwnedKind,
  ownedIdOf,
  publicOwnedId,
  wrongKindInWords,
} from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';

/** Gives the same answer for a missing thing, for somebody else's, and for a text that is no such id. */
export function notFoundHere(noun: OwnedKind, named: OwnedId | string): Problem {
  const id = typeof named === 'string' ? named : publicOwnedId(noun, named);
  const message = `There is no ${kindInWords(noun)} ${shown(id)} here.${wrongKindInWords(noun, id)}`;
  return new Problem('NOT_FOUND', message, [`${noun}Id`]);
}

/**
 * The id of what a caller names, which must be this owner's: what is not is not there, and no statement has to be sent to
 * see that. @throws Problem NOT_FOUND
 */
export function requireOwnId(noun: OwnedKind, named: string, owner: string): string {
  const found = ownedIdOf(noun, named);
  if (found?.ownerId !== owner) throw notFoundHere(noun, named);
  return found.id;
}
