/** Describes the three levels to GraphQL. */
import { entering } from '../../scopes/declare.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { Team } from '../teams/team.graphql.ts';
import { TEAM } from '../teams/team-role.ts';
import type { LevelName } from './reach.ts';

/** The levels, as rows of one table: the door, how its mutations are called, and the group whose administrator acts. */
export const LEVELS = {
  user: { scopeLevel: 'USER', door: Viewer, prefix: '', group: undefined },
  team: { scopeLevel: 'TEAM', door: Team, prefix: 'team', group: TEAM },
  organization: { scopeLevel: 'ORGANIZATION', door: Organization, prefix: 'organization', group: ORGANIZATION },
} as const;

/** The levels that are groups: what is about their members exists at these. */
export type GroupLevel = Exclude<LevelName, 'user'>;

/** The levels at which a resource offers something: each is named by describing what it does there. */
export type Descriptions = Readonly<Partial<Record<LevelName, string>>>;

export function levelsOf(describes: Descriptions): [LevelName, string][] {
  return Object.entries(describes) as [LevelName, string][];
}

/**
 * The requirement of a mutation at a level: one of the scopes that are listed for it, and everything below it at this
 * level.
 */
export function enteringAt(level: LevelName, lists: ScopeLists): Requirement {
  return entering(LEVELS[level].scopeLevel, lists as never);
}
