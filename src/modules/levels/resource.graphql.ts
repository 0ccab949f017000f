import type { InputFieldMap } from '@pothos/core';
import { ID_TAGS, ownedIdOf } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Entity } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { batchedEach, batchedEachForAll } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow, pagesForAll } from '../../graphql/connection.ts';
import type { RowRef } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { isAtLeast, type Role } from '../organizations/role.rules.ts';
import { type Descriptions, EVERYBODYS_OWN, findRows, LEVELS, levelsOf, type Row, viewOf } from './level.graphql.ts';
import { keyOf, type LookUp, type OwnedTable, ownedPages } from './owned.queries.ts';
import { type Belonging, type LevelName, REACH } from './reach.ts';
import { type Create, type Delete, declareMutations, type Options, type Update } from './resource-mutations.graphql.ts';

interface Listing {
  readonly name: string;
  readonly describes: Descriptions;
}

export interface ResourceOptions<E extends Entity, New extends InputFieldMap, Patch extends InputFieldMap> {
  readonly type: RowRef<E>;
  /** Its table. The kind of its ids is its name in the schema too: `scheduleCreate`, `scheduleId`, the payload's `schedule`. */
  readonly owned: OwnedTable<E>;
  readonly belongsTo: Belonging;
  /** What its fields require at each level. */
  readonly reads: ScopeLists;
  readonly writes: ScopeLists;
  readonly list?: Listing;
  readonly lookUp?: Listing;
  readonly create?: Create<New>;
  readonly update?: Update<Patch>;
  readonly delete?: Delete;
}

/** Declares what a resource offers at each level: its list, its look-up, and the mutations that make, change and delete it. */
export function resource<
  E extends Entity,
  New extends InputFieldMap = InputFieldMap,
  Patch extends InputFieldMap = InputFieldMap,
>(options: ResourceOptions<E, New, Patch>): void {
  const untyped = options as unknown as Options & Pick<typeof options, 'list' | 'lookUp'>;
  if (untyped.list) declareList(untyped, untyped.list);
  if (untyped.lookUp) declareLookUp(untyped, untyped.lookUp);
  declareMutations(untyped);
}

/** What a list or a look-up hangs on: the caller, or a team or an organization with the caller's role in it. */
interface Parent {
  readonly id: string;
  readonly role?: Role;
}

/** Of whichever rows the resource has. */
type Pages = Promise<Map<string, Page<Row>>>;

function declareList(options: Options, { name, describes }: Listing): void {
  const { type, owned, belongsTo } = options;
  const Connection = connectionOf(type);
  for (const [level, description] of levelsOf(describes)) {
    const reach = REACH[level][belongsTo];
    const key = keyOf(owned, reach);
    const order = { columns: key.map(() => 'UUID' as const), keyOf: (row: Row) => key.map((name) => row[name] ?? '') };
    const load =
      reach.length === 0
        ? pagesForAll(
            order,
            (em, ids, request, selection: Selection) =>
              ownedPages(em, owned, EVERYBODYS_OWN, ids, request, selection) as unknown as Pages,
          )
        : pagesBelow(
            order,
            (context, ids, request, selection: Selection) =>
              ownedPages(context.em, owned, viewOf(level, reach, context), ids, request, selection) as unknown as Pages,
          );
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type: Connection,
        nullable: true,
        description,
        requires: requiredAt(level, options.reads),
        args: pageArguments(),
        resolve: (parent, page, context, info) =>
          mayList(parent) ? load(context, parent.id, page, selectionOf(info, owned.entity)) : undefined,
      }),
    );
  }
}

function declareLookUp(options: Options, { name, describes }: Listing): void {
  const { type, owned, belongsTo } = options;
  for (const [level, description] of levelsOf(describes)) {
    const reach = REACH[level][belongsTo];
    const load =
      reach.length === 0
        ? batchedEachForAll((em, lookUps: readonly LookUp[], selection: Selection) =>
            findRows(em, owned, EVERYBODYS_OWN, lookUps, selection),
          )
        : batchedEach((context, lookUps: readonly LookUp[], selection: Selection) =>
            findRows(context.em, owned, viewOf(level, reach, context), lookUps, selection),
          );
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type,
        nullable: true,
        description,
        requires: requiredAt(level, options.reads),
        args: {
          id: t.arg.id({ required: true, description: `Its id, which begins with \`${ID_TAGS[owned.kind]}_\`.` }),
        },
        resolve: (parent, args, context, info) => {
          const named = ownedIdOf(owned.kind, args.id);
          if (!named || !mayList(parent)) return undefined;
          const { ownerId, id } = named;
          return load(context, { parentId: parent.id, ownerId, id }, selectionOf(info, owned.entity));
        },
      }),
    );
  }
}

/** `me` shows the caller what is theirs; a team and an organization show it to those who administer them. */
function mayList({ role }: Parent): boolean {
  return role === undefined || isAtLeast(role, 'ADMIN');
}

/** A team is reached by itself and in the list of its organization, and judged there by the organization's scopes. */
function requiredAt(level: LevelName, { user, team, organization }: ScopeLists): Requirement {
  if (level === 'user') return { ...(user && { user }) };
  return { ...(level === 'team' && team && { team }), ...(organization && { organization }) };
}
