/**
 * Ids in the arguments of queries: of one thing, or of several in one field, which are Relay's plural identifying fields below
 * whatever has the list. The text alone decides what is an error: an id of the right kind that is not there, or not for the
 * caller, is answered by null whichever it is.
 */
import {
  ID_TAGS,
  type IdKind,
  idOf,
  kindInWords,
  kindTagged,
  type OwnedId,
  type OwnedKind,
  ownedIdOf,
  type PlainKind,
} from '../core/id.ts';
import { Problem } from '../core/problem.ts';
import { type Path, shownStart } from '../core/text.ts';
import { builder } from './builder.ts';
import type { Price } from './limits/price.ts';

/** For descriptions of such arguments. */
export const OTHER_KINDS = 'The id of another kind of thing is `BAD_INPUT`.';

/** Describes an argument that names one of these. */
export function idInWords(kind: IdKind): string {
  return `Its id, which begins with \`${ID_TAGS[kind]}_\`. ${OTHER_KINDS}`;
}

/** The UUID of what an argument names; undefined for a text that is no id. @throws Problem BAD_INPUT for one of another kind */
export function idArgument(kind: PlainKind, text: string, path: Path): string | undefined {
  return idOf(kind, text) ?? refuseOtherKind([kind], text, path);
}

/** The same of what belongs to somebody. @throws Problem BAD_INPUT */
export function ownedIdArgument(kind: OwnedKind, text: string, path: Path): OwnedId | undefined {
  return ownedIdOf(kind, text) ?? refuseOtherKind([kind], text, path);
}

/** @throws Problem BAD_INPUT for the id of a thing that is of none of these kinds; what is no id at all passes */
export function refuseOtherKind(kinds: readonly IdKind[], text: string, path: Path): undefined {
  const found = kindTagged(text);
  if (found === undefined || kinds.includes(found)) return undefined;
  const taken = kinds.map((kind) => `${ID_TAGS[kind]}_ (${kindInWords(kind)})`).join(' or ');
  const what = `${placeOf(path)} is ${shownStart(text)}, the id of another kind of thing (${kindInWords(found)})`;
  throw new Problem('BAD_INPUT', `${what}; give one that begins with ${taken}.`, path);
}

/** `filter.eventTypeIds[0]` */
function placeOf(path: Path): string {
  return path.reduce((place, step) => (/^\d+$/.test(step) ? `${place}[${step}]` : `${place}.${step}`));
}

/** As many as a page can have. */
export const MAX_IDS = 100;

/** Such a field is as long as its argument. */
export const BY_IDS: Price = { max: MAX_IDS, sizedBy: 'ids' };

/** A list that has null in the place of what is not there. */
export const WITH_NULLS = { list: true, items: true } as const;

/** `ids`, of things of one kind. */
export function idsArgument(kind: IdKind) {
  return builder.args((t) => ({
    ids: t.idList({
      required: true,
      description: `At most ${MAX_IDS} ids, each beginning with \`${ID_TAGS[kind]}_\`. A repeated id is answered again. ${OTHER_KINDS}`,
    }),
  }));
}

/** Describes a look-up that shows what `list` would, in the words of the schema. */
export function describedById(list: string): string {
  return `The entry of \`${list}\` with this id. Null if the list does not have it.`;
}

/** Describes a look-up that shows each of these as `list` would, in the words of the schema. */
export function describedByIds(list: string): string {
  return `The entries of \`${list}\` with these ids, in the order you give them. Null for each id that the list does not have.`;
}

/**
 * Calls `find` for each id, and returns the results in their order.
 * @throws Problem BAD_INPUT for too many, and for one of another kind of thing
 */
export async function eachById<Value>(
  kind: IdKind,
  ids: readonly string[],
  find: (id: string) => Promise<Value | undefined> | undefined,
): Promise<(Value | undefined)[]> {
  requireFewIds(ids);
  // Before any is looked up.
  for (const [index, id] of ids.entries()) refuseOtherKind([kind], id, ['ids', String(index)]);
  return Promise.all(ids.map(async (id) => find(id)));
}

/** @throws Problem BAD_INPUT */
export function requireFewIds(ids: readonly string[]): void {
  if (ids.length <= MAX_IDS) return;
  throw new Problem('BAD_INPUT', `ids has ${ids.length} ids; give at most ${MAX_IDS} at a time.`, ['ids']);
}
