/** Builds a store of things that groups have (`levels/store.graphql.ts`), whatever the things are. */
import { ID_TAGS, idOf, type OwnedId, type PlainKind, publicId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import type { Em, RawBuilder } from '../../database/sql.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { pagesBelow } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { OTHER_KINDS } from '../../graphql/id-arguments.ts';
import { type GroupLevel, LEVELS } from '../levels/level.graphql.ts';
import { administers, type LevelName } from '../levels/reach.ts';
import type { Row, Store, Whose } from '../levels/store.graphql.ts';
import type { Group } from '../organizations/group.ts';
import type { GroupAdministrator } from '../organizations/standing.ts';
import type { WantedOfGroup } from './membership.queries.ts';

/** The group whose thing is made or changed, and the actor. */
export interface OfGroup extends Whose, GroupAdministrator {}

interface GroupTable<Shape> {
  readonly kind: PlainKind;
  /** As a sentence names one. */
  readonly noun: string;
  readonly pages: (
    em: Em,
    group: Group,
    groupIds: readonly string[],
    request: PageRequest,
  ) => Promise<Map<string, Page<Shape>>>;
  /** Under a condition over the group's rights, where that has to be decided by the same statement. */
  readonly find: (
    em: Em,
    group: Group,
    wanted: readonly WantedOfGroup[],
    condition?: RawBuilder<boolean>,
  ) => Promise<(Shape | undefined)[]>;
}

/** How they are read: by their ids, and in the order of these. Whether the caller may see them is decided before. */
export function groupReads<Shape extends { readonly id: string }>({ kind, noun, pages, find }: GroupTable<Shape>) {
  const loaderAt = (level: LevelName) => {
    const { group } = LEVELS[groupLevel(level)];
    return batchedEach(
      ({ em }, wanted: readonly WantedOfGroup[], _args: undefined) =>
        find(em, group, wanted) as unknown as Promise<(Row | undefined)[]>,
    );
  };
  return {
    idInWords: `The id of ${noun}, which begins with \`${ID_TAGS[kind]}_\`. ${OTHER_KINDS}`,
    idOf(named, groupId) {
      const id = idOf(kind, named);
      return id === undefined ? undefined : { ownerId: groupId, id };
    },
    publicId: ({ id }) => publicId(kind, id),

    pagesAt(level) {
      const { group } = LEVELS[groupLevel(level)];
      const order = { columns: ['UUID' as const], keyOf: ({ id }: Shape) => [id] };
      const load = pagesBelow(order, ({ em }, ids, request) => pages(em, group, ids, request));
      return (context, groupId, page) => load(context, groupId, page, undefined) as never;
    },
    lookUpsAt(level) {
      const load = loaderAt(level);
      return (context, groupId, { id }) => load(context, { groupId, id }, undefined);
    },
    // The caller is shown the thing that they have just changed, whatever their role has become.
    readAgainAt(level) {
      const load = loaderAt(level);
      return (context, { ownerId: groupId, id }) => load(context, { groupId, id }, undefined);
    },
    async readInCharge({ em }: GraphQLContext, owner: OfGroup, { id }: OwnedId) {
      const found = find(em, owner.group, [{ groupId: owner.groupId, id }], administers(owner));
      const [row] = (await found) as unknown as Row[];
      return row;
    },
    selected: () => undefined,
    ownerFields: () => ({}),
  } satisfies Partial<Store<OfGroup>>;
}

export function groupLevel(level: LevelName): GroupLevel {
  if (level === 'user') throw new Error('What groups have is of teams and organizations.');
  return level;
}
