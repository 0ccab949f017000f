import { checkedFields, checkFields, type PatchOf } from '../../core/fields.ts';
import { newTeamId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
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
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
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

/** An organization has this many at most. */
export const MAX_TEAMS = 10_000;
const KEPT: KeptRows = { what: 'teams in this organization', most: MAX_TEAMS };

export const UPDATE_TEAM_CODES = [
  ...GROUP_PROFILE_CODES,
  'CONTRADICTION',
  'SLUG_TAKEN',
  'NOT_FOUND',
  'FORBIDDEN',
  'CONFLICT',
] as const;

/** A team that somebody wants to change. */
export interface TeamTarget {
  readonly teamId: string;
  readonly actorId: string;
  /** The organization that they name: it has to be the team's. */
  readonly organizationId?: string | undefined;
  /** Whether they act as an administrator of that organization; otherwise, as an owner of the team. */
  readonly as?: 'ADMINISTRATOR' | undefined;
}

type TeamInput = PatchOf<GroupProfile> & Pick<GroupProfile, 'slug' | 'name'>;

/**
 * Founds a team, owned by its founder, and returns its id: stand-alone, with the founder's time zone and week unless the
 * input says others, or in an organization by its administrator.
 * @throws Problem NOT_FOUND or FORBIDDEN for the organization; SLUG_TAKEN; TOO_MANY; every mistake of the input at once
 */
export async function createTeam(
  em: Em,
  founderId: string,
  input: TeamInput,
  organizationId: string | null = null,
): Promise<string> {
  const given = stored(checkedFields<GroupProfile, TeamInput>(input, GROUP_PROFILE_FIELDS));
  const { slug, name, bio = null, logoUrl = null, brandColor = null, timeZone = null, weekStart = null } = given;
  const { hidesBranding = null, isPrivate = false, metadata = {} } = given;
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
            hides_branding, is_private, metadata, created_at, updated_at)
          select ${id}, ${organizationId}, ${slug}, ${name}, ${bio}, ${logoUrl}, ${brandColor},
            coalesce(${timeZone}, case when ${isAlone}::boolean then u.time_zone end),
            coalesce(${weekStart}, case when ${isAlone}::boolean then u.week_start end),
            ${hidesBranding}, ${isPrivate}, ${JSON.stringify(metadata)}::jsonb, now(), now()
          from users u
          where u.id = ${founderId} and (${isAlone}::boolean or ${hasRoom(KEPT, sql`teams where organization_id = ${organizationId}`)})
          on conflict do nothing returning id`,
    );
    if (!created) {
      const isTaken = isAlone || (await row(inner, selectFrom(Team, { organizationId, slug }).select('id')));
      throw isTaken ? slugTaken(slug, 'team') : tooManyKept(KEPT);
    }
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

type TeamPatch = PatchOf<GroupProfile> & {
  readonly ifUpdatedAt?: LastSeen;
  /** The fields that get the organization's values again. */
  readonly inherit?: readonly InheritableField[] | undefined;
};

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_TAKEN, and every mistake of the patch at once */
export async function updateTeam(
  em: Em,
  target: TeamTarget,
  { ifUpdatedAt, inherit, ...patch }: TeamPatch,
): Promise<void> {
  const values = checkedPatch(patch, inherit ?? []);
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

/** @throws Problem with every mistake of the patch at once: CONTRADICTION for a field that is to be inherited and has a value too */
function checkedPatch(patch: PatchOf<GroupProfile>, inherit: readonly InheritableField[]) {
  const { values, mistakes } = checkFields<GroupProfile, PatchOf<GroupProfile>>(patch, GROUP_PROFILE_FIELDS);
  const both = inherit.filter((name) => patch[name] !== undefined);
  Problem.throwIfAny([
    ...mistakes,
    ...both.map((name) => ({
      code: 'CONTRADICTION' as const,
      message: `${name} has a value and is to be inherited; send only one of them.`,
      path: ['inherit'],
    })),
  ]);
  return { ...stored(values), ...Object.fromEntries(inherit.map((name) => [name, null])) };
}

/** Null in a column says that the team inherits the field, so a team that wants no logo or color has an empty text there. */
function stored<Values extends Partial<Pick<GroupProfile, 'logoUrl' | 'brandColor'>>>(values: Values): Values {
  const { logoUrl, brandColor } = values;
  return { ...values, ...(logoUrl === null && { logoUrl: '' }), ...(brandColor === null && { brandColor: '' }) };
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
