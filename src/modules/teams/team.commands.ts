import { TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import { checkedFields, type FieldRule, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { newTeamId } from '../../core/id.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { changed, type Em, LATER, type RawBuilder, row, sql } from '../../database/sql.ts';
import { insertInto, selectFrom, updateTable } from '../../database/statements.ts';
import {
  isAsSeen,
  type LastSeen,
  rethrowForMetadata,
  throwIfChanged,
  withMergedMetadata,
} from '../../database/updates.ts';
import {
  administersOrganization,
  groupNotFound,
  lockGroup,
  ORGANIZATION,
  requireRole,
  sufficient,
} from '../organizations/group.ts';
import {
  GROUP_PROFILE_CODES,
  GROUP_PROFILE_FIELDS,
  type GroupProfile,
  type InheritableField,
} from '../organizations/group-profile.rules.ts';
import { ownedBy, slugTaken } from '../organizations/organization.commands.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { Team, TeamMembership } from './team.entity.ts';
import { TEAM, teamRole } from './team-role.ts';

export const CREATE_STAND_ALONE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN'] as const;

export const CREATE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'] as const;

export const UPDATE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const;

/** A team that somebody wants to change. */
export interface TeamTarget {
  readonly teamId: string;
  readonly actorId: string;
  /** The organization that they name: it has to be the team's. */
  readonly organizationId?: string | undefined;
  /** Whether they act as an administrator of that organization; otherwise, as an owner of the team. */
  readonly as?: 'ADMINISTRATOR' | undefined;
}

/**
 * The profile of a team. Null in a field that can be inherited: it is. An empty logo or colour: none, whatever it could
 * inherit.
 */
type TeamProfile = Omit<GroupProfile, InheritableField> & {
  readonly [Name in InheritableField]: GroupProfile[Name] | null;
};

const TEAM_FIELDS: FieldRules<TeamProfile> = {
  ...GROUP_PROFILE_FIELDS,
  logoUrl: orNone(GROUP_PROFILE_FIELDS.logoUrl),
  brandColor: orNone(GROUP_PROFILE_FIELDS.brandColor),
  timeZone: { ...TIME_ZONE_FIELD, nullable: true },
  weekStart: { nullable: true },
  hideBranding: { nullable: true },
};

type TeamInput = PatchOf<TeamProfile> & Pick<TeamProfile, 'slug' | 'name'>;

/**
 * Founds a team, owned by its founder, and returns its id: stand-alone, with the founder's time zone and week unless the
 * input says others, or in an organization by its administrator.
 * @throws Problem NOT_FOUND or FORBIDDEN for the organization; SLUG_TAKEN; every mistake of the input at once
 */
export async function createTeam(
  em: Em,
  founderId: string,
  input: TeamInput,
  organizationId: string | null = null,
): Promise<string> {
  const given = checkedFields<TeamProfile, TeamInput>(input, TEAM_FIELDS);
  const { slug, name, bio = null, logoUrl = null, brandColor = null, timeZone = null, weekStart = null } = given;
  const { hideBranding = null, isPrivate = false, metadata = {} } = given;
  const isAlone = organizationId === null;
  return em.transactional(async (inner) => {
    if (organizationId !== null) {
      // Under the lock: an administrator who is demoted at this moment is seen either before or after.
      await lockGroup(inner, ORGANIZATION, organizationId);
      await requireRole(inner, ORGANIZATION, organizationId, founderId, 'ADMIN');
    }
    const id = newTeamId();
    const created = await row(
      inner,
      sql`insert into teams (id, organization_id, slug, name, bio, logo_url, brand_color, time_zone, week_start,
            hide_branding, is_private, metadata, created_at, updated_at)
          select ${id}, ${organizationId}, ${slug}, ${name}, ${bio}, ${logoUrl}, ${brandColor},
            coalesce(${timeZone}, case when ${isAlone}::boolean then u.time_zone end),
            coalesce(${weekStart}, case when ${isAlone}::boolean then u.week_start end),
            ${hideBranding}, ${isPrivate}, ${JSON.stringify(metadata)}::jsonb, now(), now()
          from users u where u.id = ${founderId}
          on conflict do nothing returning id`,
    );
    if (!created) throw slugTaken(slug, 'team');
    await changed(
      inner,
      insertInto(TeamMembership).values({
        ...ownedBy(founderId),
        teamId: id,
        organizationMembershipId: membershipOf(organizationId, founderId),
      }),
    );
    return id;
  });
}

const SLUG_CONSTRAINTS: readonly unknown[] = ['teams_slug_key', 'teams_organization_id_slug_key'];

type TeamPatch = PatchOf<TeamProfile> & { readonly ifUpdatedAt?: LastSeen };

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_TAKEN, and every mistake of the patch at once */
export async function updateTeam(em: Em, target: TeamTarget, { ifUpdatedAt, ...patch }: TeamPatch): Promise<void> {
  const values = checkedFields<TeamProfile, PatchOf<TeamProfile>>(patch, TEAM_FIELDS);
  const count = await changed(
    em,
    updateTable(Team)
      .set({ ...withMergedMetadata(values), updatedAt: LATER })
      .where(isTeamInCharge(target))
      .where(isAsSeen(ifUpdatedAt)),
  ).catch((error: unknown) => {
    if (SLUG_CONSTRAINTS.includes(violatedConstraint(error))) throw slugTaken(values.slug ?? '', 'team');
    rethrowForMetadata(error);
  });
  if (count === 0) await refuseTeamUpdate(em, target, ifUpdatedAt);
}

/** SQL: whether `item` is that team, and the actor in charge of it. */
export function isTeamInCharge(target: TeamTarget): RawBuilder<boolean> {
  const { actorId, as } = target;
  const isInCharge =
    as === 'ADMINISTRATOR'
      ? administersOrganization(actorId, sql`item.organization_id`)
      : sql<boolean>`${teamRole(actorId, 'item')} = any(${rolesFrom('OWNER')}::text[])`;
  return sql`${isNamed(target)} and ${isInCharge}`;
}

/** Why no team was changed. Only looked up afterwards: the statement itself has decided. */
export async function refuseTeam(em: Em, target: TeamTarget): Promise<never> {
  await requireTeamInCharge(em, target);
  throw groupNotFound(TEAM, target.teamId);
}

function orNone({ check, ...rule }: FieldRule<string | null>): FieldRule<string | null> {
  return { ...rule, check: (path, text) => (text === '' ? [] : check?.(path, text)) };
}

/** SQL: by which a team's founder is a member of its organization; null for a stand-alone team. */
function membershipOf(organizationId: string | null, userId: string) {
  if (organizationId === null) return null;
  return selectFrom(OrganizationMembership, { organizationId, userId }).select('id');
}

function isNamed({ teamId, organizationId }: TeamTarget): RawBuilder<boolean> {
  const isThere = organizationId === undefined ? sql`true` : sql`item.organization_id = ${organizationId}`;
  return sql`item.id = ${teamId} and ${isThere}`;
}

/** The same for an update that names what it has seen. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT */
async function refuseTeamUpdate(em: Em, target: TeamTarget, lastSeen: LastSeen): Promise<never> {
  await requireTeamInCharge(em, target);
  const { teamId: id, organizationId } = target;
  await throwIfChanged(em, Team, organizationId === undefined ? { id } : { id, organizationId }, lastSeen);
  throw groupNotFound(TEAM, id);
}

async function requireTeamInCharge(em: Em, target: TeamTarget): Promise<void> {
  const { teamId, actorId, organizationId, as } = target;
  if (as === 'ADMINISTRATOR' && organizationId !== undefined) {
    await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
    return;
  }
  // A team of another organization is not found, whatever the actor's role in it is.
  const found = await row(
    em,
    selectFrom(Team)
      .where(isNamed(target))
      .select(TEAM.standing(sql`item.id`, sql`${actorId}`).as('standing')),
  );
  sufficient(TEAM, teamId, found?.standing ?? undefined, 'OWNER');
}
