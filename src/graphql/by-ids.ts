/** Look-ups of several things by their ids in one field: Relay's plural identifying fields, below whatever has the list. */
import { ID_TAGS, type IdKind } from '../core/id.ts';
import { Problem } from '../core/problem.ts';
import { builder } from './builder.ts';
import type { Price } from './limits/price.ts';

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
      description: `Their ids, each of which begins with \`${ID_TAGS[kind]}_\`: at most ${MAX_IDS}. One that is given twice is answered twice.`,
    }),
  }));
}

/** What `list` would show of each of these, in the words of the schema. */
export function describedByIds(list: string): string {
  return `Those of \`${list}\` that have these ids, in the order of the ids; null in the place of each that is not among them.`;
}

/** What `find` gives for each id, in their order. @throws Problem BAD_INPUT */
export async function eachById<Value>(
  ids: readonly string[],
  find: (id: string) => Promise<Value | undefined> | undefined,
): Promise<(Value | undefined)[]> {
  requireFewIds(ids);
  return Promise.all(ids.map(async (id) => find(id)));
}

/** @throws Problem BAD_INPUT */
export function requireFewIds(ids: readonly string[]): void {
  if (ids.length <= MAX_IDS) return;
  throw new Problem('BAD_INPUT', `ids has ${ids.length} ids; give at most ${MAX_IDS} at a time.`, ['ids']);
}
