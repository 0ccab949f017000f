import { idOf, publicId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { Selection } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import type { LastSeen } from '../../database/updates.ts';
import { type Group, ORGANIZATION } from '../../modules/organizations/group.ts';
import type { GroupProfile } from '../../modules/organizations/group-profile.rules.ts';
import { createOrganization, updateOrganization } from '../../modules/organizations/organization.commands.ts';
import { Organization } from '../../modules/organizations/organization.entity.ts';
import { findOrganizations, listOrganizations } from '../../modules/organizations/organization.queries.ts';
import type { Role } from '../../modules/organizations/role.rules.ts';
import { createTeam, updateTeam } from '../../modules/teams/team.commands.ts';
import { Team } from '../../modules/teams/team.entity.ts';
import { findTeams, listTeams } from '../../modules/teams/team.queries.ts';
import { TEAM } from '../../modules/teams/team-role.ts';

export const TEAMS_PATH = '/settings/teams';

/** A team or an organization as its pages show it, with what the reader may do there. */
export interface ShownGroup extends Pick<GroupProfile, 'name' | 'slug' | 'bio' | 'isPrivate'> {
  readonly id: string;
  readonly updatedAt: string;
  readonly role: Role;
  /** The organization that a team is in. */
  readonly organizationId?: string | null;
}

/** The columns that the forms change. */
type ProfilePatch = Pick<GroupProfile, 'name' | 'slug' | 'bio' | 'isPrivate'> & { readonly ifUpdatedAt: LastSeen };

/** The actions that differ between a team and an organization. */
export interface GroupKind {
  readonly group: Group;
  /** The role that may change its profile. */
  readonly changedBy: Role;
  readonly find: (em: Em, userId: string, id: string) => Promise<ShownGroup | undefined>;
  readonly list: (em: Em, userId: string, request: PageRequest) => Promise<Page<ShownGroup>>;
  readonly create: (em: Em, founderId: string, input: Pick<GroupProfile, 'name' | 'slug'>) => Promise<string>;
  readonly update: (em: Em, place: Acting, patch: ProfilePatch) => Promise<void>;
}

/** Somebody who does something to a team or an organization. */
export interface Acting {
  readonly groupId: string;
  readonly actorId: string;
}

const COLUMNS = ['name', 'slug', 'bio', 'isPrivate', 'updatedAt'];
export const SHOWN_TEAM = new Selection(Team, [...COLUMNS, 'organizationId']);
const SHOWN_ORGANIZATION = new Selection(Organization, COLUMNS);

export const KINDS: Readonly<Record<Group['kind'], GroupKind>> = {
  team: {
    group: TEAM,
    changedBy: 'OWNER',
    find: async (em, userId, id) => (await findTeams(em, userId, [id], SHOWN_TEAM)).get(id),
    list: (em, userId, request) => listTeams(em, userId, request, SHOWN_TEAM),
    create: (em, founderId, input) => createTeam(em, founderId, input),
    update: (em, { groupId: teamId, actorId }, patch) => updateTeam(em, { teamId, actorId }, patch),
  },
  organization: {
    group: ORGANIZATION,
    changedBy: 'ADMIN',
    find: async (em, userId, id) => (await findOrganizations(em, userId, [id], SHOWN_ORGANIZATION)).get(id),
    list: (em, userId, request) => listOrganizations(em, userId, request, SHOWN_ORGANIZATION),
    create: createOrganization,
    update: (em, { groupId: organizationId, actorId }, patch) =>
      updateOrganization(em, { organizationId, actorId }, patch),
  },
};

/** The page of a team or an organization: an id tells which it is. */
export function groupPath({ kind }: Pick<Group, 'kind'>, id: string): string {
  return `${TEAMS_PATH}/${publicId(kind, id)}`;
}

/** Reads the id of a group in an address; undefined for a text that is no id of either kind. */
export function groupNamed(named: string): { readonly kind: GroupKind; readonly groupId: string } | undefined {
  for (const kind of [KINDS.team, KINDS.organization]) {
    const groupId = idOf(kind.group.kind, named);
    if (groupId !== undefined) return { kind, groupId };
  }
  return undefined;
}
