import type { RowOf } from '../../../database/columns.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, sql } from '../../../database/sql.ts';
import { hasVerifiedEmail } from '../../accounts/require-verified-email.ts';
import { refuseUpdate, updateOwnedIf } from '../../levels/change-owned.ts';
import { actorOf, type Owner } from '../../levels/reach.ts';
import { type PrivateLinkLimits, requirePossible, requireVerifiedLinker } from './create-private-link.ts';
import type { PrivateLink } from './private-link.entity.ts';
import { PRIVATE_LINKS } from './private-link.queries.ts';
import { PRIVATE_LINK_CODES } from './private-link.rules.ts';

export const UPDATE_PRIVATE_LINK_CODES = [...PRIVATE_LINK_CODES, 'EMAIL_NOT_VERIFIED'] as const;

/** Changes the limits that are given; null lifts one. @throws Problem NOT_FOUND, FORBIDDEN, EMAIL_NOT_VERIFIED, and every mistake of the limits */
export async function updatePrivateLink(
  em: Em,
  owner: Owner,
  id: string,
  { expiresAt, maxUsageCount }: PrivateLinkLimits,
  shown: Selection<typeof PrivateLink>,
): Promise<RowOf<typeof PrivateLink>> {
  await requirePossible(em, { expiresAt, maxUsageCount });
  const values = { expiresAt: expiresAt?.toString() ?? expiresAt, maxUsageCount };
  const isVerified = hasVerifiedEmail(sql`${actorOf(owner)}`);
  const updated = await updateOwnedIf(em, PRIVATE_LINKS, owner, id, values, shown, isVerified);
  if (updated) return updated;
  await owner.refuse(em);
  await requireVerifiedLinker(em, owner);
  return refuseUpdate(em, PRIVATE_LINKS, owner, id);
}
