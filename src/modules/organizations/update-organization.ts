import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { changes } from '../../database/changes.ts';
import { rethrowForMetadata, withMergedMetadata } from '../../database/merged-keys.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { administersOrganization } from './administers-organization.ts';
import { slugTaken } from './create-organization.ts';
import { groupNotFound, ORGANIZATION, requireRole } from './group.ts';
import { GROUP_PROFILE_CODES, GROUP_PROFILE_FIELDS, type GroupProfile } from './group-profile.rules.ts';

export const UPDATE_ORGANIZATION_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'] as const;

/** Changes what the patch names, as an administrator. @throws Problem NOT_FOUND, FORBIDDEN, SLUG_TAKEN, and every mistake at once */
export async function updateOrganization(
  em: Em,
  { organizationId, actorId }: { readonly organizationId: string; readonly actorId: string },
  patch: PatchOf<GroupProfile>,
): Promise<void> {
  const values = checkedFields<GroupProfile, PatchOf<GroupProfile>>(patch, GROUP_PROFILE_FIELDS);
  const count = await changed(
    em,
    sql`update organizations o set ${changes(withMergedMetadata(values))}
        where o.id = ${organizationId} and ${administersOrganization(actorId, sql`o.id`)}`,
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'organizations_slug_unique') throw slugTaken(values.slug ?? '', 'organization');
    rethrowForMetadata(error);
  });
  if (count > 0) return;
  await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
  throw groupNotFound(ORGANIZATION, organizationId);
}
