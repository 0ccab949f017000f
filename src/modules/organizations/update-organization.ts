import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { LATER } from '../../database/expressions.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { isAsSeen, type LastSeen, throwIfChanged } from '../../database/updates/if-unchanged.ts';
import { rethrowForMetadata, withMergedMetadata } from '../../database/updates/merged-keys.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { administersOrganization } from './administers-organization.ts';
import { slugTaken } from './create-organization.ts';
import { groupNotFound, ORGANIZATION, requireRole } from './group.ts';
import { GROUP_PROFILE_CODES, GROUP_PROFILE_FIELDS, type GroupProfile } from './group-profile.rules.ts';
import { Organization } from './organization.entity.ts';

export const UPDATE_ORGANIZATION_CODES = [
  ...GROUP_PROFILE_CODES,
  'SLUG_TAKEN',
  'NOT_FOUND',
  'FORBIDDEN',
  'CONFLICT',
] as const;

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
