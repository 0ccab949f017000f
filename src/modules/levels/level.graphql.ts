/** What the three levels are to GraphQL. */
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { Team } from '../teams/team.graphql.ts';
import { TEAM } from '../teams/team-role.ts';
import { findOwned, type View } from './owned.queries.ts';
import type { LevelName, Reached } from './reach.ts';

/** The levels, as rows of one table: the door, how its mutations are called, and the group whose administrator acts. */
export const LEVELS = {
  user: { scopeLevel: 'USER', door: Viewer, prefix: '', group: undefined },
  team: { scopeLevel: 'TEAM', door: Team, prefix: 'team', group: TEAM },
  organization: { scopeLevel: 'ORGANIZATION', door: Organization, prefix: 'organization', group: ORGANIZATION },
} as const;

/** What a resource offers, at which levels: each names them by describing what it does there. */
export type Descriptions = Readonly<Partial<Record<LevelName, string>>>;

export function levelsOf(describes: Descriptions): [LevelName, string][] {
  return Object.entries(describes) as [LevelName, string][];
}

/** What belongs to the parent itself is seen alike by all who may see the parent. */
export const EVERYBODYS_OWN: View = { reach: [], actorId: '' };

export function viewOf(level: LevelName, reach: readonly Reached[], context: GraphQLContext): View {
  return { reach, group: LEVELS[level].group, actorId: requireUserId(context) };
}

/** The keys of a row of whatever table. */
export interface Row {
  readonly [key: string]: string;
}

/** `findOwned` of a table that the compiler does not know any more. */
export const findRows = findOwned as unknown as (...args: Parameters<typeof findOwned>) => Promise<(Row | undefined)[]>;
