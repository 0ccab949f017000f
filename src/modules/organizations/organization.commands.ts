import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { changed, type Em, LATER, NOW, row, sql } from '../../database/sql.ts';
import { insertInto, updateTable } from '../../database/statements.ts';
import {
  isAsSeen,
  type LastSeen,
  rethrowForMetadata,
  throwIfChanged,
  withMergedMetadata,
} from '../../database/updates.ts';
import { administersOrganization, groupNotFound, ORGANIZATION, requireRole } from './group.ts';
import { GROUP_PROFILE_CODES, GROUP_PROFILE_FIELDS, type GroupProfile } from './group-profile.rules.ts';
import { Organization, OrganizationMembership } from './organization.entity.ts';

export const CREATE_ORGANIZATION_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN'] as const;

export const UPDATE_ORGANIZATION_CODES = [
  ...GROUP_PROFILE_CODES,
  'SLUG_TAKEN',
  'NOT_FOUND',
  'FORBIDDEN',
  'CONFLICT',
] as const;

type OrganizationInput = PatchOf<GroupProfile> & Pick<GroupProfile, 'slug' | 'name'>;

/** Founds an organization, owned by its founder, and returns its id. @throws Problem SLUG_TAKEN, and every mistake at once */
export async function createOrganization(em: Em, founderId: string, input: OrganizationInput): Promise<string> {
  const given = checkedFields<GroupProfile, OrganizationInput>(input, GROUP_PROFILE_FIELDS);
  const { slug, name, bio = null, logoUrl = null, brandColor = null, timeZone = null, weekStart = null } = given;
  const { hidesBranding = false, isPrivate = false, metadata = {} } = given;
  return em.transactional(async (inner) => {
    const id = newId();
    const created = await row(
      inner,
      sql`insert into organizations (id, slug, name, bio, logo_url, brand_color, time_zone, week_start, hides_branding, is_private,
            metadata, created_at, updated_at)
          select ${id}, ${slug}, ${name}, ${bio}, ${logoUrl}, ${brandColor}, coalesce(${timeZone}, u.time_zone),
            coalesce(${weekStart}, u.week_start), ${hidesBranding}, ${isPrivate}, ${JSON.stringify(metadata)}::jsonb,
            now(), now()
          from users u where u.id = ${founderId}
          on conflict (slug) do nothing returning id`,
    );
    if (!created) throw slugTaken(slug, 'organization');
    await changed(inner, insertInto(OrganizationMembership).values({ ...ownedBy(founderId), organizationId: id }));
    return id;
  });
}

/** The membership of a group's founder, whatever the group is. */
export function ownedBy(userId: string) {
  return { id: newId(), userId, role: 'OWNER', accepted: true, createdAt: NOW } as const;
}

export function slugTaken(slug: string, noun: string): Problem {
  return new Problem('SLUG_TAKEN', `The slug "${slug}" is taken by another ${noun}; choose another.`, ['slug']);
}

/** Changes what the patch names, as an administrator. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_TAKEN, and every mistake at once */
export async function updateOrganization(
  em: Em,
  { organizationId, actorId }: { readonly organizationId: string; readonly actorId: string },
  { ifUpdatedAt, ...patch }: PatchOf<GroupProfile> & { readonly ifUpdatedAt?: LastSeen },
): Promise<void> {
  const values = checkedFields<GroupProfile, PatchOf<GroupProfile>>(patch, GROUP_PROFILE_FIELDS);
  const count = await changed(
    em,
    updateTable(Organization, { id: organizationId })
      .set({ ...withMergedMetadata(values), updatedAt: LATER })
      .where(administersOrganization(actorId, sql`item.id`))
      .where(isAsSeen(ifUpdatedAt)),
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'organizations_slug_unique') throw slugTaken(values.slug ?? '', 'organization');
    rethrowForMetadata(error);
  });
  if (count > 0) return;
  await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
  await throwIfChanged(em, Organization, { id: organizationId }, ifUpdatedAt);
  throw groupNotFound(ORGANIZATION, organizationId);
}
