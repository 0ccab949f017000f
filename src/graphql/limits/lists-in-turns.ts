import { inChunks } from '../../core/turns.ts';
import { OneOfMany } from '../one-of-many.ts';

/** A list this short is shown in one go, unless its turn is over already. */
const AT_ONCE = 100;

/** The items of a list for the executor: those beyond the first hundred, and all once a turn has had its time, come later. */
export function listInTurns(list: unknown): unknown {
  if (list instanceof Promise || list instanceof OneOfMany) return list.then(listInTurns);
  return Array.isArray(list) ? inChunks(list, AT_ONCE) : list;
}
