import type { RowOf } from '../../../database/columns.ts';
import type { Selection } from '../../../database/selection.ts';
import type { Em } from '../../../database/sql.ts';
import { updateOwned } from '../../levels/change-owned.ts';
import type { Owner } from '../../levels/reach.ts';
import { type PrivateLinkLimits, requirePossible } from './create-private-link.ts';
import type { PrivateLink } from './private-link.entity.ts';
import { PRIVATE_LINKS } from './private-link.queries.ts';
import { PRIVATE_LINK_CODES } from './private-link.rules.ts';

export const UPDATE_PRIVATE_LINK_CODES = PRIVATE_LINK_CODES;

/** Changes the limits that are given; null lifts one. @throws Problem NOT_FOUND, FORBIDDEN, and every mistake of the limits */
export async function updatePrivateLink(
  em: Em,
  owner: Owner,
  id: string,
  { expiresAt, maxUsageCount }: PrivateLinkLimits,
  shown: Selection<typeof PrivateLink>,
): Promise<RowOf<typeof PrivateLink>> {
  await requirePossible(em, { expiresAt, maxUsageCount });
  const values = { expiresAt: expiresAt?.toString() ?? expiresAt, maxUsageCount };
  return updateOwned(em, PRIVATE_LINKS, owner, id, values, shown);
}
