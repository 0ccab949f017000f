import { ID_TAGS, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Entity } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { batchedEach, batchedEachForAll } from '../../graphql/batch.ts';
import { pagesBelow, pagesForAll } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { OTHER_KINDS } from '../../graphql/id-arguments.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { LEVELS } from './level.graphql.ts';
import {
  EVERYBODYS_OWN,
  findOwned,
  keyOf,
  type LookUp,
  type OwnedTable,
  ownedPages,
  type View,
} from './owned.queries.ts';
import { namedOwner, newOwner, newOwnerFields } from './owner-of-input.graphql.ts';
import { type Belonging, type LevelName, type Owner, REACH, type Reached } from './reach.ts';
import type { Row, Store } from './store.graphql.ts';

/** `findOwned` of a table that the compiler does not know any more. */
const findRows = findOwned as unknown as (...args: Parameters<typeof findOwned>) => Promise<(Row | undefined)[]>;

/** A table of what belongs to somebody, at the levels at which its owners are reached. */
export function ownedStore(owned: OwnedTable<Entity>, belongsTo: Belonging): Store<Owner> {
  const { kind, entity } = owned;
  return {
    kind,
    idInWords: `Its id, which begins with \`${ID_TAGS[kind]}_\`. ${OTHER_KINDS}`,
    idOf: (named) => ownedIdOf(kind, named),
    publicId: (id) => publicOwnedId(kind, id),

    pagesAt(level) {
      const load = pagesOf(owned, level, REACH[level][belongsTo]);
      return (context, parentId, page, info) => load(context, parentId, page, selectionOf(info, entity));
    },
    lookUpsAt(level) {
      const load = lookUpsOf(owned, level, REACH[level][belongsTo]);
      return (context, parentId, { ownerId, id }, info) =>
        load(context, { parentId, ownerId, id }, selectionOf(info, entity));
    },
    readAgainAt: () => async (context, id, info) => {
      const lookUp = { parentId: id.ownerId, ...id };
      const [found] = await findRows(context.em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, entity));
      return found;
    },
    async readInCharge({ em }, { ownerId, isInCharge }, id, info) {
      const lookUp = { parentId: ownerId, ...id };
      const [found] = await findRows(em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, entity), isInCharge);
      return found;
    },
    selected: (info) => selectionOf(info, entity),

    ownerFields: (t, level) => newOwnerFields(t, level, belongsTo),
    newOwner: (level, input, context) => newOwner(level, belongsTo, input, context),
    namedOwner: (level, input, context) => namedOwner(level, { kind, belongsTo }, input, context),
  };
}

/** Pages by parent, of any resource's rows. */
type Pages = Promise<Map<string, Page<Row>>>;

function pagesOf(owned: OwnedTable<Entity>, level: LevelName, reach: readonly Reached[]) {
  const key = keyOf(owned, reach);
  const order = { columns: key.map(() => 'UUID' as const), keyOf: (row: Row) => key.map((name) => row[name] ?? '') };
  if (reach.length === 0) {
    return pagesForAll(
      order,
      (em, ids, request, selection: Selection) =>
        ownedPages(em, owned, EVERYBODYS_OWN, ids, request, selection) as unknown as Pages,
    );
  }
  return pagesBelow(
    order,
    (context, ids, request, selection: Selection) =>
      ownedPages(context.em, owned, viewOf(level, reach, context), ids, request, selection) as unknown as Pages,
  );
}

function lookUpsOf(owned: OwnedTable<Entity>, level: LevelName, reach: readonly Reached[]) {
  if (reach.length === 0) {
    return batchedEachForAll((em, lookUps: readonly LookUp[], selection: Selection) =>
      findRows(em, owned, EVERYBODYS_OWN, lookUps, selection),
    );
  }
  return batchedEach((context, lookUps: readonly LookUp[], selection: Selection) =>
    findRows(context.em, owned, viewOf(level, reach, context), lookUps, selection),
  );
}

function viewOf(level: LevelName, reach: readonly Reached[], context: GraphQLContext): View {
  return { reach, group: LEVELS[level].group, actorId: requireUserId(context) };
}
